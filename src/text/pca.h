// Principal components of word vectors: fewer numbers a word, most of the variance kept.
#pragma once

#include <span>
#include <vector>

#include "text/word_vectors.h"

namespace hinny {

// x -> components * (x - mean). Components are orthonormal rows in the order of falling
// variance; the largest number of each is positive, so that equal input gives equal signs.
struct Pca {
  std::vector<double> mean;        // [dim]
  std::vector<double> components;  // [kept, dim]
  std::vector<double> variance;    // [kept]
  double total_variance = 0.0;     // of all dimensions

  std::size_t dim() const { return mean.size(); }
  std::size_t kept() const { return variance.size(); }
  // The share of the variance that the kept components hold; 1 when there is none at all.
  double explained_variance_ratio() const;
};

// Fits on `rows` [words, dim]. InputError for fewer than two words, or `kept` not in 1 to dim.
Pca fit_pca(std::span<const float> rows, std::size_t dim, std::size_t kept);

// The same projection with equal spread in each direction, but for those that no row differs in;
// what was fitted on then has a length of 1 in the mean square.
Pca whitening(Pca pca);

// The same words in pca.kept() dimensions. `vectors` has pca.dim().
WordVectors reduce(const WordVectors& vectors, const Pca& pca);

// What tells the words apart: whitening() of their vectors at unit length, all directions kept.
// Vectors learnt from few captions share most of their length. InputError for fewer than two words.
WordVectors whitened(const WordVectors& vectors);

}  // namespace hinny
