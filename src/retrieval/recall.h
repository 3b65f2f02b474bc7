// Recall at K in both directions, the field's protocol.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "retrieval/score.h"
#include "retrieval/vector_rows.h"

namespace hinny {

// Percentages.
struct Recall {
  double r1 = 0, r5 = 0, r10 = 0;
};

struct LanguageRecall {
  std::string language;
  bool human = true;  // counts towards the human average
  std::size_t captions = 0;
  Recall image_to_text;
  Recall text_to_image;
  double mean() const;  // mR: mean of the six
};

// Scores every image against every caption by dot product in blocks: memory stays below 64 MB
// beyond the inputs, whatever their size. `image_of_caption[c]` is the row of the caption's image.
//   image -> text: a hit when ANY caption of the image is in the top K;
//   text -> image: every caption is a query.
// Ties do not help: a wrong item with the same score ranks above the right one, and equal vectors
// have the same score (retrieval/ranker.h). A NaN score ranks as a miss. Images without a caption
// are no queries but remain candidates.
LanguageRecall measure_recall(const VectorRows& images, const VectorRows& captions,
                              std::span<const int> image_of_caption);

// The mean over `folds` equal consecutive folds of the images, each with its captions (COCO's
// five folds of 1,000).
LanguageRecall measure_recall_in_folds(const VectorRows& images, const VectorRows& captions,
                                       std::span<const int> image_of_caption, int folds,
                                       Score score = Score::dot);

// All languages of one split, and the two averages over languages.
struct RecallTable {
  std::string split;
  std::size_t images = 0;
  std::vector<LanguageRecall> languages;
  std::int64_t train_parameters = 0;
  std::int64_t search_parameters = 0;
  double average() const;        // A: mean of mR over languages
  double human_average() const;  // HA: the same over languages whose captions people wrote
};

// For the terminal, for docs (Markdown), for programs (the stable interface of `eval --json`).
std::string as_text(const RecallTable& table);
std::string as_markdown(const RecallTable& table);
std::string as_json(const RecallTable& table);

}  // namespace hinny
