// Makes an index folder from a model and a dataset.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/features.h"
#include "data/part.h"
#include "encoder/export_model.h"
#include "index/folder/write_index.h"

namespace hinny {

struct IndexInput {
  std::vector<int> images;                           // positions in the dataset, each with features
  std::string split;                                 // what they are, for the record
  std::vector<std::filesystem::path> networks;       // that make features (picture_encoders.h)
  WeightType weights = WeightType::int8;             // of the index's copy of the model
  std::size_t sentences = 0;                         // per language, kept from the images' captions
  std::vector<std::filesystem::path> translators{};  // translation models to keep beside it
  // For a re-ranking model, of the images: of the sizes that the model in the folder `look` of the
  // model's own reads. Null: there will be none.
  const Features* regions = nullptr;
  // Only this part of the images (merge_index.h); sentences are those of all.
  std::optional<Part> part{};
  Graphs graphs = Graphs::where_worth;  // a part has none
  std::optional<int> codes{};           // codes_for: the size is that of all parts
};

// Exports the model, encodes the images with the copy in every space and writes the folder, which
// appears whole or not at all. Throws InputError when the features are not of the model's sizes,
// when there is no image (a part may have none), or when a vector is not finite. Shows progress.
// Memory stays at a block of images and the sentences.
void build_index(const Model& whole, const Dataset& dataset, const Features& features,
                 const IndexInput& input, const std::filesystem::path& folder);

}  // namespace hinny
