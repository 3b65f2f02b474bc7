// bundle.json: what a bundle says of itself, beside what its model does (docs/formats/bundle.md).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_files.h"
#include "index/bundle/bundle_origins.h"

namespace hinny {

class Model;

constexpr const char* kCardFile = "README.md";
constexpr const char* kNetworksFolder = "networks";

struct BundleRecord {
  // One for each part of the features: "builtin-1", or "networks/FILE.onnx".
  std::vector<std::string> encoders;
  std::string license;          // of the model; may be empty
  std::string network_license;  // of its networks; may be empty
  std::optional<RecordedRecall> recall;
  // Hash of each file but this one and the card. Empty of a bundle in format 1, which said none.
  std::map<std::string, std::string> files;
  // The model's, said once more for programs that read nothing else. Empty of format 1.
  std::vector<std::string> languages;
  std::string features;
  std::int64_t search_parameters = 0;

  bool operator==(const BundleRecord&) const = default;
};

// Throws InputError for anything that the format does not have.
BundleRecord read_bundle_record(const std::filesystem::path& file);
// Reading it gives an equal one. Throws InputError for a license that it could not read.
void write_bundle_record(const std::filesystem::path& file, const BundleRecord& record);

// Throws InputError where the record is not of this model.
void check_record(const std::filesystem::path& folder, const BundleRecord& record,
                  const Model& model);
// Throws InputError where a file is not the one that the record was written with, or one is there
// that it does not name. Of format 1 nothing is known. Reads each file once.
void check_files(const std::filesystem::path& folder, const BundleRecord& record);

// Whether a bundle can have a file of this name, below its folder.
bool may_be_in_bundle(std::string_view name);
// Names of the files that are there and may be, in order of their bytes.
std::vector<std::string> files_of_bundle(const std::filesystem::path& folder);

}  // namespace hinny
