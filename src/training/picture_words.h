// Word vectors from the pictures that words are said of.
#pragma once

#include <cstdint>
#include <vector>

#include "text/word_vectors.h"

namespace hinny {

struct Experiment;

// For each of the dataset's languages the words of its captions of `images`, `dim` numbers each:
// what the pictures behind those captions have more or less of than the average picture, in the
// directions in which pictures differ most (zeros where there are fewer), with two average pictures
// added to each word. So a word starts near what it is said of, and near its translations. Shows
// progress. The same for one thread count.
std::vector<WordVectors> picture_words(const Experiment& experiment, const std::vector<int>& images,
                                       std::int64_t dim);

}  // namespace hinny
