#include "retrieval/score_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/error.h"
#include "base/threads.h"

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

// From how many wrong ones stand ahead of each query's best right one.
Recall share_of_hits(const std::vector<std::size_t>& ahead) {
  if (ahead.empty()) return {};
  const auto share = [&](std::size_t k) {
    return 100.0 *
           static_cast<double>(std::ranges::count_if(ahead, [&](auto a) { return a < k; })) /
           static_cast<double>(ahead.size());
  };
  return {share(1), share(5), share(10)};
}

Recall image_to_text(const ScoreMatrix& scores, std::span<const int> owner,
                     const std::vector<char>& has_caption) {
  std::vector<std::size_t> ahead;
  for (std::size_t image = 0; image < scores.images; ++image) {
    if (!has_caption[image]) continue;
    const float* row = scores.values.data() + image * scores.captions;
    float best = kNever;
    for (std::size_t c = 0; c < scores.captions; ++c) {
      if (static_cast<std::size_t>(owner[c]) == image && row[c] > best) best = row[c];
    }
    std::size_t wrong = best == kNever ? scores.captions : 0;
    for (std::size_t c = 0; c < scores.captions; ++c) {
      wrong += static_cast<std::size_t>(owner[c]) != image && !(row[c] < best);
    }
    ahead.push_back(wrong);
  }
  return share_of_hits(ahead);
}

Recall text_to_image(const ScoreMatrix& scores, std::span<const int> owner) {
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
  for (std::size_t c = 0; c < scores.captions; ++c) {
    if (!(right[c] > kNever)) ahead[c] = scores.images;  // NaN
  }
  return share_of_hits(ahead);
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

LanguageRecall measure_recall(const ScoreMatrix& scores, std::span<const int> image_of_caption) {
  if (scores.values.size() != scores.images * scores.captions ||
      image_of_caption.size() != scores.captions) {
    throw std::invalid_argument("measure_recall: scores and captions do not match");
  }
  std::vector<char> has_caption(scores.images, 0);
  for (const int image : image_of_caption) has_caption.at(static_cast<std::size_t>(image)) = 1;
  LanguageRecall result;
  result.captions = scores.captions;
  result.image_to_text = image_to_text(scores, image_of_caption, has_caption);
  result.text_to_image = text_to_image(scores, image_of_caption);
  return result;
}

}  // namespace hinny
