#include "translation/chunks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/random.h"

namespace hinny {
namespace {

using Words = std::vector<std::size_t>;

void expect_aligned(const Words& hypothesis, const Words& reference, std::int64_t matches,
                    std::int64_t chunks) {
  const Alignment found = align(hypothesis, reference);
  EXPECT_EQ(found.matches, matches);
  EXPECT_EQ(found.chunks, chunks);
}

TEST(Chunks, AreRunsInBothSentences) {
  expect_aligned({}, {}, 0, 0);
  expect_aligned({1}, {2}, 0, 0);
  expect_aligned({1, 2, 3}, {1, 2, 3}, 3, 1);
  expect_aligned({1, 2, 3}, {3, 2, 1}, 3, 3);
  expect_aligned({1, 2, 9, 3}, {1, 2, 3}, 3, 2);
  expect_aligned({1, 2, 3}, {1, 2, 9, 3}, 3, 2);
}

TEST(Chunks, ARepeatedWordGoesWhereItsNeighboursAre) {
  expect_aligned({1, 5, 2, 1, 6}, {1, 6, 2, 1, 5}, 5, 3);
  // The second 1 of the hypothesis is the one to match; one of them must not.
  expect_aligned({1, 9, 1, 7}, {8, 1, 7}, 2, 1);
  expect_aligned({1, 2}, {1, 3, 1, 2}, 2, 1);
}

// Tries every alignment with the most matches.
std::int64_t fewest(const Words& hypothesis, const Words& reference, std::size_t at,
                    std::vector<bool>& used, std::size_t last, std::int64_t missing) {
  if (at == hypothesis.size()) return missing == 0 ? 0 : std::numeric_limits<std::int64_t>::max();
  std::int64_t best = fewest(hypothesis, reference, at + 1, used, reference.size() + 1, missing);
  for (std::size_t place = 0; place < reference.size(); ++place) {
    if (used[place] || reference[place] != hypothesis[at]) continue;
    used[place] = true;
    const auto rest = fewest(hypothesis, reference, at + 1, used, place, missing - 1);
    used[place] = false;
    if (rest == std::numeric_limits<std::int64_t>::max()) continue;
    best = std::min(best, rest + (place == last + 1 ? 0 : 1));
  }
  return best;
}

TEST(Chunks, AreTheFewest) {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    Words hypothesis(7);
    Words reference(8);
    for (auto& word : hypothesis) word = random.below(4);
    for (auto& word : reference) word = random.below(4);
    const Alignment found = align(hypothesis, reference);
    std::vector<bool> used(reference.size());
    EXPECT_EQ(found.chunks,
              fewest(hypothesis, reference, 0, used, reference.size() + 1, found.matches));
  }
}

TEST(Chunks, OfALongLineAreFoundInTime) {
  Words line;
  for (std::size_t i = 0; i < 500; ++i) line.push_back(i % 50);
  expect_aligned(line, line, 500, 1);
}

}  // namespace
}  // namespace hinny
