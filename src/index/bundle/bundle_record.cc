#include "index/bundle/bundle_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/utf8.h"
#include "data/encoder_sidecar.h"
#include "encoder/model.h"
#include "model/json_node.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMostRecordBytes = std::uint64_t{1} << 20;
constexpr std::size_t kLongestText = 200;  // bytes
constexpr std::size_t kHashDigits = 32;
constexpr int kFormat = 2;
constexpr std::array<std::string_view, 7> kFiles = {
    kBundleFile, kCardFile, kConfigFile, kWeightsFile, kTokenizerFile, kVocabularyFile, kHubsFile};

// A short text that can be printed on a line.
std::string line_of(const JsonNode& node) {
  std::string text = node.string();
  const bool control = std::ranges::any_of(
      text, [](char byte) { return static_cast<unsigned char>(byte) < ' ' || byte == '\x7f'; });
  if (control || text.size() > kLongestText) {
    node.refuse("cannot be printed", fmt::format("a line of {} bytes at most", kLongestText));
  }
  return text;
}

std::optional<RecordedRecall> recall_in(const JsonNode& root) {
  const std::optional<JsonNode> node = root.find("recall");
  if (!node) return std::nullopt;
  node->only({"split", "images", "average"});
  RecordedRecall recall;
  recall.split = line_of(node->at("split"));
  recall.images = node->at("images").integer(0, std::int64_t{1} << 40);
  for (const auto& [language, value] : node->at("average").members()) {
    recall.average[language] = value.number(0, 100);
  }
  return recall;
}

std::map<std::string, std::string> files_in(const JsonNode& node) {
  std::map<std::string, std::string> files;
  for (const auto& [name, value] : node.members()) {
    const std::string hash = value.string();
    const bool digits = std::ranges::all_of(hash, [](char digit) {
      return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
    });
    if (!digits || hash.size() != kHashDigits) value.refuse("is no hash", "32 hexadecimal digits");
    files[name] = hash;
  }
  return files;
}

bool has_no_hash(std::string_view name) { return name == kBundleFile || name == kCardFile; }

}  // namespace

BundleRecord read_bundle_record(const fs::path& file) {
  const JsonNode root = JsonNode::read(file, kMostRecordBytes);
  BundleRecord record;
  record.encoders = root.at("encoders").strings();
  if (root.at("format").integer(1, kFormat) == 1) {
    root.only({"format", "encoders", "license"});
    record.license = line_of(root.at("license"));
    return record;
  }
  root.only({"format", "license", "network_license", "languages", "features", "search_parameters",
             "recall", "encoders", "files"});
  record.license = line_of(root.at("license"));
  record.network_license = line_of(root.at("network_license"));
  record.languages = root.at("languages").strings();
  record.features = root.at("features").string();
  record.search_parameters = root.at("search_parameters").integer(0, INT64_MAX);
  record.recall = recall_in(root);
  record.files = files_in(root.at("files"));
  if (record.files.empty()) root.at("files").refuse("names none", "the bundle's files");
  return record;
}

void write_bundle_record(const fs::path& file, const BundleRecord& record) {
  nlohmann::ordered_json json = {{"format", kFormat},
                                 {"license", record.license},
                                 {"network_license", record.network_license},
                                 {"languages", record.languages},
                                 {"features", record.features},
                                 {"search_parameters", record.search_parameters}};
  if (record.recall) {
    json["recall"] = {{"split", record.recall->split},
                      {"images", record.recall->images},
                      {"average", record.recall->average}};
  }
  json["encoders"] = record.encoders;
  json["files"] = record.files;
  write_file(file, json.dump(1) + "\n");
}

void check_record(const fs::path& folder, const BundleRecord& record, const Model& model) {
  if (record.files.empty()) return;
  const ModelConfig& config = model.config();
  const fs::path file = folder / kBundleFile;
  if (record.languages != config.languages) {
    throw InputError(file, fmt::format("languages {}", fmt::join(record.languages, ", ")),
                     fmt::format("those of the model: {}", fmt::join(config.languages, ", ")));
  }
  if (record.features != config.features.names ||
      record.search_parameters != config.search_parameters) {
    throw InputError(
        file, fmt::format("features {}, {} parameters", record.features, record.search_parameters),
        fmt::format("those of the model: {}, {}", config.features.names, config.search_parameters));
  }
}

void check_files(const fs::path& folder, const BundleRecord& record) {
  if (record.files.empty()) return;
  const std::vector<std::string> there = files_of_bundle(folder);
  for (const std::string& name : there) {
    if (has_no_hash(name) || record.files.contains(name)) continue;
    throw InputError(folder / name, "a file that bundle.json does not name", "");
  }
  for (const auto& [name, hash] : record.files) {
    if (std::ranges::find(there, name) == there.end()) {
      throw InputError(folder / kBundleFile, fmt::format("names a file '{}'", name),
                       "one that is there");
    }
    if (content_hash(folder / name) == hash) continue;
    throw InputError(folder / name, "is not the file that the bundle was made with",
                     "its hash in bundle.json");
  }
}

bool may_be_in_bundle(std::string_view name) {
  if (std::ranges::find(kFiles, name) != kFiles.end()) return true;
  const std::string folder = std::string(kNetworksFolder) + "/";
  if (!name.starts_with(folder)) return false;
  const std::string_view file = name.substr(folder.size());
  const bool plain = std::ranges::all_of(file, [](char byte) {
    return static_cast<unsigned char>(byte) >= ' ' && byte != '\x7f' && byte != '/';
  });
  return plain && is_utf8(file) && !file.starts_with('.') &&
         (is_network_name(file) || file.ends_with(".onnx.json") ||
          file.ends_with(".safetensors.json"));
}

std::vector<std::string> files_of_bundle(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::path& place : {folder, folder / kNetworksFolder}) {
    for (const auto& item : entries_in(place)) {
      const std::string name = item.path().lexically_relative(folder).generic_string();
      if (item.is_regular_file() && may_be_in_bundle(name)) names.push_back(name);
    }
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace hinny
