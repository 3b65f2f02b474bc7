// What a second look reads of the images that go into an index.
#pragma once

#include <optional>
#include <vector>

#include "data/dataset.h"
#include "data/features.h"
#include "encoder/model.h"

namespace hinny {

// The features of these images that the model reads: `model` is a second look's. None, said on
// stderr, where the dataset lacks them.
std::optional<Features> regions_for(const Model& model, const Dataset& dataset,
                                    const std::vector<int>& images);

}  // namespace hinny
