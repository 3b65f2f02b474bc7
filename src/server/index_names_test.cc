#include "server/index_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

std::vector<std::string> names_of(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const NamedFolder& folder : named_folders(given)) names.push_back(folder.name);
  return names;
}

TEST(NamedFolders, AreCalledByTheirOwnNames) {
  using testing::ElementsAre;
  EXPECT_THAT(names_of({"mine", "/srv/holidays/", "../a/./b", "x y"}),
              ElementsAre("mine", "holidays", "b", "x y"));
  EXPECT_THAT(names_of({"a/mine", "b/mine", "c/mine"}), ElementsAre("mine", "mine-2", "mine-3"));
  EXPECT_THAT(names_of({"/"}), ElementsAre("index"));
  EXPECT_THAT(names_of({"caf\xE9"}), ElementsAre("caf\xEE\xBF\xA9"));  // U+EFE9
}

TEST(NamedFolders, AreCalledAsIsSaid) {
  using testing::ElementsAre;
  EXPECT_THAT(names_of({"a/mine", "mine=b"}), ElementsAre("mine-2", "mine"));
  EXPECT_THAT(names_of({"\u732b=/srv/a=b"}), ElementsAre("\u732b"));
  EXPECT_EQ(named_folders(std::vector<std::string>{"x=a=b"}).front().folder, "a=b");
  EXPECT_THAT(names_of({"./a=b"}), ElementsAre("a=b"));  // a folder, as its slash says
  const Scratch scratch;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(scratch);
  std::filesystem::create_directory("c=d");
  EXPECT_THAT(names_of({"c=d"}), ElementsAre("c=d"));  // a folder that is there
  std::filesystem::current_path(before);
}

TEST(NamedFolders, RefusesWhatIsNoName) {
  const std::string longest(64, 'a');
  EXPECT_NO_THROW(names_of({longest + "=b"}));
  for (const std::string& name : {std::string(), std::string("."), std::string(".."), longest + "a",
                                  std::string("a\nb"), std::string("\xE9")}) {
    EXPECT_THROW(names_of({name + "=b"}), InputError) << name;
  }
  EXPECT_THROW(names_of({"a=b", "a=c"}), InputError);
}

TEST(Addresses, OfAnIndexStandBelowItsName) {
  EXPECT_EQ(address_of("/v1/search").index, std::nullopt);
  EXPECT_EQ(address_of("/v1/search").path, "/v1/search");
  EXPECT_EQ(address_of("/indexes/a b/v1/image/x/y.jpg").index, "a b");
  EXPECT_EQ(address_of("/indexes/a b/v1/image/x/y.jpg").path, "/v1/image/x/y.jpg");
  EXPECT_EQ(address_of("/indexes/mine").path, "");
  EXPECT_EQ(address_of("/indexes/").index, "");
  EXPECT_EQ(page_of_index("a b", address_of("/v1/indexes")), "../indexes/a%20b/");
  EXPECT_EQ(page_of_index("a b", address_of("/indexes/x/v1/indexes")), "../../a%20b/");
}

}  // namespace
}  // namespace hinny
