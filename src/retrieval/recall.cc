#include "retrieval/recall.h"

#include <fmt/format.h>

#include "base/error.h"
#include "retrieval/query_ranks.h"

namespace hinny {
namespace {

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

LanguageRecall recall_by(Score score, const VectorRows& images, const VectorRows& captions,
                         std::span<const int> image_of_caption) {
  return score == Score::order ? measure_recall(order_scores(images, captions), image_of_caption)
                               : measure_recall(images, captions, image_of_caption);
}

}  // namespace

double LanguageRecall::mean() const {
  const Recall& a = image_to_text;
  const Recall& b = text_to_image;
  return (a.r1 + a.r5 + a.r10 + b.r1 + b.r5 + b.r10) / 6;
}

LanguageRecall measure_recall(const VectorRows& images, const VectorRows& captions,
                              std::span<const int> image_of_caption) {
  return recall_of(rank_queries(images, captions, image_of_caption));
}

LanguageRecall measure_recall_in_folds(const VectorRows& images, const VectorRows& captions,
                                       std::span<const int> image_of_caption, int folds,
                                       Score score) {
  check_vectors(images, captions, image_of_caption);
  if (folds < 1 || images.rows == 0 || images.rows % static_cast<std::size_t>(folds) != 0) {
    throw InputError(fmt::format("{} images cannot be cut into {} folds", images.rows, folds),
                     "folds of equal size");
  }
  if (folds == 1 && captions.rows > 0) {  // as they lie
    return recall_by(score, images, captions, image_of_caption);
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
    const LanguageRecall part = recall_by(score, some, theirs, fold.image_of_caption);
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
