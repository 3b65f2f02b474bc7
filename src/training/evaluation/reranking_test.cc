#include "training/evaluation/reranking.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/error.h"
#include "base/run_files.h"
#include "recipe/read_recipe.h"
#include "retrieval/recall.h"
#include "tests/scratch.h"
#include "tests/tiny_dataset.h"
#include "training/evaluation/pair_hubs.h"
#include "training/evaluation/split_scorer.h"
#include "training/experiment/model_files.h"
#include "training/loop/trainer.h"
#include "training/start/new_experiment.h"
#include "training/start/open_experiment.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

class RerankingTest : public testing::Test {
 protected:
  // A trained one, opened again.
  std::unique_ptr<Experiment> trained(const std::string& name) const {
    std::vector<std::string> set = {
        "image.hidden=32",           "dim=16",         "text.dim=16",  "text.min_count=1",
        "sample.images_per_batch=8", "train.epochs=2", "hubs.size=12", "hubs.weight=0.5"};
    set.push_back(name == "late" ? "image.features=grid" : "image.features=toy");
    if (name == "late") set.push_back("rerank.weight=0.7");
    const fs::path run = scratch_ / name;
    fs::create_directories(run);
    const auto fresh =
        new_experiment(find_recipe(name, set), data_.folder(), torch::Device(torch::kCPU));
    write_model_setup(run, *fresh);
    train(*fresh, run, {});
    return open_experiment(run, data_.folder());
  }

  TinyDataset data_;
  Scratch scratch_;
};

// For each query: its best by the first alone, in the order of both, then the others.
double recall_at_1(const ScoreMatrix& one, const ScoreMatrix& two, std::span<const int> owners,
                   std::size_t candidates) {
  std::size_t found = 0;
  for (std::size_t c = 0; c < one.captions; ++c) {
    std::vector<std::size_t> images(one.images);
    for (std::size_t i = 0; i < images.size(); ++i) images[i] = i;
    const auto first = [&](std::size_t i) { return one.values[i * one.captions + c]; };
    const auto both = [&](std::size_t i) {
      return first(i) + 0.7F * two.values[i * two.captions + c];
    };
    std::ranges::stable_sort(images, [&](auto a, auto b) { return first(a) > first(b); });
    images.resize(std::min(images.size(), candidates));
    const auto best =
        *std::ranges::max_element(images, [&](auto a, auto b) { return both(a) < both(b); });
    found += best == static_cast<std::size_t>(owners[c]);
  }
  return 100.0 * static_cast<double>(found) / static_cast<double>(one.captions);
}

TEST_F(RerankingTest, TheBestOfTheFirstStandInTheOrderOfBoth) {
  const auto first = trained("hinny"), second = trained("late");
  EvaluationOptions options;
  options.split = "test";
  options.progress = false;
  SplitScorer one(*first, "test"), two(*second, "test");
  for (const std::size_t candidates : {1U, 3U, 100U}) {
    const RecallTable table = evaluate_reranked(*first, *second, candidates, options);
    for (std::size_t l = 0; l < 2; ++l) {
      const SplitCaptions captions = one.captions(l);
      EXPECT_NEAR(
          table.languages[l].text_to_image.r1,
          recall_at_1(one.scores(l, captions.captions, nullptr),
                      two.scores(l, captions.captions, nullptr), captions.owners, candidates),
          1e-9);
    }
    EXPECT_EQ(table.search_parameters,
              one.table().search_parameters + two.table().search_parameters);
  }
  // One candidate is what the first finds, in both directions.
  const RecallTable alone = evaluate(*first, options).table;
  const RecallTable same = evaluate_reranked(*first, *second, 1, options);
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_EQ(same.languages[l].mean(), alone.languages[l].mean());
  }
  options.folds = 2;
  EXPECT_THAT([&] { evaluate_reranked(*first, *second, 1, options); },
              ThrowsMessage<InputError>(HasSubstr("folds")));
}

// Penalties by words and regions, each as remembered.
TEST_F(RerankingTest, HubsOfPairsAreCorrected) {
  const auto second = trained("late");
  ASSERT_TRUE(second->hubs.has_value());
  const HubBank bank = *second->hubs;
  const HubBank::Space& space = bank.spaces.at("image");
  EXPECT_EQ(space.lengths.size(), 12U);
  EXPECT_EQ(space.regions, 3U);
  EXPECT_EQ(space.images.size(), 12 * 3 * 16U);
  SplitScorer scorer(*second, "test");
  const SplitCaptions captions = scorer.captions(0);
  const ScoreMatrix with = scorer.scores(0, captions.captions, nullptr);
  second->hubs.reset();
  const ScoreMatrix plain = scorer.scores(0, captions.captions, nullptr);
  second->hubs = bank;
  // Every score of an image is moved alike but for its caption's part.
  const auto moved = [&](std::size_t i, std::size_t c) {
    return with.values[i * with.captions + c] - plain.values[i * with.captions + c];
  };
  bool differ = false;
  for (std::size_t i = 1; i < with.images; ++i) {
    for (std::size_t c = 1; c < with.captions; ++c) {
      EXPECT_NEAR(moved(i, c) - moved(i, 0), moved(0, c) - moved(0, 0), 1e-5);
    }
    differ = differ || std::abs(moved(i, 0) - moved(0, 0)) > 1e-4F;
  }
  EXPECT_TRUE(differ);
}

}  // namespace
}  // namespace hinny
