#include "retrieval/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "retrieval/dot_products.h"

namespace hinny {
namespace {

constexpr std::size_t kLeastJudged = 100, kLeastBelonging = 20;
constexpr int kMostSteps = 50;
constexpr double kRidge = 1e-3;      // keeps weights finite where scores part all
constexpr double kSmallStep = 1e-9;  // of all weights together
constexpr std::size_t kWeights = 3;

using Weights = std::array<double, kWeights>;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

Weights inputs_of(const JudgedScore& judged) {
  return {judged.score - judged.known, judged.score, 1};
}

// x of a x = b, for a symmetric, positive a, by Gauss.
Weights solve(std::array<Weights, kWeights> a, Weights b) {
  for (std::size_t i = 0; i < kWeights; ++i) {
    for (std::size_t row = i + 1; row < kWeights; ++row) {
      const double times = a[row][i] / a[i][i];
      for (std::size_t column = i; column < kWeights; ++column) {
        a[row][column] -= times * a[i][column];
      }
      b[row] -= times * b[i];
    }
  }
  for (std::size_t i = kWeights; i-- > 0;) {
    for (std::size_t column = i + 1; column < kWeights; ++column) b[i] -= a[i][column] * b[column];
    b[i] /= a[i][i];
  }
  return b;
}

// Newton's step from these weights to the likeliest.
Weights step_from(const Weights& weights, std::span<const JudgedScore> judged) {
  std::array<Weights, kWeights> curvature{};
  Weights slope{};
  for (std::size_t i = 0; i < kWeights; ++i) {
    curvature[i][i] = kRidge;
    slope[i] = kRidge * weights[i];
  }
  for (const JudgedScore& one : judged) {
    const Weights x = inputs_of(one);
    const double p = logistic(weights[0] * x[0] + weights[1] * x[1] + weights[2]);
    const double wrong = p - (one.belongs ? 1.0 : 0.0);
    for (std::size_t i = 0; i < kWeights; ++i) {
      slope[i] += wrong * x[i];
      for (std::size_t j = 0; j < kWeights; ++j) curvature[i][j] += p * (1 - p) * x[i] * x[j];
    }
  }
  return solve(curvature, slope);
}

double mean_of_best(std::span<const float> descending, std::size_t count) {
  count = std::min(count, descending.size());
  double sum = 0;
  for (const float score : descending.first(count)) sum += static_cast<double>(score);
  return sum / static_cast<double>(count);
}

}  // namespace

double Fit::of(double score) const { return logistic(slope * score + offset); }

double Fit::score_of(double fit) const { return (std::log(fit / (1 - fit)) - offset) / slope; }

double known_score(std::span<const float> remembered, std::span<const float> question) {
  std::vector<float> scores(remembered.size() / question.size());
  dot_products_alone(question.data(), 1, remembered.data(), scores.size(), question.size(),
                     scores.data());
  return known_score_of(std::move(scores));
}

double known_score_of(std::vector<float> scores) {
  const std::size_t most = std::min(kManyKnown, scores.size());
  std::ranges::partial_sort(scores, scores.begin() + static_cast<std::ptrdiff_t>(most),
                            std::greater());
  return (2 * mean_of_best(scores, kFewKnown) + mean_of_best(scores, kManyKnown)) / 3;
}

Fit FitCurve::of(double known_score) const { return {known + score, offset - known * known_score}; }

std::optional<FitCurve> learn_curve(std::span<const JudgedScore> judged) {
  const auto belonging =
      static_cast<std::size_t>(std::ranges::count(judged, true, &JudgedScore::belongs));
  if (judged.size() < kLeastJudged || belonging < kLeastBelonging) return std::nullopt;
  Weights weights{};
  for (int i = 0; i < kMostSteps; ++i) {
    const Weights step = step_from(weights, judged);
    double size = 0;
    for (std::size_t k = 0; k < kWeights; ++k) {
      weights[k] -= step[k];
      size += std::abs(step[k]);
    }
    if (size < kSmallStep) break;
  }
  if (!(weights[0] + weights[1] > 0) || !std::isfinite(weights[2])) return std::nullopt;
  return FitCurve{weights[0], weights[1], weights[2]};
}

}  // namespace hinny
