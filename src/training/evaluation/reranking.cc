#include "training/evaluation/reranking.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "base/threads.h"
#include "training/evaluation/split_scorer.h"

namespace hinny {
namespace {

// One query's scores, `step` apart. Its `most` best get those of the re-ranking model as well, the
// others keep their order behind them.
class Line {
 public:
  Line(float* scores, const float* more, std::size_t count, std::size_t step)
      : scores_(scores), more_(more), count_(count), step_(step) {}

  void look_again(std::size_t most, float weight) const {
    std::vector<std::size_t> order(count_);
    for (std::size_t i = 0; i < count_; ++i) order[i] = i;
    const std::size_t some = std::min(most, count_);
    std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(some),
                             [&](std::size_t a, std::size_t b) {
                               const float left = scores_[a * step_], right = scores_[b * step_];
                               return left != right ? left > right : a < b;
                             });
    float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
    for (std::size_t i = 0; i < count_; ++i) {
      float& score = scores_[order[i] * step_];
      if (i < some) {
        score += weight * more_[order[i] * step_];
        lowest = std::min(lowest, score);
      } else {
        highest = std::max(highest, score);
      }
    }
    if (highest < lowest) return;
    for (std::size_t i = some; i < count_; ++i) scores_[order[i] * step_] -= highest - lowest + 1;
  }

 private:
  float* scores_;
  const float* more_;
  std::size_t count_, step_;
};

// Ranks of captions that ask for their image, and of images that ask for their captions.
QueryRanks ranks_of(const ScoreMatrix& scores, const ScoreMatrix& more, std::size_t candidates,
                    float weight, std::span<const int> owners) {
  ScoreMatrix captions_ask = scores, images_ask = scores;
  parallel_blocks(scores.captions, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      Line(captions_ask.values.data() + c, more.values.data() + c, scores.images, scores.captions)
          .look_again(candidates, weight);
    }
  });
  parallel_blocks(scores.images, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t row = i * scores.captions;
      Line(images_ask.values.data() + row, more.values.data() + row, scores.captions, 1)
          .look_again(candidates, weight);
    }
  });
  return {rank_queries(images_ask, owners).by_image, rank_queries(captions_ask, owners).by_caption};
}

}  // namespace

RecallTable evaluate_reranked(Experiment& first, Experiment& second, std::size_t candidates,
                              const EvaluationOptions& options) {
  if (options.folds > 1) throw InputError("folds with a re-ranking model", "--folds 1");
  SplitScorer one(first, options.split), other(second, options.split);
  one.check_same_images(other);
  RecallTable table = one.table();
  table.train_parameters += other.table().train_parameters;
  table.search_parameters += other.table().search_parameters;
  const auto weight = static_cast<float>(second.recipe.rerank.weight);
  Progress bar("evaluate " + options.split, 0);
  Progress* progress = options.progress ? &bar : nullptr;
  for (const std::size_t l : one.languages()) {
    const SplitCaptions captions = one.captions(l);
    const ScoreMatrix scores = one.scores(l, captions.captions, progress);
    const ScoreMatrix more = other.scores(l, captions.captions, progress);
    one.add_row(table, recall_of(ranks_of(scores, more, candidates, weight, captions.owners)), l);
  }
  return table;
}

}  // namespace hinny
