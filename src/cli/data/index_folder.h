// hinny index --pictures: once, or whenever the folder changes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/part.h"
#include "index/folder/write_index.h"
#include "tensors/export_weights.h"

namespace hinny {

struct FolderOptions {
  std::filesystem::path model, pictures, out;
  std::vector<std::filesystem::path> networks;
  WeightType weights = WeightType::int8;
  Graphs graphs = Graphs::where_worth;
  std::optional<Part> part{};
  bool json = false;
  bool watch = false;                                 // stays until Ctrl-C
  std::optional<std::vector<std::string>> exclude{};  // PicturesInput
  bool weights_given = false;
  std::optional<int> film_frames{};              // PicturesInput
  std::optional<std::filesystem::path> towns{};  // likewise
  std::optional<int> codes{};                    // likewise
};

// Returns the exit code.
int index_folder(const FolderOptions& options);

}  // namespace hinny
