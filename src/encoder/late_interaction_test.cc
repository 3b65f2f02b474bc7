#include "encoder/late_interaction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <span>

#include "base/random.h"

namespace hinny {
namespace {

constexpr std::size_t kDim = 5, kEach = 3, kPictures = 4;
constexpr LateInteraction kLate{7};

std::vector<float> random_rows(std::size_t count, std::uint64_t seed, bool unit) {
  Random random(seed);
  std::vector<float> rows(count * kDim);
  for (float& number : rows) number = static_cast<float>(random.normal());
  for (std::size_t row = 0; unit && row < count; ++row) {
    const auto numbers = std::span(rows).subspan(row * kDim, kDim);
    const float length =
        std::sqrt(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0F));
    for (float& number : numbers) number /= length;
  }
  return rows;
}

class LateInteractionTest : public testing::Test {
 protected:
  double product(std::size_t word, std::size_t region) const {
    return std::inner_product(words.begin() + static_cast<std::ptrdiff_t>(word * kDim),
                              words.begin() + static_cast<std::ptrdiff_t>((word + 1) * kDim),
                              regions.begin() + static_cast<std::ptrdiff_t>(region * kDim), 0.0);
  }
  double length(std::size_t word) const {
    double squares = 0;
    for (std::size_t i = 0; i < kDim; ++i) squares += std::pow(words[word * kDim + i], 2);
    return std::sqrt(squares);
  }

  const std::vector<float> words = random_rows(2, 1, false);
  const std::vector<float> regions = random_rows(kPictures * kEach, 2, true);
};

// The formula of nn/late_interaction.h, number by number.
TEST_F(LateInteractionTest, ScoresAreTheFormula) {
  const auto scores = late_scores(kLate, words, regions, kDim, kEach);
  ASSERT_EQ(scores.size(), kPictures);
  for (std::size_t picture = 0; picture < kPictures; ++picture) {
    double sum = 0, squares = 0;
    for (std::size_t word = 0; word < 2; ++word) {
      double mean = 0;
      for (std::size_t r = 0; r < kEach; ++r) {
        mean += std::exp(7 * product(word, picture * kEach + r) / length(word)) / kEach;
      }
      sum += length(word) * std::log(mean) / 7;
      squares += length(word) * length(word);
    }
    EXPECT_NEAR(scores[picture], sum / std::sqrt(squares), 1e-5);
  }
}

TEST_F(LateInteractionTest, SharesAddUpToOneAndFollowTheCosines) {
  const auto picture = std::span(regions).first(kEach * kDim);
  const auto shares = late_shares(kLate, words, picture, kDim);
  ASSERT_EQ(shares.size(), 2 * kEach);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-5);
  for (std::size_t word = 0; word < 2; ++word) {
    double own = 0;
    for (std::size_t r = 0; r < kEach; ++r) own += shares[word * kEach + r];
    EXPECT_NEAR(own, length(word) / (length(0) + length(1)), 1e-5);
    EXPECT_NEAR(shares[word * kEach] / shares[word * kEach + 1],
                std::exp(7 * (product(word, 0) - product(word, 1)) / length(word)), 1e-3);
  }
}

TEST_F(LateInteractionTest, PenaltiesAreThoseOfTheRememberedCaptionsScores) {
  HubBank bank{kDim, 0.1, 0.7, {}};
  HubBank::Space& space = bank.spaces["image"];
  space.captions = random_rows(6, 3, false);
  space.lengths = {2, 1, 3};
  const auto penalties = late_penalties(bank, space, kLate, regions, kEach);
  ASSERT_EQ(penalties.size(), kPictures);
  const auto remembered = std::span(space.captions);
  for (std::size_t picture = 0; picture < kPictures; ++picture) {
    const auto own = std::span(regions).subspan(picture * kEach * kDim, kEach * kDim);
    std::vector<float> scores;
    for (const auto& [first, count] : {std::pair{0, 2}, {2, 1}, {3, 3}}) {
      const auto caption = remembered.subspan(static_cast<std::size_t>(first) * kDim,
                                              static_cast<std::size_t>(count) * kDim);
      scores.push_back(late_scores(kLate, caption, own, kDim, kEach).front());
    }
    EXPECT_EQ(penalties[picture], hub_penalty(bank, scores));
  }
}

TEST_F(LateInteractionTest, AWordOfNoLengthIsNoNumberLess) {
  const std::vector<float> nothing(kDim);
  for (const float score : late_scores(kLate, nothing, regions, kDim, kEach)) {
    EXPECT_TRUE(std::isfinite(score) || score == 0) << score;
  }
}

}  // namespace
}  // namespace hinny
