#include "retrieval/recall.h"

#include "retrieval/folds.h"
#include "retrieval/query_ranks.h"

namespace hinny {
namespace {

std::vector<float> picked_rows(const VectorRows& all, std::span<const std::size_t> rows) {
  std::vector<float> side_by_side;
  for (const std::size_t row : rows) {
    const auto values = all.values.subspan(row * all.dim, all.dim);
    side_by_side.insert(side_by_side.end(), values.begin(), values.end());
  }
  return side_by_side;
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
  const std::vector<Fold> cut = cut_into_folds(images.rows, image_of_caption, folds);
  if (cut.size() == 1) return recall_by(score, images, captions, image_of_caption);  // as they lie
  std::vector<LanguageRecall> parts;
  for (const Fold& fold : cut) {
    const std::size_t size = fold.end - fold.begin;
    const std::vector<float> theirs = picked_rows(captions, fold.captions);
    parts.push_back(recall_by(
        score,
        {images.values.subspan(fold.begin * images.dim, size * images.dim), size, images.dim},
        {theirs, fold.captions.size(), captions.dim}, fold.owners));
  }
  return mean_of(parts);
}

}  // namespace hinny
