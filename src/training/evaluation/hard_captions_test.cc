#include "training/evaluation/hard_captions.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "recipe/read_recipe.h"
#include "retrieval/recall.h"
#include "tests/tiny_dataset.h"
#include "training/evaluation/split_scorer.h"
#include "training/start/new_experiment.h"

namespace hinny {
namespace {

std::unique_ptr<Experiment> untrained(const TinyDataset& data, std::int64_t seed) {
  Recipe recipe = find_recipe("bag");
  recipe.model.image.features = "toy";
  recipe.model.text.min_count = 1;
  recipe.train.seed = seed;
  return new_experiment(recipe, data.folder(), torch::Device(torch::kCPU));
}

std::vector<int> ranks_of(Experiment& experiment, std::size_t language) {
  SplitScorer scorer(experiment, "train");
  return scorer.ranks(language, scorer.captions(language), nullptr).by_caption;
}

TEST(HardCaptions, AreThoseThatEverySystemMisses) {
  const TinyDataset data;
  std::vector<std::unique_ptr<Experiment>> two;
  two.push_back(untrained(data, 1));
  two.push_back(untrained(data, 2));
  std::size_t missed = 0, by_first = 0;
  for (std::size_t l = 0; l < 2; ++l) {
    const std::vector<int> first = ranks_of(*two[0], l), second = ranks_of(*two[1], l);
    for (std::size_t c = 0; c < first.size(); ++c) {
      by_first += first[c] >= 10 ? 1 : 0;
      missed += first[c] >= 10 && second[c] >= 10 ? 1 : 0;
    }
  }
  ASSERT_GT(missed, 4U) << "other seeds are needed";
  ASSERT_LT(missed, by_first);
  const HardCaptions all = hard_captions(two, "train", 1000);
  EXPECT_EQ(all.hard, missed);
  EXPECT_EQ(all.some.size(), missed);
  EXPECT_EQ(all.all, 96U);
  EXPECT_EQ(hard_captions(std::span(two).first(1), "train", 1000).hard, by_first);

  const HardCaptions few = hard_captions(two, "train", 1);
  EXPECT_EQ(few.hard, missed);
  ASSERT_EQ(few.some.size(), 2U);
  const HardCaption& one = few.some.front();
  EXPECT_NE(one.image, one.found);
  EXPECT_FALSE(one.found_caption.empty());
  const auto json = nlohmann::json::parse(as_json(few));
  EXPECT_EQ(json["hard"], missed);
  EXPECT_EQ(json["some"][0]["caption"], one.caption);
  EXPECT_NE(as_text(few).find(one.caption), std::string::npos);
}

}  // namespace
}  // namespace hinny
