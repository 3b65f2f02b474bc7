#include "retrieval/ranker.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hinny {
namespace {

double product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

double length(std::span<const float> vector) { return std::sqrt(product(vector, vector)); }

}  // namespace

Ranker::Ranker(const VectorRows& candidates, std::span<const int> labels)
    : candidates_(candidates), labels_(labels) {
  for (std::size_t row = 0; row < candidates.rows; ++row) {
    longest_ = std::max(longest_, length(candidate(row)));
  }
}

std::span<const float> Ranker::candidate(std::size_t row) const {
  return candidates_.values.subspan(row * candidates_.dim, candidates_.dim);
}

std::size_t Ranker::wrong_ahead(std::span<const float> query, const float* scores,
                                int label) const {
  float best = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    best = labels_[i] == label && scores[i] > best ? scores[i] : best;
  }
  if (best == -std::numeric_limits<float>::infinity()) return labels_.size() + kMiss;  // NaN
  // Each score is within dim * 2^-24 * |a| |b| of the exact one, in whatever order it is summed.
  const double rounding = static_cast<double>(std::numeric_limits<float>::epsilon()) *
                          static_cast<double>(query.size()) * length(query) * longest_;
  const float low = best - static_cast<float>(rounding);
  const float high = best + static_cast<float>(rounding);
  unsigned above = 0, reaching = 0;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const auto wrong = static_cast<unsigned>(labels_[i] != label);
    above += wrong & static_cast<unsigned>(!(scores[i] <= high));
    reaching += wrong & static_cast<unsigned>(!(scores[i] < low));
  }
  if (reaching == above || above >= kMiss) return above;
  return above + close_ahead(query, scores, label, low, high, kMiss - above);
}

// Of the wrong candidates from `low` to `high`, those that are ahead; stops at `most`.
std::size_t Ranker::close_ahead(std::span<const float> query, const float* scores, int label,
                                float low, float high, std::size_t most) const {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i] == label && scores[i] >= low)
      best = std::max(best, product(query, candidate(i)));
  }
  std::size_t ahead = 0;
  for (std::size_t i = 0; i < labels_.size() && ahead < most; ++i) {
    if (labels_[i] == label || !(scores[i] >= low && scores[i] <= high)) continue;
    ahead += product(query, candidate(i)) < best ? 0 : 1;
  }
  return ahead;
}

}  // namespace hinny
