#include "base/choice.h"

#include <gmock/gmock.h>

namespace hinny {
namespace {

enum class Fruit { apple, pear };

}  // namespace

template <>
struct Choices<Fruit> {
  static constexpr Choice<Fruit> all[] = {{Fruit::pear, "pear"}, {Fruit::apple, "crab-apple"}};
};

namespace {

TEST(Choice, NamesDoNotDependOnTheOrderOfValues) {
  EXPECT_EQ(name_of(Fruit::apple), "crab-apple");
  EXPECT_EQ(name_of(Fruit::pear), "pear");
  EXPECT_EQ(choice_of<Fruit>("pear"), Fruit::pear);
  EXPECT_EQ(choice_of<Fruit>("crab-apple"), Fruit::apple);
}

TEST(Choice, WhatIsNoNameIsNoValue) {
  EXPECT_EQ(choice_of<Fruit>("apple"), std::nullopt);
  EXPECT_EQ(choice_of<Fruit>(""), std::nullopt);
}

TEST(Choice, ListsNamesAsDeclared) {
  EXPECT_THAT(choice_names<Fruit>(), testing::ElementsAre("pear", "crab-apple"));
}

}  // namespace
}  // namespace hinny
