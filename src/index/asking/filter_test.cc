#include "index/asking/filter.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "index/asking/collection.h"
#include "index/pictures/index_pictures_fixture.h"

namespace hinny {
namespace {

class FilterTest : public IndexPictures {};

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Of pictures that are asked for by time and folder, the best are found as among all.
TEST_F(FilterTest, FiltersChooseBeforeTheSearch) {
  put("summer/one.jpg", "0");
  put("summer/two.jpg", "1");
  put("summerhouse.jpg", "2");
  run();
  Collection collection(index());
  const auto found = [&](const Filter& filter) {
    Question question;
    question.filter = filter;
    question.k = 1;
    std::vector<std::string> all;
    // What is found first, then without it, ...: each k is exact.
    for (question.k = 1; question.k <= 3; ++question.k) {
      const auto answer = collection.ask(std::vector<std::string>{"a dog"}, question).front();
      if (answer.found.size() == all.size()) break;
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(answer.found[i].image, all[i]);
      all.push_back(answer.found.back().image);
    }
    return all;
  };
  const auto day = [](const char* text) { return parse_period(text)->begin; };
  const auto all = found({});
  EXPECT_EQ(all.size(), 3U);
  EXPECT_THAT(found({day("2024-06-02"), day("2024-06-03"), ""}), ElementsAre("summer/two.jpg"));
  EXPECT_THAT(found({std::nullopt, day("2024-06-02"), ""}), ElementsAre("summer/one.jpg"));
  EXPECT_THAT(found({day("2030"), std::nullopt, ""}), ElementsAre());
  std::vector<std::string> in_summer = all;
  std::erase(in_summer, "summerhouse.jpg");
  EXPECT_EQ(found({std::nullopt, std::nullopt, "summer"}), in_summer);
  EXPECT_EQ(found({std::nullopt, std::nullopt, (root() / "summer/").string()}), in_summer);
  EXPECT_THAT(found({std::nullopt, std::nullopt, "winter"}), ElementsAre());
  // The file's own time, where the camera says nothing.
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(root() / "summerhouse.jpg", now - std::chrono::hours(24 * 365 * 20));
  run();
  EXPECT_TRUE(collection.reload());
  EXPECT_THAT(found({std::nullopt, day("2015"), ""}), ElementsAre("summerhouse.jpg"));

  build();  // of a dataset
  EXPECT_THAT(
      [&] {
        Question question;
        question.filter.since = 0;
        Collection(folder / "index").ask(std::vector<std::string>{"a dog"}, question);
      },
      ThrowsMessage<RequestError>(HasSubstr("does not know when")));
}

// What the camera wrote: where, and with what.
TEST_F(FilterTest, PlacesAndCamerasChooseToo) {
  put("a.jpg", "0");
  put("b.jpg", "1");
  put("c.jpg", "2");
  run();
  const Index mine = Index::open(index());
  const auto images = [&](const Filter& filter) {
    std::vector<std::string> found;
    for (const std::size_t i : matching(mine, filter).listed()) {
      found.emplace_back(mine.id(i));
    }
    return found;
  };
  const auto near = [&](Coordinates place, double within) {
    Filter filter;
    filter.near = {place, within};
    return images(filter);
  };
  const auto camera = [&](const char* name) {
    Filter filter;
    filter.camera = name;
    return images(filter);
  };
  EXPECT_THAT(near({47.38, 8.54}, 1), ElementsAre("a.jpg"));
  EXPECT_THAT(near({47.38, 8.54}, 0.1), ElementsAre());
  EXPECT_THAT(near({46.95, 7.45}, 100), ElementsAre("a.jpg"));
  EXPECT_THAT(near(mine.folder_facts().places[0].value(), 0), ElementsAre("a.jpg"));
  EXPECT_THAT(camera("nikon"), ElementsAre("a.jpg"));
  EXPECT_THAT(camera("12 IPHONE"), ElementsAre("b.jpg"));
  EXPECT_THAT(camera("canon"), ElementsAre());
  Filter lens;
  lens.lens = "35";
  EXPECT_THAT(images(lens), ElementsAre("a.jpg"));
  Filter other;
  other.camera = "canon";
  EXPECT_THAT(why_nothing(mine, other), HasSubstr("Apple iPhone 12, NIKON D750"));
  Filter far;
  far.near = {{0, 100}, 5};
  EXPECT_THAT(why_nothing(mine, far), HasSubstr("1 of 3 say where"));
  lens.camera = "iphone";
  EXPECT_THAT(why_nothing(mine, lens), HasSubstr("no picture is all of that"));

  EXPECT_THAT(images({.shape = Shape::landscape}), ElementsAre("a.jpg"));
  EXPECT_THAT(images({.shape = Shape::portrait}), ElementsAre("b.jpg"));
  EXPECT_THAT(images({.min_size = parse_size_bound("12MP")}), ElementsAre("a.jpg"));
  EXPECT_THAT(images({.max_size = parse_size_bound("1920x1920")}), ElementsAre("b.jpg"));
  EXPECT_THAT(why_nothing(mine, {.shape = Shape::square, .min_size = parse_size_bound("20MP")}),
              HasSubstr("no square picture of at least 20 MP (2 of 3 say how large they are)"));

  build();  // of a dataset
  EXPECT_THAT([&] { matching(Index::open(folder / "index"), other); },
              ThrowsMessage<RequestError>(HasSubstr("does not know when")));
}

TEST_F(FilterTest, FoldersAreThoseAboveEveryPicture) {
  put("top.jpg", "0");
  put("summer/lake/far/one.jpg", "1");
  put("summer/lake/far/two.jpg", "2");
  put("summer/lake/three.jpg", "3");
  run();
  EXPECT_THAT(Index::open(index()).folders(),
              ElementsAre("summer", "summer/lake", "summer/lake/far"));
}

TEST_F(FilterTest, ComposedAndDecomposedNamesAreTheSame) {
  const std::string one = "M\u00e4dchen", two = "Ma\u0308dchen";
  put(one + "/a.jpg", "0");
  put("E\u0301te\u0301/b.jpg", "1");
  put("c.jpg", "2");
  run();
  const Index mine = Index::open(index());
  const auto in = [&](const std::string& folder) {
    std::vector<std::string> found;
    for (const std::size_t i : matching(mine, {{}, {}, folder}).listed()) {
      found.emplace_back(mine.id(i));
    }
    return found;
  };
  for (const std::string& name : {one, two, (root() / two).string()}) {
    EXPECT_THAT(in(name), ElementsAre(one + "/a.jpg")) << name;
  }
  EXPECT_THAT(in("\u00c9t\u00e9"), ElementsAre("E\u0301te\u0301/b.jpg"));
  EXPECT_THAT(in("Madchen"), ElementsAre());
  EXPECT_EQ(mine.find(two + "/a.jpg"), mine.find(one + "/a.jpg"));
  EXPECT_TRUE(mine.find("\u00c9t\u00e9/b.jpg").has_value());
  EXPECT_FALSE(mine.find("Madchen/a.jpg").has_value());
  // Where both are there, each has its own.
  put(two + "/a.jpg", "3");
  run();
  const Index both = Index::open(index());
  EXPECT_NE(both.find(two + "/a.jpg"), both.find(one + "/a.jpg"));
  EXPECT_EQ(matching(both, {{}, {}, two}).listed(),
            std::vector<std::size_t>{*both.find(two + "/a.jpg")});
}

TEST_F(FilterTest, AFolderIsFoundByALinkToIt) {
  put("2024/trip/a.jpg", "0");
  put("b.jpg", "1");
  fs::create_directory_symlink("2024/trip", root() / "favourites");
  fs::create_directory_symlink(root(), folder / "album");
  run();
  const Index mine = Index::open(index());
  for (const std::string& name :
       {std::string("favourites"), std::string("2024/trip"), (folder / "album/2024").string()}) {
    EXPECT_EQ(matching(mine, {{}, {}, name}).count(), 1U) << name;
  }
  EXPECT_EQ(matching(mine, {{}, {}, (folder / "album").string()}).count(), 2U);
}

TEST_F(FilterTest, SaysWhyAFilterLeavesNothing) {
  put("Holidays/2024/one.jpg", "0");
  put("two.jpg", "1");
  run();
  const Index mine = Index::open(index());
  const auto why = [&](const Filter& filter) { return why_nothing(mine, filter); };
  const auto year = [](const char* text) { return parse_period(text)->begin; };
  EXPECT_EQ(why({}), "");
  EXPECT_EQ(why({{}, {}, "Holidays"}), "");
  EXPECT_EQ(why({{}, {}, "Holidys"}),
            "no folder 'Holidys' in the index (did you mean 'Holidays'?)");
  EXPECT_THAT(why({{}, {}, "two.jpg"}), HasSubstr("no folder"));
  EXPECT_THAT(why({year("2090"), {}, ""}), HasSubstr("since 2090-01-01"));
  EXPECT_THAT(why({{}, year("1990"), ""}), HasSubstr("before 1990-01-01"));
  EXPECT_THAT(why({year("2024-06-02"), {}, "Holidays"}), HasSubstr("of that folder"));
  EXPECT_THAT(why({year("1990"), year("1991"), ""}), HasSubstr("from 1990-01-01 00:00:00 up to"));
  EXPECT_EQ(why({.kind = Filter::Kind::film}), "no film in the index");
  EXPECT_EQ(why({.kind = Filter::Kind::picture}), "");
  EXPECT_THAT(why({.lens = "zoom"}), HasSubstr("no picture by a lens 'zoom' (the index"));
  EXPECT_THAT(why({.town = "Lisbon"}),
              HasSubstr("no picture of a town 'Lisbon' (the index knows none)"));
  EXPECT_THAT(why({.max_size = SizeBound{2, 2, 0}}),
              HasSubstr("no picture of at most 2 x 2 pixels (2 of 2 say how large they are)"));
  EXPECT_EQ(why({.max_size = SizeBound{0, 0, 1000}}), "");
  EXPECT_THAT(
      why({.since = year("2024-06-02"), .folder = "Holidays", .near = Filter::Near{{1, 2}, 3}}),
      HasSubstr("no picture within 3 km"));
}

}  // namespace
}  // namespace hinny
