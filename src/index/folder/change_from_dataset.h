// Changes of an index to images of a dataset folder: `hinny index add`, `update`, and the
// library's.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "index/folder/change_index.h"

namespace hinny {

using ChangeIndex = IndexChange (*)(const std::filesystem::path&, const ImagesToIndex&);
// Told the images that were asked for, some of which may lack features, and what they are called.
using TellAsked =
    std::function<void(const Features&, const std::vector<int>& asked, const std::string& splits)>;

struct ChosenImages {
  std::vector<int> images;  // positions in the dataset, each with features
  std::string splits;       // "val+test"
};

// Of these splits; "all" is every image. Throws InputError where none has features.
ChosenImages images_to_index(const Dataset& dataset, const Features& features,
                             const std::vector<std::string>& splits,
                             const TellAsked& tell = nullptr);

// `change` (add_to_index, update_index) with those images of `splits` that have the features which
// the index was made from. Throws InputError where none has, or the re-ranking model's are missing.
IndexChange change_from_dataset(const std::filesystem::path& index,
                                const std::filesystem::path& data,
                                const std::vector<std::string>& splits, ChangeIndex change,
                                const TellAsked& tell = nullptr);

}  // namespace hinny
