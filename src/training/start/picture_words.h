// What training can start from: the principal directions of the pictures, and words as the mean of
// the pictures whose captions contain them.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "text/word_vectors.h"
#include "training/experiment/prepared_data.h"

namespace hinny {

// The directions in which the features of pictures differ most.
struct PictureDirections {
  torch::Tensor mean;        // [numbers], of all pictures
  torch::Tensor directions;  // [numbers, n], orthonormal columns, the widest first
  torch::Tensor spread;      // [n], the standard deviation along each
};

// Of the features of `images`, transformed as `data` says; of regions, their means. At
// most `most` directions, and as many as there are. The same for one thread count. Throws
// InputError for fewer than two images.
PictureDirections picture_directions(const PreparedData& data, const std::vector<int>& images,
                                     std::int64_t most);

// For each of the dataset's languages the words of its captions of `images`, `dim` numbers each:
// what the pictures behind those captions have more or less of than the average picture, along
// `main` (zeros where there are fewer directions), with two average pictures added to each word.
// So a word starts near what it is said of, and near its translations. Words that captions seldom
// say, or never, also start from the lines of parallel text that say them, by what the other words
// of those show. Shows progress.
std::vector<WordVectors> picture_words(const PreparedData& data, const std::vector<int>& images,
                                       const PictureDirections& main, std::int64_t dim);

}  // namespace hinny
