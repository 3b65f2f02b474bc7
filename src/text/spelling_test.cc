#include "text/spelling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace hinny {
namespace {

TEST(Spelling, AWordIsItsFirstCharacters) {
  Vocabulary words;
  words.add("aña", 3);
  words.add("狗a", 2);
  const Vocabulary characters = character_vocabulary(words);
  EXPECT_EQ(characters.size(), kFirstWord + 3);
  EXPECT_EQ(characters.count(characters.id("a")), 8);  // 3 + 3 + 2
  std::array<std::int32_t, 4> ids{};
  EXPECT_EQ(spell("ñxa", characters, ids), 2U);
  EXPECT_THAT(ids, testing::ElementsAre(characters.id("ñ"), kUnknown, characters.id("a"), kPad));
  EXPECT_EQ(spell("狗aaaaa", characters, ids), 4U);
  EXPECT_THAT(ids, testing::ElementsAre(characters.id("狗"), characters.id("a"), characters.id("a"),
                                        characters.id("a")));
}

}  // namespace
}  // namespace hinny
