#include "kernels/token_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/threads.h"

namespace hinny {
namespace {

TEST(AddByWord, AddsTheColumnsAskedForToEachWordsSum) {
  set_thread_count(2);
  const std::vector<float> rows = {1, 2, 3, 4, 5, 6, 7, 8, 9};  // three tokens of three columns
  const std::vector<std::int32_t> words = {1, 0, 1};
  std::vector<float> sums = {100, 0, 0, 0};
  add_by_word<float>({rows.data(), 3, 1, 2}, words, sums.data(), 2);
  EXPECT_THAT(sums, testing::ElementsAre(105, 6, 2 + 8, 3 + 9));
}

TEST(AddByWord, EqualOnAnyNumberOfThreads) {
  constexpr std::int64_t kColumns = 700;
  std::vector<float> rows(20 * kColumns);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = 1.0F / static_cast<float>(i + 1);
  std::vector<std::int32_t> words;
  words.reserve(20);
  for (int t = 0; t < 20; ++t) words.push_back(t % 3);
  const auto sums = [&](int threads) {
    set_thread_count(threads);
    std::vector<float> result(3 * kColumns);
    add_by_word<float>({rows.data(), kColumns, 0, kColumns}, words, result.data(), kColumns);
    return result;
  };
  EXPECT_EQ(sums(1), sums(3));
}

}  // namespace
}  // namespace hinny
