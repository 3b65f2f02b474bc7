#include "tokenizer/prefix_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace hinny {
namespace {

using Strings = std::vector<std::pair<std::string, std::int32_t>>;

std::span<const std::byte> bytes_of(const std::vector<std::uint32_t>& units) {
  return std::as_bytes(std::span(units));
}

TEST(PrefixTree, FindsEveryStringAndNoOther) {
  Random random(1);
  std::map<std::string, std::int32_t> strings;
  while (strings.size() < 30'000) {  // enough for several blocks, and for some to be closed
    std::string text(1 + random.below(9), '\0');
    for (char& byte : text)
      byte = static_cast<char>(1 + random.below(random.below(4) == 0 ? 255 : 5));
    strings.emplace(std::move(text), static_cast<std::int32_t>(strings.size()));
  }
  const auto units = prefix_tree_units(Strings(strings.begin(), strings.end()));
  const PrefixTree tree(bytes_of(units));
  for (const auto& [text, value] : strings) ASSERT_EQ(tree.find(text), value);
  for (int i = 0; i < 30'000; ++i) {
    std::string text(1 + random.below(7), '\0');
    for (char& byte : text) byte = static_cast<char>(1 + random.below(8));
    const auto found = strings.find(text);
    ASSERT_EQ(tree.find(text).has_value(), found != strings.end());
    std::size_t longest = 0;
    for (std::size_t size = 1; size <= text.size(); ++size) {
      if (strings.contains(text.substr(0, size))) longest = size;
    }
    ASSERT_EQ(tree.longest(text).bytes, longest);
  }
}

TEST(PrefixTree, StartsOfATextComeShortestFirst) {
  const auto units = prefix_tree_units({{"a", 7}, {"abc", 8}, {"abd", 9}, {"b", 10}});
  std::vector<std::pair<int, int>> found;
  PrefixTree(bytes_of(units)).prefixes("abcd", [&](int value, std::size_t bytes) {
    found.emplace_back(value, bytes);
  });
  EXPECT_THAT(found, testing::ElementsAre(std::pair(7, 1), std::pair(8, 3)));
}

TEST(PrefixTree, NothingIsInAnEmptyOne) {
  EXPECT_FALSE(PrefixTree().find("a"));
  EXPECT_FALSE(PrefixTree().find(""));
  const auto units = prefix_tree_units({});
  EXPECT_FALSE(PrefixTree(bytes_of(units)).find("a"));
}

TEST(PrefixTree, AnyUnitsEndAWalk) {
  Random random(2);
  std::vector<std::uint32_t> units(1000);
  for (std::uint32_t& unit : units) unit = static_cast<std::uint32_t>(random.below(UINT32_MAX));
  const PrefixTree tree(bytes_of(units).subspan(1));
  for (int i = 0; i < 10'000; ++i) {
    std::string text(20, '\0');
    for (char& byte : text) byte = static_cast<char>(random.below(256));
    EXPECT_LE(tree.longest(text).bytes, text.size());
  }
}

TEST(PrefixTree, StringsThatAreNotSortedAreRefused) {
  EXPECT_THROW(prefix_tree_units({{"b", 0}, {"a", 1}}), std::invalid_argument);
}

}  // namespace
}  // namespace hinny
