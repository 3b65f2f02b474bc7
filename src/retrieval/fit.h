// Whether what was found belongs to its question at all. Scores of two questions, languages or
// models mean different things; a fit is the chance, between 0 and 1, that a picture belongs.
//
// Of a model that remembers training pictures (retrieval/hubs.h) a score is compared with what the
// same question scores with the nearest of those: a question about dogs is measured by the dogs
// that it was trained on; and it counts by itself, since of what the model has hardly seen nothing
// is near. The chance is logistic in both (after Platt 1999), with weights that validation captions
// teach (encoder/learn_fit.h).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

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

// What a question scores with the pictures that are remembered: of the means of its kFewKnown and
// its kManyKnown best (or of all, where there are fewer) two thirds of the first and a third of the
// second. `remembered` [any number, dim], not empty; `question` of dim numbers.
double known_score(std::span<const float> remembered, std::span<const float> question);
double known_score_of(std::vector<float> scores);  // with each of them

// Weights of score - known score and of the score, and what is added. These are what a model has
// that was trained before there were any: measured on flickr8k (docs/fit.md).
struct FitCurve {
  double known = 3;
  double score = 6.6;
  double offset = -3.9;
  Fit of(double known_score) const;
  bool operator==(const FitCurve&) const = default;
};

// A result of a question whose right answers are known.
struct JudgedScore {
  double known = 0;
  double score = 0;
  bool belongs = false;
};

// The likeliest curve. Nothing where they are too few, or say that a higher score fits less.
std::optional<FitCurve> learn_curve(std::span<const JudgedScore> judged);

}  // namespace hinny
