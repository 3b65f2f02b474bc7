// Losses written out a number at a time, to check against what systems compute. Nothing here calls
// the library's losses.
#pragma once

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace hinny {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

// Vectors of captions, or of images, and the image that each belongs to.
struct Items {
  Rows vectors;
  std::vector<int> images;
};

// What an anchor's loss is.
struct LossByHand {
  double temperature = 0;  // above 0: cross-entropy; 0: hinges, of which the rest speaks
  double margin = 0.3;
  std::size_t hardest = std::numeric_limits<std::size_t>::max();  // so many negatives count
  bool sum = false;                                               // over anchors; else the mean
  std::string distance = "cosine";
  double text_to_image = 1, image_to_text = 1;
};

inline Rows numbers(const torch::Tensor& matrix) {
  const torch::Tensor plain = matrix.detach().to(at::kDouble).contiguous();
  const auto* number = plain.data_ptr<double>();
  Rows rows;
  for (std::int64_t i = 0; i < plain.size(0); ++i, number += plain.size(1)) {
    rows.emplace_back(number, number + plain.size(1));
  }
  return rows;
}

inline Row unit(Row row) {
  double squares = 0;
  for (const double x : row) squares += x * x;
  for (double& x : row) x /= std::sqrt(squares);
  return row;
}

inline double similarity_by_hand(const Row& a, const Row& b, const std::string& distance) {
  double dot = 0, above = 0, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    dot += a[i] * b[i];
    apart += (a[i] - b[i]) * (a[i] - b[i]);
    above += std::pow(std::max(0.0, a[i] - b[i]), 2);
  }
  if (distance == "order") return -above;
  return distance == "euclidean" ? -std::sqrt(apart + 1e-4) : dot;
}

inline double anchor_loss(const LossByHand& loss, double positive, std::vector<double> negatives) {
  double sum = 0;
  if (loss.temperature > 0) {
    for (const double s : negatives) sum += std::exp((s - positive) / loss.temperature);
    return std::log1p(sum);
  }
  std::ranges::sort(negatives, std::greater<>());
  for (std::size_t i = 0; i < std::min(loss.hardest, negatives.size()); ++i) {
    sum += std::max(0.0, loss.margin - positive + negatives[i]);
  }
  return sum;
}

// scores[caption][image]: every caption against the images, and each caption's image against the
// other images' captions.
inline double ranking_of_scores(const LossByHand& loss, const Rows& scores,
                                const std::vector<int>& images) {
  double total = 0;
  for (std::size_t c = 0; c < scores.size(); ++c) {
    const auto own = static_cast<std::size_t>(images[c]);
    std::vector<double> other_images, other_captions;
    for (std::size_t i = 0; i < scores[c].size(); ++i) {
      if (i != own) other_images.push_back(scores[c][i]);
    }
    for (std::size_t d = 0; d < scores.size(); ++d) {
      if (images[d] != images[c]) other_captions.push_back(scores[d][own]);
    }
    total += loss.text_to_image * anchor_loss(loss, scores[c][own], other_images) +
             loss.image_to_text * anchor_loss(loss, scores[c][own], other_captions);
  }
  const bool sum = loss.sum && loss.temperature == 0;
  return sum ? total : total / static_cast<double>(scores.size());
}

inline Rows scores_by_hand(const LossByHand& loss, const Rows& a, const Rows& b) {
  // Cross-entropy of unit vectors knows no Euclidean distance.
  const bool cosine = loss.temperature > 0 && loss.distance == "euclidean";
  Rows scores;
  for (const Row& x : a) {
    Row& row = scores.emplace_back();
    for (const Row& y : b) {
      row.push_back(similarity_by_hand(x, y, cosine ? "cosine" : loss.distance));
    }
  }
  return scores;
}

inline double ranking_by_hand(const LossByHand& loss, const Items& captions, const Rows& images) {
  return ranking_of_scores(loss, scores_by_hand(loss, captions.vectors, images), captions.images);
}

// Each anchor against the candidates of its image (by hinges the farthest one, by cross-entropy
// each) and of others; `among_themselves`: the two are one list, where no one is its own positive.
inline double near_by_hand(const LossByHand& loss, const Items& anchors, const Items& candidates,
                           bool among_themselves) {
  const Rows scores = scores_by_hand(loss, anchors.vectors, candidates.vectors);
  double total = 0;
  int count = 0;
  for (std::size_t a = 0; a < scores.size(); ++a) {
    std::vector<double> positives, negatives;
    for (std::size_t c = 0; c < scores[a].size(); ++c) {
      if (anchors.images[a] != candidates.images[c]) {
        negatives.push_back(scores[a][c]);
      } else if (!among_themselves || a != c) {
        positives.push_back(scores[a][c]);
      }
    }
    if (positives.empty()) continue;
    if (loss.temperature == 0) positives = {*std::ranges::min_element(positives)};
    for (const double positive : positives) {
      total += anchor_loss(loss, positive, negatives);
      ++count;
    }
  }
  return loss.sum && loss.temperature == 0 ? total : total / count;
}

inline double near_by_hand(const LossByHand& loss, const Items& captions) {
  return near_by_hand(loss, captions, captions, true);
}

// Several lists as one.
inline Items together(const std::vector<Items>& lists) {
  Items all;
  for (const Items& one : lists) {
    all.vectors.insert(all.vectors.end(), one.vectors.begin(), one.vectors.end());
    all.images.insert(all.images.end(), one.images.begin(), one.images.end());
  }
  return all;
}

}  // namespace hinny
