// A translation model and its run folder.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/direction.h"
#include "data/features.h"
#include "recipe/recipe.h"
#include "text/subword_text.h"
#include "translation/translation_net.h"

namespace hinny {

// Not safe for concurrent use.
struct TranslationModel {
  Recipe recipe;
  std::vector<Direction> directions;
  SubwordText text;
  std::shared_ptr<TranslationNet> net;
  FeatureTransform transform;  // of image regions; mmt alone
  torch::Device device = torch::Device(torch::kCPU);

  bool sees() const { return net->options().region_size > 0; }
  // InputError when it is not one that the model was trained for.
  const Direction& direction(const std::string& from, const std::string& to) const;
};

// recipe.toml, config.json, subwords.txt and vocabulary.tsv: what training does not change.
void write_translation_setup(const std::filesystem::path& run, const TranslationModel& model);
void write_translation_weights(const std::filesystem::path& run, const TranslationModel& model);
// Throws InputError when the run is none of a translation model, or its files do not fit.
TranslationModel open_translation(const std::filesystem::path& run, torch::Device device);
// The net of these settings, fresh.
std::shared_ptr<TranslationNet> make_translation_net(const Recipe& recipe, std::int64_t vocabulary,
                                                     std::int64_t region_size);

}  // namespace hinny
