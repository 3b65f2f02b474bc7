// Whether what was found belongs to its question at all. Scores of two questions, languages or
// models mean different things; a fit is the chance, between 0 and 1, that a picture belongs.
//
// Of a model that remembers training pictures (retrieval/hubs.h) it compares a score with what the
// same question scores with the few and the many nearest of those: a question about dogs is
// measured by the dogs that it was trained on. The chance is logistic in these differences (after
// Platt 1999), whose weights validation captions teach (encoder/learn_fit.h).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace hinny {

constexpr std::size_t kFewKnown = 5, kManyKnown = 50;

// For one question: 1 / (1 + exp(-(slope x score + offset))).
struct Fit {
  double slope = 0;  // above 0
  double offset = 0;
  double of(double score) const;
  // The score that has this fit, between 0 and 1: lower ones fit less.
  double score_of(double fit) const;
  bool operator==(const Fit&) const = default;
};

// What a question scores with the pictures that are remembered: means of its kFewKnown and
// kManyKnown best, or of all where there are fewer.
struct KnownScores {
  double few = 0, many = 0;
};
// `remembered` [any number, dim], not empty; `question` of dim numbers.
KnownScores known_scores(std::span<const float> remembered, std::span<const float> question);

// Weights of score - few and of score - many, and what is added. These are what a model has that
// was trained before there were any: of three on flickr8k (docs/results.md).
struct FitCurve {
  double few = 7;
  double many = 2;
  double offset = 0.2;
  Fit of(const KnownScores& known) const;
  bool operator==(const FitCurve&) const = default;
};

// A result of a question whose right answers are known.
struct JudgedScore {
  KnownScores known;
  double score = 0;
  bool belongs = false;
};

// The likeliest curve. Nothing where they are too few, or say that a higher score fits less.
std::optional<FitCurve> learn_curve(std::span<const JudgedScore> judged);

}  // namespace hinny
