#include "retrieval/score_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/error.h"
#include "base/threads.h"
#include "retrieval/query_ranks.h"
#include "retrieval/ranker.h"

namespace hinny {
namespace {

constexpr std::size_t kMostScores = std::size_t{1} << 30;
constexpr float kNever = -std::numeric_limits<float>::infinity();

float order(const float* image, const float* caption, std::size_t dim) {
  constexpr std::size_t kLanes = 16;  // sums apart, so that they need not wait for each other
  float sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= dim; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float above = std::max(caption[i + lane] - image[i + lane], 0.0F);
      sums[lane] += above * above;
    }
  }
  for (; i < dim; ++i) {
    const float above = std::max(caption[i] - image[i], 0.0F);
    sums[0] += above * above;
  }
  float sum = 0;
  for (const float lane : sums) sum += lane;
  return -sum;
}

std::vector<int> image_ranks(const ScoreMatrix& scores, std::span<const int> owner) {
  std::vector<int> ranks(scores.images, QueryRanks::kNoQuery);
  for (std::size_t image = 0; image < scores.images; ++image) {
    const float* row = scores.values.data() + image * scores.captions;
    float best = kNever;
    bool asked = false;
    for (std::size_t c = 0; c < scores.captions; ++c) {
      const bool own = static_cast<std::size_t>(owner[c]) == image;
      asked = asked || own;
      if (own && row[c] > best) best = row[c];
    }
    if (!asked) continue;
    std::size_t wrong = best == kNever ? Ranker::kMiss : 0;  // NaN
    for (std::size_t c = 0; c < scores.captions; ++c) {
      wrong += static_cast<std::size_t>(owner[c]) != image && !(row[c] < best);
    }
    ranks[image] = capped_rank(wrong);
  }
  return ranks;
}

std::vector<int> caption_ranks(const ScoreMatrix& scores, std::span<const int> owner) {
  std::vector<float> right(scores.captions);
  for (std::size_t c = 0; c < scores.captions; ++c) {
    right[c] = scores.values[static_cast<std::size_t>(owner[c]) * scores.captions + c];
  }
  std::vector<std::size_t> ahead(scores.captions);
  for (std::size_t image = 0; image < scores.images; ++image) {
    const float* row = scores.values.data() + image * scores.captions;
    for (std::size_t c = 0; c < scores.captions; ++c) {
      ahead[c] += static_cast<std::size_t>(owner[c]) != image && !(row[c] < right[c]);
    }
  }
  std::vector<int> ranks(scores.captions);
  for (std::size_t c = 0; c < scores.captions; ++c) {
    ranks[c] = capped_rank(right[c] > kNever ? ahead[c] : Ranker::kMiss);  // else NaN
  }
  return ranks;
}

}  // namespace

ScoreMatrix order_scores(const VectorRows& images, const VectorRows& captions) {
  if (captions.rows > 0 && images.rows > kMostScores / captions.rows) {
    throw InputError(fmt::format("{} images with {} captions", images.rows, captions.rows),
                     fmt::format("at most {} scores; measure in folds", kMostScores));
  }
  ScoreMatrix scores{images.rows, captions.rows, std::vector<float>(images.rows * captions.rows)};
  parallel_blocks(images.rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = 0; c < captions.rows; ++c) {
      const float* caption = captions.values.data() + c * captions.dim;
      for (std::size_t i = begin; i < end; ++i) {
        scores.values[i * captions.rows + c] =
            order(images.values.data() + i * images.dim, caption, images.dim);
      }
    }
  });
  return scores;
}

QueryRanks rank_queries(const ScoreMatrix& scores, std::span<const int> image_of_caption) {
  if (scores.values.size() != scores.images * scores.captions) {
    throw std::invalid_argument("rank_queries: scores are not images x captions");
  }
  check_owners(image_of_caption, scores.images, scores.captions);
  return {image_ranks(scores, image_of_caption), caption_ranks(scores, image_of_caption)};
}

LanguageRecall measure_recall(const ScoreMatrix& scores, std::span<const int> image_of_caption) {
  return recall_of(rank_queries(scores, image_of_caption));
}

}  // namespace hinny
