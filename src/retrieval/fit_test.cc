#include "retrieval/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace hinny {
namespace {

TEST(Fit, IsLogisticAndHasItsScore) {
  const Fit fit{4, -1};
  EXPECT_NEAR(fit.of(0.25), 0.5, 1e-12);
  EXPECT_GT(fit.of(0.3), fit.of(0.2));
  for (const double chance : {0.01, 0.5, 0.93}) {
    EXPECT_NEAR(fit.of(fit.score_of(chance)), chance, 1e-12);
  }
}

// By hand: scores with what is remembered are 0.1, 0.2, ..., 6.0.
TEST(Fit, ComparesWithTheFewAndTheManyThatAreKnown) {
  std::vector<float> remembered;
  for (int i = 1; i <= 60; ++i) remembered.push_back(static_cast<float>(i) / 10);
  const std::vector<float> question = {1};
  const double known = known_score(remembered, question);
  EXPECT_NEAR(known, (2 * 5.8 + 3.55) / 3, 1e-6);  // means of 5.6 to 6.0, and of 1.1 to 6.0
  const FitCurve curve{2, 1, 0.5};
  const double x = 2 * (5.0 - known) + 5.0 + 0.5;
  EXPECT_NEAR(curve.of(known).of(5.0), 1 / (1 + std::exp(-x)), 1e-12);
  // Where fewer are known than that, they are all of them.
  EXPECT_NEAR(known_score(std::span(remembered).first(2), question), 0.15, 1e-6);
}

std::vector<JudgedScore> drawn_from(const FitCurve& curve, std::size_t count) {
  Random random(3);
  std::vector<JudgedScore> judged(count);
  for (JudgedScore& one : judged) {
    one.known = random.normal() * 0.3;
    one.score = random.normal();
    one.belongs = random.uniform() < curve.of(one.known).of(one.score);
  }
  return judged;
}

TEST(Fit, TheLikeliestCurveIsThatOfWhichTheJudgementsWereDrawn) {
  const FitCurve curve{3, 1.5, -0.7};
  const auto learnt = learn_curve(drawn_from(curve, 40'000));
  ASSERT_TRUE(learnt);
  EXPECT_NEAR(learnt->known, curve.known, 0.2);
  EXPECT_NEAR(learnt->score, curve.score, 0.2);
  EXPECT_NEAR(learnt->offset, curve.offset, 0.1);
}

TEST(Fit, NothingIsLearntOfTooFewOrOfTheContrary) {
  EXPECT_FALSE(learn_curve({}));
  EXPECT_FALSE(learn_curve(drawn_from({3, 1.5, 0}, 90)));
  std::vector<JudgedScore> contrary = drawn_from({3, 1.5, 0}, 4000);
  for (JudgedScore& one : contrary) one.belongs = !one.belongs;
  EXPECT_FALSE(learn_curve(contrary));
  // Scores that part all: weights stay finite.
  std::vector<JudgedScore> parted = drawn_from({3, 1.5, 0}, 1000);
  for (JudgedScore& one : parted) one.belongs = one.score > one.known;
  const auto learnt = learn_curve(parted);
  ASSERT_TRUE(learnt);
  EXPECT_TRUE(std::isfinite(learnt->known + learnt->score + learnt->offset));
}

}  // namespace
}  // namespace hinny
