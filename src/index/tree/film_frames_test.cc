#include "index/tree/film_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/content_hash.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(FilmFrames, AreNamedAsAFragmentOfTheirFilm) {
  EXPECT_EQ(frame_id("walks/lake.mp4", 42'500), "walks/lake.mp4#t=42.5");
  EXPECT_EQ(frame_id("a.mov", 0), "a.mov#t=0");
  EXPECT_EQ(frame_id("a.mov", 7'001), "a.mov#t=7.001");
  for (const std::int64_t at : {0, 1, 40, 999, 1000, 61'040, 36'000'120}) {
    EXPECT_THAT(frame_moment(frame_id("a.mov", at), "x/a.mov"), Optional(at));
  }
}

TEST(FilmFrames, OthersAreNone) {
  for (const char* id : {"a.mp4", "a.mp4#t=", "a.mp4#t=1.", "a.mp4#t=1.50", "a.mp4#t=-1",
                         "a.mp4#t=1.2345", "a.mp4#t=1e3", "a.mp4#t=99999999999999999999", "#t=x"}) {
    EXPECT_FALSE(frame_moment(id, "a.mp4").has_value()) << id;
  }
  EXPECT_FALSE(frame_moment("a.jpg#t=5", "a.jpg").has_value()) << "no film's file";
}

TEST(FilmFrames, MomentsAreGrowingSeconds) {
  EXPECT_EQ(moments_text({0, 1500, 61'000}), "0 1.5 61");
  EXPECT_THAT(parse_moments("0 1.5 61"), Optional(ElementsAre(0, 1500, 61'000)));
  EXPECT_THAT(parse_moments(""), Optional(ElementsAre()));
  for (const char* text : {"1 1", "2 1", "1,2", "a", "1  2", "1.0"}) {
    EXPECT_FALSE(parse_moments(text).has_value()) << text;
  }
}

TEST(FilmFrames, AreShownAsPlayersDo) {
  EXPECT_EQ(clock_text(42'999), "0:42");
  EXPECT_EQ(clock_text(3'723'000), "1:02:03");
}

// Of a large film a sample is read: its size and ends count, not what lies between its blocks.
TEST(FilmFrames, LargeFilmsAreKnownByASample) {
  const Scratch folder;
  const std::filesystem::path film = folder / "film.mp4";
  std::ofstream(film) << "begin";
  EXPECT_EQ(film_content(film), content_hash(film));
  std::filesystem::resize_file(film, 64U << 20U);
  const std::string before = film_content(film);
  std::filesystem::resize_file(film, (64U << 20U) + 1);
  std::string last = film_content(film);
  EXPECT_NE(last, before);
  for (const std::streamoff place : {64U << 20U, (63U << 20U) + 1, 1U << 20U, 0U}) {
    std::fstream(film, std::ios::in | std::ios::out).seekp(place).put('x');
    const std::string content = film_content(film);
    EXPECT_EQ(content == last, place == 1U << 20U) << place;
    last = content;
  }
}

}  // namespace
}  // namespace hinny
