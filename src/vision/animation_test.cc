// GIF, and pictures that move: what is seen of them, and when.
#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/request_error.h"
#include "tests/scratch.h"
#include "vision/frames.h"
#include "vision/gif_files_fixture.h"
#include "vision/picture.h"
#include "vision/picture_facts.h"
#include "vision/picture_program_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kTurn = 3;  // a pixel that is of none of the colours

Picture decoded(const std::string& file) { return decode_picture(std::as_bytes(std::span(file))); }

// As WrittenFrame has them; '?' for another colour.
std::string letters(const Picture& picture) {
  std::string all;
  for (std::size_t i = 0; i + 2 < picture.pixels.size(); i += kTurn) {
    const std::array<int, 3> is = {picture.pixels[i], picture.pixels[i + 1], picture.pixels[i + 2]};
    const std::array<std::pair<char, std::array<int, 3>>, 5> known = {{{'k', {0, 0, 0}},
                                                                       {'r', {255, 0, 0}},
                                                                       {'g', {0, 255, 0}},
                                                                       {'b', {0, 0, 255}},
                                                                       {'w', {255, 255, 255}}}};
    const auto found = std::ranges::find(known, is, &std::pair<char, std::array<int, 3>>::second);
    all += found == known.end() ? '?' : found->first;
  }
  return all;
}

class Animations : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& bytes) {
    write_file(folder / "a.gif", bytes);
    return folder / "a.gif";
  }
  // Each frame that is read, as letters.
  std::vector<std::pair<std::int64_t, std::string>> frames(const std::string& bytes, int most) {
    std::vector<std::pair<std::int64_t, std::string>> all;
    read_frames(file(bytes), most, 0, [&](std::int64_t at, const Picture& frame) {
      all.emplace_back(at, letters(frame));
    });
    return all;
  }
  std::string at(const std::string& bytes, std::int64_t moment) {
    return letters(read_frame(file(bytes), moment, 100));
  }
  Scratch folder;
};

TEST_F(Animations, AGifIsAPicture) {
  const Picture picture = decoded(gif_file(3, 2, {{.pixels = "rgbkwr"}}));
  EXPECT_EQ(picture.width, 3);
  EXPECT_EQ(letters(picture), "rgbkwr");
  EXPECT_EQ(picture.warning, "");
  EXPECT_EQ(letters(decoded(gif_file(3, 2, {{.pixels = "rgbkwr", .transparent = 'k'}}))), "rgbwwr");
}

TEST_F(Animations, InterlacedRowsLieWhereTheyBelong) {
  const std::string rows = "rgbkwrgbkwrgbkwrg";  // 17 of them
  EXPECT_EQ(letters(decoded(gif_file(1, 17, {{.pixels = rows, .interlaced = true}}))), rows);
}

TEST_F(Animations, AFrameMayBeLessThanThePicture) {
  const auto part = [](int left, int top) {
    return WrittenFrame{.left = left, .top = top, .width = 2, .height = 1, .pixels = "gb"};
  };
  EXPECT_EQ(letters(decoded(gif_file(3, 2, {part(1, 1)}))), "wwwwgb");
  EXPECT_EQ(letters(decoded(gif_file(3, 2, {part(2, 0)}))), "wwgwww") << "beyond its edge";
  EXPECT_EQ(letters(decoded(gif_file(0, 0, {part(1, 1)}))), "wwwwgb")
      << "of a picture without size";
}

TEST_F(Animations, WhatAFrameLeavesBehind) {
  const WrittenFrame whole{.pixels = "r"};
  const auto then = [&](int disposal) {
    const WrittenFrame part{
        .left = 1, .width = 1, .height = 1, .pixels = "g", .disposal = disposal};
    const WrittenFrame last{.left = 2, .width = 1, .height = 1, .pixels = "b"};
    return at(gif_file(3, 1, {whole, part, last}), 200);
  };
  EXPECT_EQ(then(0), "rgb");
  EXPECT_EQ(then(1), "rgb");
  EXPECT_EQ(then(2), "rwb") << "nothing where it was";
  EXPECT_EQ(then(3), "rrb") << "what was there before";
}

TEST_F(Animations, StandForThemselvesByTheirScenes) {
  const std::string rb = halves(32, 24, 'r', 'b'), gw = halves(32, 24, 'g', 'w'),
                    kr = halves(32, 24, 'k', 'r');
  using Frames = std::vector<std::pair<std::int64_t, std::string>>;
  EXPECT_EQ(frames(moving_gif_file(), 8), (Frames{{0, rb}, {200, gw}, {400, kr}}));
  EXPECT_EQ(frames(moving_gif_file(), 1).size(), 1U);
  EXPECT_EQ(at(moving_gif_file(), 200), gw);
  EXPECT_EQ(at(moving_gif_file(), 4000), kr) << "behind its end the last";
  const cv::Mat red(24, 32, CV_8UC3, cv::Scalar(0, 0, 255)), blue(24, 32, CV_8UC3, {255, 0, 0});
  cv::Mat one = red.clone(), other = blue.clone();
  one(cv::Rect(0, 0, 16, 24)) = cv::Scalar(0, 255, 0);
  other(cv::Rect(0, 0, 16, 24)) = cv::Scalar(0, 0, 0);
  EXPECT_EQ(frames(moving_webp_file({one, one, other}), 8),
            (Frames{{0, halves(32, 24, 'g', 'r')}, {200, halves(32, 24, 'k', 'b')}}));
}

TEST_F(Animations, AFrameWithoutATimeIsSeenForATenthOfASecond) {
  const auto file = gif_file(
      32, 24,
      {{.pixels = halves(32, 24, 'r', 'b'), .delay = 0}, {.pixels = halves(32, 24, 'g', 'k')}});
  EXPECT_EQ(frames(file, 8).back().first, 100);
}

TEST_F(Animations, SayThatTheyMove) {
  EXPECT_TRUE(picture_facts(file(moving_gif_file())).moves);
  EXPECT_FALSE(picture_facts(file(gif_file(3, 2, {{.pixels = "r"}}))).moves);
  const cv::Mat red(24, 32, CV_8UC3, cv::Scalar(0, 0, 255));
  EXPECT_TRUE(picture_facts(file(moving_webp_file({red, red}))).moves);
  EXPECT_FALSE(picture_facts(file(moving_webp_file({red}))).moves);
  EXPECT_FALSE(picture_facts(file(encoded(".webp", red))).moves);
  const PictureFacts facts = picture_facts(file(moving_gif_file()));
  EXPECT_EQ(facts.width, 32);
  EXPECT_EQ(facts.height, 24);
}

// What there is of the first frame; of others, those that are whole.
TEST_F(Animations, ThatAreCutOff) {
  const std::string noise = [] {
    Random random(1);
    std::string pixels;
    for (int i = 0; i < 64 * 64; ++i) pixels += "rgbkw"[random.below(5)];
    return pixels;
  }();
  const std::string one = gif_file(64, 64, {{.pixels = noise}});
  const Picture half = decoded(one.substr(0, one.size() * 2 / 3));
  EXPECT_THAT(half.warning, HasSubstr("missing; what is there is read"));
  EXPECT_EQ(letters(half).substr(0, 64), noise.substr(0, 64));
  EXPECT_EQ(letters(half).back(), 'w');
  EXPECT_THROW(decoded(one.substr(0, 60)), RequestError);

  const std::string moves = moving_gif_file();
  EXPECT_EQ(frames(moves.substr(0, moves.size() - 30), 8).size(), 3U);
  const cv::Mat red(24, 32, CV_8UC3, cv::Scalar(0, 0, 255));
  const std::string webp = moving_webp_file({red, red});
  const auto cut = file(webp.substr(0, webp.size() - 10));
  EXPECT_FALSE(picture_facts(cut).moves) << "it is shown by its first frame";
  EXPECT_NO_THROW(read_picture(cut));
}

TEST_F(Animations, SayWhatIsWrong) {
  const auto why = [&](const std::string& bytes) -> std::string {
    try {
      read_frames(file(bytes), 3, 0, [](std::int64_t, const Picture&) {});
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_THAT(why(moving_gif_file().substr(0, 60)), HasSubstr("a.gif: damaged"));
  std::string huge = gif_file(8, 8, {{.pixels = "r"}});
  huge.replace(6, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_THAT(why(huge), HasSubstr("a.gif: too large: 65535 x 65535 pixels"));
  EXPECT_THROW(decoded(huge), RequestError);
  huge.replace(6, 4, std::string("\xFF\x7F\xFF\x3F", 4));
  EXPECT_THAT(why(huge), HasSubstr("whose decoding takes"));
}

TEST_F(Animations, AreReadByTheProgramAsHere) {
  using Frames = std::vector<std::pair<std::int64_t, std::string>>;
  const Frames apart = frames(moving_gif_file(), 8);
  set_picture_program("", {});
  const Frames here = frames(moving_gif_file(), 8);
  decode_by_the_program();
  EXPECT_EQ(apart, here);
}

}  // namespace
}  // namespace hinny
