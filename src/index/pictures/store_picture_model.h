// The model of a new index of pictures, and what makes their features.
#pragma once

#include <filesystem>

#include "index/bundle/bundle.h"
#include "index/folder/write_index.h"
#include "tensors/export_weights.h"

namespace hinny {

// Stores both in the folder of an index, which is there, and returns what they say of it; no images
// yet. A bundle's matrices stay as they are, those of a run are stored as `weights` says.
IndexContents store_picture_model(const PictureModel& model, WeightType weights,
                                  const std::filesystem::path& index);

}  // namespace hinny
