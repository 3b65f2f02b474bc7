// What `hinny index` prints about images and needs of them, whatever they come from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/features.h"
#include "data/part.h"
#include "encoder/model.h"

namespace hinny {

// The features of these images that the model reads: `model` is a re-ranking model's. None, said on
// stderr, where the dataset lacks them.
std::optional<Features> regions_for(const Model& model, const Dataset& dataset,
                                    const std::vector<int>& images);

// "part 3 of 16, ", or "" where it is no part.
std::string part_text(const std::optional<Part>& part);

// On stderr: how to go on with an index that was made just now.
void say_what_next(const std::optional<Part>& part, const std::filesystem::path& index);

}  // namespace hinny
