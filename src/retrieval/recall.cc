#include "retrieval/recall.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>

#include "base/error.h"
#include "base/threads.h"
#include "retrieval/dot_products.h"
#include "retrieval/ranker.h"
#include "retrieval/score_matrix.h"

namespace hinny {
namespace {

constexpr std::size_t kPanelScores = std::size_t{6} << 20;  // 24 MB of floats

// A query and a candidate belong together when their labels are equal. Queries without any right
// candidate are left out.
Recall recall(const VectorRows& queries, std::span<const int> query_labels,
              const VectorRows& candidates, std::span<const int> labels,
              const std::vector<char>& has_candidate) {
  const std::size_t panel =
      std::max<std::size_t>(1, kPanelScores / std::max<std::size_t>(1, candidates.rows));
  std::vector<float> scores(std::min(panel, queries.rows) * candidates.rows);
  const Ranker ranker(candidates, labels);
  std::atomic<std::size_t> asked = 0, at1 = 0, at5 = 0, at10 = 0;
  for (std::size_t first = 0; first < queries.rows; first += panel) {
    const std::size_t rows = std::min(panel, queries.rows - first);
    const auto part = queries.values.subspan(first * queries.dim, rows * queries.dim);
    dot_products(part.data(), rows, candidates.values.data(), candidates.rows, queries.dim,
                 scores.data());
    parallel_blocks(rows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        const int label = query_labels[first + row];
        if (!has_candidate[static_cast<std::size_t>(label)]) continue;
        const std::size_t ahead = ranker.wrong_ahead(part.subspan(row * queries.dim, queries.dim),
                                                     scores.data() + row * candidates.rows, label);
        ++asked;
        at1 += ahead < 1;
        at5 += ahead < 5;
        at10 += ahead < 10;
      }
    });
  }
  const double share = asked == 0 ? 0.0 : 100.0 / static_cast<double>(asked);
  return {share * static_cast<double>(at1), share * static_cast<double>(at5),
          share * static_cast<double>(at10)};
}

void check(const VectorRows& images, const VectorRows& captions,
           std::span<const int> image_of_caption) {
  for (const VectorRows* matrix : {&images, &captions}) {
    if (matrix->values.size() != matrix->rows * matrix->dim) {
      throw std::invalid_argument("measure_recall: a matrix is not rows x dim");
    }
  }
  if (images.dim != captions.dim || image_of_caption.size() != captions.rows) {
    throw std::invalid_argument("measure_recall: images and captions do not match");
  }
  for (const int image : image_of_caption) {
    if (image < 0 || static_cast<std::size_t>(image) >= images.rows) {
      throw std::invalid_argument("measure_recall: a caption of no image");
    }
  }
}

// Captions of the images [begin, end), their vectors copied side by side.
struct Fold {
  std::vector<float> captions;
  std::vector<int> image_of_caption;
};

Fold cut_fold(const VectorRows& captions, std::span<const int> image_of_caption, int begin,
              int end) {
  Fold fold;
  for (std::size_t c = 0; c < captions.rows; ++c) {
    if (image_of_caption[c] < begin || image_of_caption[c] >= end) continue;
    const auto row = captions.values.subspan(c * captions.dim, captions.dim);
    fold.captions.insert(fold.captions.end(), row.begin(), row.end());
    fold.image_of_caption.push_back(image_of_caption[c] - begin);
  }
  return fold;
}

}  // namespace

double LanguageRecall::mean() const {
  const Recall& a = image_to_text;
  const Recall& b = text_to_image;
  return (a.r1 + a.r5 + a.r10 + b.r1 + b.r5 + b.r10) / 6;
}

LanguageRecall measure_recall(const VectorRows& images, const VectorRows& captions,
                              std::span<const int> image_of_caption) {
  check(images, captions, image_of_caption);
  std::vector<int> self(images.rows);
  std::iota(self.begin(), self.end(), 0);
  std::vector<char> has_caption(images.rows, 0);
  for (const int image : image_of_caption) has_caption[static_cast<std::size_t>(image)] = 1;

  LanguageRecall result;
  result.captions = captions.rows;
  result.image_to_text = recall(images, self, captions, image_of_caption, has_caption);
  result.text_to_image = recall(captions, image_of_caption, images, self, has_caption);
  return result;
}

LanguageRecall measure_recall_in_folds(const VectorRows& images, const VectorRows& captions,
                                       std::span<const int> image_of_caption, int folds,
                                       Score score) {
  check(images, captions, image_of_caption);
  if (folds < 1 || images.rows == 0 || images.rows % static_cast<std::size_t>(folds) != 0) {
    throw InputError(fmt::format("{} images cannot be cut into {} folds", images.rows, folds),
                     "folds of equal size");
  }
  const std::size_t size = images.rows / static_cast<std::size_t>(folds);
  LanguageRecall sum;
  for (std::size_t begin = 0; begin < images.rows; begin += size) {
    const Fold fold = cut_fold(captions, image_of_caption, static_cast<int>(begin),
                               static_cast<int>(begin + size));
    if (fold.image_of_caption.empty()) {
      throw InputError(fmt::format("images {} to {} have no caption", begin, begin + size - 1),
                       "captions in every fold");
    }
    const VectorRows some{images.values.subspan(begin * images.dim, size * images.dim), size,
                          images.dim};
    const VectorRows theirs{fold.captions, fold.image_of_caption.size(), captions.dim};
    const LanguageRecall part =
        score == Score::order ? measure_recall(order_scores(some, theirs), fold.image_of_caption)
                              : measure_recall(some, theirs, fold.image_of_caption);
    const auto add = [&](Recall& to, const Recall& from) {
      to.r1 += from.r1 / folds;
      to.r5 += from.r5 / folds;
      to.r10 += from.r10 / folds;
    };
    add(sum.image_to_text, part.image_to_text);
    add(sum.text_to_image, part.text_to_image);
  }
  sum.captions = captions.rows;
  return sum;
}

}  // namespace hinny
