// Recipes that train in a second, and what trains them on a tiny set.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "recipe/read_recipe.h"
#include "retrieval/recall.h"
#include "tests/scratch.h"
#include "tests/tiny_dataset.h"
#include "training/evaluation/evaluate.h"
#include "training/experiment/model_files.h"
#include "training/loop/trainer.h"
#include "training/start/new_experiment.h"

namespace hinny {

// Small versions of the recipes, so that a training takes a second.
inline Recipe small(const std::string& name) {
  Recipe recipe = find_recipe(name);
  recipe.model.image.features = "toy";
  if (!kRegions.contains(recipe.model.system) && recipe.model.image.hidden > 0) {
    recipe.model.image.hidden = 32;
  }
  recipe.model.text.dim = 16;
  recipe.model.text.hidden = 16;
  if (!recipe.model.text.vectors_from(VectorSource::pictures)) recipe.model.text.vectors = "random";
  recipe.model.text.min_count = 1;
  recipe.model.dim = 16;
  recipe.sample.images_per_batch = 8;
  recipe.sample.epoch = EpochOf::images;  // as many batches an epoch as other systems have
  const bool more = kSharedWords.contains(recipe.model.system) || recipe.languages.size() == 1;
  recipe.train.epochs = more ? 80 : 40;
  recipe.train.schedule = Schedule::constant;
  if (recipe.model.text.mule_dim > 0) recipe.model.text.mule_dim = 16;
  if (recipe.model.text.latents > 0) {
    recipe.model.text.latents = 1000;  // few of the ten words share one
    recipe.model.text.own_words = std::min<std::int64_t>(recipe.model.text.own_words, 4);
    recipe.model.text.own_dim = 8;
    recipe.model.text.explore_among = 4;
  }
  if ((kRegions | kLate).contains(recipe.model.system)) recipe.model.image.features = "grid";
  if (!recipe.model.text.dictionary.empty()) recipe.model.text.rare = 1000;  // every word
  if (recipe.model.loss.warmup_epochs > 0) recipe.model.loss.warmup_epochs = 10;
  // Cosines of so few words meet the papers' margin before all is learnt.
  if (recipe.model.loss.distance == Distance::cosine) {
    recipe.model.loss.margin = std::max(recipe.model.loss.margin, 0.2);
  }
  recipe.train.validate_every = 0;
  recipe.train.learning_rate = recipe.model.image.features == "grid" ? 3e-3 : 1e-2;
  return recipe;
}

class TrainerTest : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Experiment> experiment(const Recipe& recipe) const {
    return experiment(recipe, data_.folder());
  }
  std::unique_ptr<Experiment> experiment(Recipe recipe, const std::filesystem::path& folder) const {
    std::string& dictionary = recipe.model.text.dictionary;
    if (!dictionary.empty()) dictionary = folder / "dictionaries";
    auto made = new_experiment(recipe, folder, torch::Device(torch::kCPU));
    write_model_setup(run_, *made);
    return made;
  }
  // Recall on what it trained on: twenty images, no two of a kind.
  RecallTable learnt_by_heart(Recipe recipe) const {
    recipe.model.image.dropout = 0;
    recipe.train.weight_decay = 0;
    recipe.train.patience = 0;  // what is learnt by heart helps no validation
    const TinyDataset twenty(20);
    const auto trained = experiment(recipe, twenty.folder());
    train(*trained, run_, {});
    EvaluationOptions options;
    options.split = "train";
    return evaluate(*trained, options).table;
  }

  TinyDataset data_;
  Scratch run_;
};

}  // namespace hinny
