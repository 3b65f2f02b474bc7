#include <gmock/gmock.h>

#include <array>

#include "base/error.h"
#include "recipe/read_recipe.h"
#include "retrieval/recall.h"
#include "tests/tiny_dataset.h"
#include "training/evaluation/evaluate.h"
#include "training/evaluation/fusion.h"
#include "training/evaluation/split_scorer.h"
#include "training/start/new_experiment.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t kFolds = 3;

// Untrained: what they find is luck.
std::unique_ptr<Experiment> guessing(const std::string& name, const std::string& features,
                                     const TinyDataset& data) {
  return new_experiment(
      find_recipe(name, {"image.features=" + features, "text.vectors=random", "text.dim=16",
                         "text.hidden=16", "dim=16", "text.min_count=1"}),
      data.folder(), torch::Device(torch::kCPU));
}

EvaluationOptions in_folds(int folds) {
  EvaluationOptions options;
  options.split = "train";
  options.folds = folds;
  options.progress = false;
  return options;
}

// The mean mR of three blocks of the scores of all images with all captions.
double by_hand(const ScoreMatrix& all, const std::vector<int>& owners) {
  double sum = 0;
  const std::size_t size = all.images / kFolds;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    ScoreMatrix block;
    std::vector<int> own;
    for (std::size_t i = fold * size; i < (fold + 1) * size; ++i) {
      for (std::size_t c = 0; c < all.captions; ++c) {
        if (static_cast<std::size_t>(owners[c]) / size != fold) continue;
        block.values.push_back(all.values[i * all.captions + c]);
        if (i == fold * size) own.push_back(owners[c] - static_cast<int>(fold * size));
      }
    }
    block.images = size;
    block.captions = own.size();
    sum += measure_recall(block, own).mean();
  }
  return sum / kFolds;
}

// By dot product, by order, and pair by pair.
TEST(Folds, AreMeasuredByThemselvesInEverySystem) {
  const TinyDataset data;
  for (const auto& [name, features] :
       {std::pair("bag", "toy"), std::pair("order", "toy"), std::pair("scan", "grid")}) {
    const auto e = guessing(name, features, data);
    SplitScorer scorer(*e, "train");
    const RecallTable folds = evaluate(*e, in_folds(kFolds)).table;
    const RecallTable whole = evaluate(*e, in_folds(1)).table;
    for (std::size_t l = 0; l < 2; ++l) {
      const SplitCaptions captions = scorer.captions(l);
      const ScoreMatrix scores = scorer.scores(l, captions.captions, nullptr);
      EXPECT_NEAR(folds.languages[l].mean(), by_hand(scores, captions.owners), 1e-9) << name;
      EXPECT_GT(folds.languages[l].mean(), whole.languages[l].mean()) << name;
      EXPECT_EQ(folds.languages[l].captions, 48U);
    }
    EXPECT_EQ(folds.images, 24U);
    EXPECT_THAT([&] { evaluate(*e, in_folds(5)); },
                ThrowsMessage<InputError>(HasSubstr("24 images cannot be cut into 5 folds")));
  }
}

TEST(Folds, AreMeasuredOfAveragedScores) {
  const TinyDataset data;
  std::vector<std::unique_ptr<Experiment>> systems;
  systems.push_back(guessing("scan", "grid", data));
  systems.push_back(guessing("bag", "toy", data));
  SplitScorer one(*systems[0], "train"), two(*systems[1], "train");
  const RecallTable folds = evaluate_together(systems, in_folds(kFolds));
  const RecallTable whole = evaluate_together(systems, in_folds(1));
  for (std::size_t l = 0; l < 2; ++l) {
    const SplitCaptions captions = one.captions(l);
    ScoreMatrix sum = one.scores(l, captions.captions, nullptr);
    const ScoreMatrix more = two.scores(l, captions.captions, nullptr);
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += more.values[i];
    EXPECT_NEAR(folds.languages[l].mean(), by_hand(sum, captions.owners), 1e-9);
    EXPECT_GT(folds.languages[l].mean(), whole.languages[l].mean());
  }
  EXPECT_EQ(evaluate_together(systems, in_folds(1), std::array{3.0, 3.0}).average(),
            whole.average());
  EXPECT_EQ(evaluate_together(systems, in_folds(1), std::array{1e-9, 1.0}).average(),
            evaluate(*systems[1], in_folds(1)).table.average());
  EXPECT_THAT([&] { evaluate_together(systems, in_folds(1), std::array{1.0}); },
              ThrowsMessage<InputError>(HasSubstr("1 weights for 2 models")));
  EXPECT_THAT([&] { evaluate_together(systems, in_folds(5)); },
              ThrowsMessage<InputError>(HasSubstr("24 images cannot be cut into 5 folds")));
}

}  // namespace
}  // namespace hinny
