#include "kernels/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace hinny {
namespace {

using testing::ElementsAre;

TEST(Pack, LaysCaptionsOutByTimeLongestFirst) {
  const std::vector<std::int64_t> lengths = {2, 3, 1};
  const Packing packing = pack(lengths, 1);
  ASSERT_EQ(packing.shards.size(), 1U);
  EXPECT_THAT(packing.captions, ElementsAre(1, 0, 2));
  EXPECT_THAT(packing.shards[0].starts, ElementsAre(0, 3, 5, 6));
  EXPECT_THAT(packing.tokens, ElementsAre(2, 0, 5, 3, 1, 4));
}

TEST(Pack, BackwardsStartsAtEachLastWord) {
  const std::vector<std::int64_t> lengths = {2, 3, 1};
  EXPECT_THAT(pack(lengths, 1, true).tokens, ElementsAre(4, 1, 5, 3, 0, 2));
}

TEST(Pack, CaptionsWithoutWordsAndNoCaptionsAtAll) {
  const std::vector<std::int64_t> lengths = {0, 1};
  const Packing packing = pack(lengths, 1);
  EXPECT_THAT(packing.captions, ElementsAre(1, 0));
  EXPECT_THAT(packing.shards[0].starts, ElementsAre(0, 1));
  const Packing nothing = pack({}, 4);
  ASSERT_EQ(nothing.shards.size(), 1U);
  EXPECT_EQ(nothing.shards[0].steps(), 0);
  EXPECT_TRUE(nothing.tokens.empty());
}

TEST(Pack, ShardsShareTheWorkAndCoverEveryToken) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < 101; ++i) lengths.push_back(i * 7 % 13);
  const Packing packing = pack(lengths, 3);
  ASSERT_EQ(packing.shards.size(), 3U);
  std::vector<int> seen(packing.tokens.size(), 0);
  for (const std::int64_t token : packing.tokens) ++seen.at(static_cast<std::size_t>(token));
  EXPECT_THAT(seen, testing::Each(1));
  EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}),
            static_cast<std::int64_t>(packing.tokens.size()));
  for (const Packing::Shard& shard : packing.shards) {
    const std::int64_t tokens = shard.start(shard.steps()) - shard.start(0);
    EXPECT_NEAR(static_cast<double>(tokens), static_cast<double>(seen.size()) / 3, 13);
  }
}

}  // namespace
}  // namespace hinny
