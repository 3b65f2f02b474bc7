// Changes of an index to images of a dataset folder: `hinny index add`, `update`, and the
// library's.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "index/change_index.h"

namespace hinny {

// Of these splits, positions in the dataset; "all" is every image.
std::vector<int> images_of_splits(const Dataset& dataset, const std::vector<std::string>& splits);

using ChangeIndex = IndexChange (*)(const std::filesystem::path&, const ImagesToIndex&);
// Told the images that were asked for, some of which may lack features, and what they are called.
using TellAsked =
    std::function<void(const Features&, const std::vector<int>& asked, const std::string& splits)>;

// `change` (add_to_index, update_index) with those images of `splits` that have the features which
// the index was made from. Throws InputError where none has, or a second look's features lack.
IndexChange change_from_dataset(const std::filesystem::path& index,
                                const std::filesystem::path& data,
                                const std::vector<std::string>& splits, ChangeIndex change,
                                const TellAsked& tell = nullptr);

}  // namespace hinny
