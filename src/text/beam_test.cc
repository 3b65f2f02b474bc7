#include "text/beam.h"

#include <gtest/gtest.h>

#include <limits>

#include "text/vocabulary.h"

namespace hinny {
namespace {

constexpr std::int64_t kVocabulary = 10;

// One step: continuations of rows as {row, word, score}.
struct Step {
  std::vector<double> scores;
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> attended = {0, 1, 2};
  void add(std::int64_t row, std::int64_t word, double score) {
    places.push_back(row * kVocabulary + word);
    scores.push_back(score);
  }
  Beam::Candidates candidates() const {
    return {scores.data(), places.data(), attended.data(),
            static_cast<std::int64_t>(places.size())};
  }
};

TEST(Beam, KeepsTheBestBeginningsAndRanksWhatEnded) {
  SearchOptions options;
  options.beam = 2;
  options.best = 2;
  options.length_power = 1;
  Beam beam(options);
  Step first;
  first.add(0, 7, -1);
  first.add(0, 8, -2);
  first.add(0, kEnd, -5);  // beyond the beam: it does not end there
  auto kept = beam.step(first.candidates(), kVocabulary, false);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[1].word, 8);
  Step second;
  second.add(1, kEnd, -2.2);  // -1.1 a word
  second.add(0, 9, -2.4);
  second.add(0, 5, -4);
  kept = beam.step(second.candidates(), kVocabulary, false);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].row, 0);
  Step third;
  third.add(0, kEnd, -2.7);  // -0.9 a word: the longer one wins
  kept = beam.step(third.candidates(), kVocabulary, false);
  EXPECT_TRUE(kept.empty());
  const auto found = beam.take();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].ids, (std::vector<std::int32_t>{7, 9, kEnd}));
  EXPECT_NEAR(found[0].score, -0.9, 1e-12);
  EXPECT_EQ(found[1].ids, (std::vector<std::int32_t>{8, kEnd}));
  EXPECT_EQ(found[1].attended, (std::vector<std::int32_t>{0, 1}));
}

TEST(Beam, NothingIsNoTranslation) {
  SearchOptions options;
  options.beam = 1;
  Beam beam(options);
  Step first;
  first.add(0, kEnd, -0.1);
  first.add(0, 7, -3);
  const auto kept = beam.step(first.candidates(), kVocabulary, false);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].word, 7);
  Step second;
  second.add(0, kEnd, -3.1);
  EXPECT_TRUE(beam.step(second.candidates(), kVocabulary, false).empty());
  EXPECT_EQ(beam.take().front().ids, (std::vector<std::int32_t>{7, kEnd}));
}

TEST(Beam, WhatGrowsTooLongIsGivenAsItIs) {
  SearchOptions options;
  options.beam = 1;
  Beam beam(options);
  Step step;
  step.add(0, 7, -1);
  step.add(0, kEnd, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(beam.step(step.candidates(), kVocabulary, false).size(), 1U);
  EXPECT_TRUE(beam.step(step.candidates(), kVocabulary, true).empty());
  const auto found = beam.take();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].ids, (std::vector<std::int32_t>{7, 7}));
}

}  // namespace
}  // namespace hinny
