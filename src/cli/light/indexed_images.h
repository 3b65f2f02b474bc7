// Which images of a dataset go into an index.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/features.h"
#include "encoder/model.h"

namespace hinny {

struct ChosenImages {
  std::vector<int> images;  // positions in the dataset, each with features
  std::string splits;       // "val+test"
};

// Of these splits ("all" for every image); says on stderr how many have no features.
ChosenImages images_to_index(const Dataset& dataset, const Features& features,
                             const std::vector<std::string>& splits);

// The features of those images that the model reads: `model` is a second look's. None, said on
// stderr, where the dataset lacks them.
std::optional<Features> regions_for(const Model& model, const Dataset& dataset,
                                    const std::vector<int>& images);

}  // namespace hinny
