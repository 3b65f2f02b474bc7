#include "data/importers/datasets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/random.h"
#include "data/dataset.h"
#include "data/importers/names.h"
#include "text/language_code.h"
#include "text/name_forms.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// The images of all datasets, in the order in which they come.
class JoinedImages {
 public:
  JoinedImages(const std::vector<Dataset>& datasets, const JoinOptions& options,
               ImportWriter& writer)
      : options_(options), writer_(writer) {
    for (const Dataset& dataset : datasets) add(dataset, &dataset == &datasets.front());
  }

  bool has(const std::string& id) const { return positions_.contains(id); }

  void write() {
    if (options_.drawn) draw(*options_.drawn);
    for (const Joined& joined : images_) {
      Image image = joined.image;
      if (options_.splits) {
        image.split = options_.splits->split_of(image.id, options_.split, {joined.folder});
      }
      writer_.image(image, {joined.folder});
    }
  }

 private:
  struct Joined {
    Image image;
    fs::path folder;                  // of the first dataset that has it
    std::set<std::string> languages;  // canonical codes of its captions
  };

  void add(const Dataset& dataset, bool first) {
    std::vector<std::string> codes;
    for (const std::string& code : dataset.languages()) {
      codes.push_back(canonical_language(code).value_or(code));
    }
    for (std::size_t i = 0; i < dataset.images().size(); ++i) {
      const Image& image = dataset.images()[i];
      if (!first && options_.first_images && !has(image.id)) {
        writer_.skip("an image that the first dataset lacks",
                     fmt::format("{}: '{}'", dataset.folder().string(), image.id));
        continue;
      }
      const auto [position, is_new] = positions_.try_emplace(image.id, images_.size());
      if (is_new) images_.push_back({image, dataset.folder(), {}});
      Joined& joined = images_[position->second];
      if (!is_new) merge(image, dataset, joined);
      for (std::size_t l = 0; l < codes.size(); ++l) {
        if (!dataset.captions_of(static_cast<int>(i), static_cast<int>(l)).empty()) {
          joined.languages.insert(codes[l]);
          languages_.insert(codes[l]);
        }
      }
    }
  }

  void merge(const Image& image, const Dataset& dataset, Joined& joined) {
    if (joined.image.file.empty()) joined.image.file = image.file;
    if (joined.image.split == image.split || options_.drawn || options_.splits) return;
    writer_.note("an image in another split of a later dataset; the first one's holds",
                 fmt::format("{}: '{}' is in {}, not {}", dataset.folder().string(), image.id,
                             image.split, joined.image.split));
  }

  std::vector<std::string> languages_of(const DrawnSplits& drawn) const {
    const std::vector<std::string> known(languages_.begin(), languages_.end());
    std::vector<std::string> chosen;
    for (const std::string& code : drawn.languages) {
      const auto language = find_language(known, code);
      if (!language) {
        throw InputError(fmt::format("--having: no caption in '{}'", code),
                         languages_expected(known));
      }
      chosen.push_back(*language);
    }
    return chosen;
  }

  void draw(const DrawnSplits& drawn) {
    const std::vector<std::string> languages = languages_of(drawn);
    std::vector<std::tuple<std::uint64_t, std::string, Joined*>> able;
    for (Joined& joined : images_) {
      joined.image.split = "train";
      const bool all = std::ranges::all_of(languages, [&](const std::string& language) {
        return joined.languages.contains(language);
      });
      const std::string& id = joined.image.id;
      if (all)
        able.emplace_back(mix_seed({drawn.seed, XXH3_64bits(id.data(), id.size())}), id, &joined);
    }
    if (static_cast<std::int64_t>(able.size()) < drawn.val + drawn.test) {
      throw InputError(fmt::format("{} images have captions in {}", able.size(),
                                   fmt::join(drawn.languages, ", ")),
                       fmt::format("{}, {} for val and {} for test", drawn.val + drawn.test,
                                   drawn.val, drawn.test));
    }
    std::ranges::sort(able);  // by numbers that the seed and the id alone decide
    for (std::size_t i = 0; i < static_cast<std::size_t>(drawn.val + drawn.test); ++i) {
      std::get<Joined*>(able[i])->image.split =
          i < static_cast<std::size_t>(drawn.val) ? "val" : "test";
    }
  }

  const JoinOptions& options_;
  ImportWriter& writer_;
  std::vector<Joined> images_;
  std::unordered_map<std::string, std::size_t> positions_;
  std::set<std::string> languages_;  // of all images' captions
};

// A caption's letters and digits in one case: what its tokenised and its raw form share, "a man 's
// hat ." and "A man's hat."; the caption where it has none.
std::string letters_of(const std::string& caption) {
  constexpr unsigned char kAscii = 0x80;
  std::string letters;
  for (const char c : composed(folded_case(caption))) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (plain || static_cast<unsigned char>(c) >= kAscii) letters += c;
  }
  return letters.empty() ? std::string(trimmed(caption)) : letters;
}

// Writes a dataset's captions but those that earlier ones have.
class JoinedCaptions {
 public:
  JoinedCaptions(const JoinedImages& images, ImportWriter& writer)
      : images_(images), writer_(writer) {}

  void write(const Dataset& dataset) {
    const fs::path file = dataset.folder() / "captions.jsonl";
    std::unordered_set<std::uint64_t> own;
    for (const Caption& caption : dataset.captions()) {
      const std::string& id = dataset.images()[static_cast<std::size_t>(caption.image)].id;
      if (!images_.has(id)) continue;  // its image is counted
      const std::string& code = dataset.languages()[static_cast<std::size_t>(caption.language)];
      const std::string entry = fmt::format("image '{}'", id);
      const std::string key = fmt::format("{}\n{}\n{}", id, canonical_language(code).value_or(code),
                                          letters_of(caption.text));
      const std::uint64_t hash = XXH3_64bits(key.data(), key.size());
      if (earlier_.contains(hash)) {
        writer_.skip("a caption that an earlier dataset has", Place{file, 0, entry}.text());
        continue;
      }
      writer_.caption(id, code, caption.text, caption.source, {file, 0, entry});
      own.insert(hash);
    }
    earlier_.merge(own);
  }

 private:
  const JoinedImages& images_;
  ImportWriter& writer_;
  std::unordered_set<std::uint64_t> earlier_;  // hashes
};

void link_or_copy(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::create_hard_link(fs::canonical(from), to, failed);  // not to a symbolic link
  if (failed) copy_whole_file(from, to);
}

// Rows belong to one ids.txt, so those of two datasets do not mix.
void take_features(const std::vector<Dataset>& datasets, ImportWriter& writer) {
  bool taken = false;
  for (const Dataset& dataset : datasets) {
    const fs::path folder = dataset.folder() / "features";
    if (!fs::exists(folder / "ids.txt")) continue;
    std::vector<fs::path> files;
    for (const auto& entry : entries_in(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    if (!taken) create_folder(writer.folder() / "features");
    for (const fs::path& file : files) {
      if (!taken) link_or_copy(file, writer.folder() / "features" / file.filename());
      if (file.extension() == ".npy") {
        writer.note(
            taken ? "features left out: an earlier dataset has some" : "features taken over",
            file.string());
      }
    }
    taken = true;
  }
}

}  // namespace

void import_datasets(const std::vector<fs::path>& folders, const JoinOptions& options,
                     ImportWriter& writer) {
  std::vector<Dataset> datasets;
  for (const fs::path& folder : folders) datasets.push_back(Dataset::load(folder));
  JoinedImages images(datasets, options, writer);
  images.write();
  JoinedCaptions captions(images, writer);
  for (const Dataset& dataset : datasets) captions.write(dataset);
  take_features(datasets, writer);
}

}  // namespace hinny
