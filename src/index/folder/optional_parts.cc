#include "index/folder/optional_parts.h"

#include <algorithm>
#include <array>

#include "base/checksums.h"
#include "base/run_files.h"
#include "data/part.h"
#include "index/bundle/bundle_record.h"
#include "index/folder/away.h"
#include "index/folder/growing.h"
#include "index/folder/index.h"
#include "index/folder/query_translators.h"
#include "index/folder/stored_sentences.h"
#include "index/tree/picture_records.h"

namespace hinny {
namespace {

constexpr const char* kGraphFile = "graph-0.hnsw";  // one for each space: any of this ending

constexpr std::array kNames = {kNamesFile};
constexpr std::array kRegions = {kRegionsFile};
constexpr std::array kAttention = {kAttentionFile};
constexpr std::array kGraphs = {kGraphFile};
constexpr std::array kSentences = {kSentencesFile, kSentenceVectorsFile};
constexpr std::array kRecords = {kPictureRecordsFile};
constexpr std::array kTranslators = {kTranslatorsFolder};
constexpr std::array kNetworks = {kNetworksFolder};
constexpr std::array kPart = {kPartFile};
constexpr std::array kAway = {kAwayFolder};
constexpr std::array kGrowing = {kGrowingFile};
constexpr std::array kRerankerFiles = {kRerankerFolder.data()};

constexpr std::array kChecksums = {kChecksumsFile};

constexpr std::array kAll = {
    OptionalPart{"names", kNames, true, true},
    OptionalPart{"regions", kRegions, true, true},
    OptionalPart{"attention", kAttention, true, true},
    OptionalPart{"graphs", kGraphs, true, true},
    OptionalPart{"stored sentences", kSentences, false, false},
    OptionalPart{"records of a folder", kRecords, true, false},
    OptionalPart{"translators", kTranslators, false, false},
    OptionalPart{"networks", kNetworks, false, true},
    OptionalPart{"the part that it is", kPart, true, false},
    OptionalPart{"unavailable pictures", kAway, true, false},
    OptionalPart{"checksums", kChecksums, true, false},
    OptionalPart{"how many there are to be", kGrowing, true, false},
    OptionalPart{"a re-ranking model", kRerankerFiles, true, false},
};

bool is(const std::filesystem::path& name, std::string_view file) {
  if (file != kGraphFile) return name == file;
  return name.extension() == std::filesystem::path(file).extension();
}

}  // namespace

std::span<const OptionalPart> optional_parts() { return kAll; }

bool depends_on_images(const std::filesystem::path& name) {
  if (name == kContentsFile || name == kVectorsFile || name == kScanFile) return true;
  return std::ranges::any_of(kAll, [&](const OptionalPart& part) {
    return part.of_images &&
           std::ranges::any_of(part.files, [&](const char* file) { return is(name, file); });
  });
}

}  // namespace hinny
