#include "data/direction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace hinny {
namespace {

using testing::ElementsAre;

TEST(Direction, IsNamedByAnyCodesOfItsLanguages) {
  const std::vector<std::string> languages = {"en", "zh-Hans", "de"};
  for (const char* name : {"en-zh-Hans", "eng_Latn-zho_Hans", "EN-zh", "en-US-zh-CN"}) {
    EXPECT_THAT(directions_of({name}, languages), ElementsAre(Direction{"en", "zh-Hans"})) << name;
  }
  for (const char* name : {"en", "en-fr", "en-eng", "-", "zh-"}) {
    EXPECT_THROW(directions_of({name}, languages), InputError) << name;
  }
  const std::vector<Direction> all = directions_of({}, languages);
  EXPECT_EQ(find_direction(all, "eng", "deu_Latn").name(), "en-de");
  EXPECT_THROW(find_direction(all, "en", "EN"), InputError);
  EXPECT_THROW(find_direction(all, "en", "fr"), InputError);
}

}  // namespace
}  // namespace hinny
