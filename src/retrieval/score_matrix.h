// Scores of every image with every caption, for systems that are more than a dot product.
#pragma once

#include <vector>

#include "retrieval/recall.h"
#include "retrieval/vector_rows.h"

namespace hinny {

struct ScoreMatrix {
  std::size_t images = 0, captions = 0;
  std::vector<float> values;  // [images, captions], C order; larger is better
};

// -|max(0, caption - image)|^2 of each pair. Throws InputError for more than 2^30 scores (4 GB).
ScoreMatrix order_scores(const VectorRows& images, const VectorRows& captions);

// Recall at K as measure_recall has it (retrieval/recall.h), of any scores: equal scores tie, and a
// tied wrong item ranks above the right one; NaN is a miss.
LanguageRecall measure_recall(const ScoreMatrix& scores, std::span<const int> image_of_caption);

}  // namespace hinny
