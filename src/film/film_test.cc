#include "film/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "film/film_stream.h"
#include "film/frame_pixels.h"
#include "film/written_film_fixture.h"
#include "tests/parameter_name.h"
#include "tests/scratch.h"

namespace hinny::film {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::Le;
using testing::Pair;

// Brightness that scenes differ by; it comes back within a few steps.
constexpr std::uint8_t kDark = 60, kBright = 190;

class FilmTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "film"; }
  Film& open() {
    TearDown();
    descriptor_ = ::open(file().c_str(), O_RDONLY | O_CLOEXEC);
    return film_.emplace(descriptor_);
  }
  std::string refusal() {
    try {
      open();
    } catch (const Unreadable& why) {
      return why.what();
    }
    return "";
  }
  void TearDown() override {
    film_.reset();
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }
  static int brightness(Film& film, std::int64_t at) {
    const auto frame = film.frame_near(at, 1);
    if (!frame) return -1;
    const Pixels pixels = FramePixels().seen(film, *frame->picture, 1024);
    int sum = 0;
    for (const std::uint8_t number : pixels.rgb) sum += number;
    return sum / static_cast<int>(pixels.rgb.size());
  }

  Scratch folder_;
  int descriptor_ = -1;
  std::optional<Film> film_;
};

struct Kind {
  const char* format;
  AVCodecID codec;
};
class FilmKinds : public FilmTest, public testing::WithParamInterface<Kind> {};

TEST_P(FilmKinds, FindsTheFrameOfAMoment) {
  WrittenFilm film{{{kDark, 128, 128, 50}, {kBright, 128, 128, 50}, {kDark, 128, 128, 30}}};
  film.format = GetParam().format;
  film.codec = GetParam().codec;
  write_film(file(), film);
  Film& opened = open();
  EXPECT_THAT(opened.duration(), AllOf(Ge(5100), Le(5300)));
  EXPECT_LT(brightness(opened, 500), 100);
  EXPECT_GT(brightness(opened, 2500), 150);
  EXPECT_LT(brightness(opened, 4500), 100);
  EXPECT_GT(brightness(opened, 3900), 150) << "backwards";
  EXPECT_LT(brightness(opened, 1960), 100) << "the last frame of its scene";
  EXPECT_GT(brightness(opened, 2000), 150) << "the first of the next";
  EXPECT_LT(brightness(opened, 60'000), 100) << "beyond the end, the last one";
}

INSTANTIATE_TEST_SUITE_P(
    All, FilmKinds,
    testing::Values(Kind{"mp4", AV_CODEC_ID_MPEG4}, Kind{"mov", AV_CODEC_ID_MJPEG},
                    Kind{"matroska", AV_CODEC_ID_FFV1}, Kind{"webm", AV_CODEC_ID_VP8},
                    Kind{"avi", AV_CODEC_ID_MPEG4}, Kind{"mpegts", AV_CODEC_ID_MPEG2VIDEO}),
    [](const auto& info) { return std::string(info.param.format); });

TEST_F(FilmTest, FindsWhatIsFarFromAnyWholeFrame) {
  WrittenFilm film{{{kDark, 128, 128, 75}, {kBright, 128, 128, 75}}};
  film.group = 1000;
  write_film(file(), film);
  Film& opened = open();
  EXPECT_LT(brightness(opened, 2900), 100);
  EXPECT_GT(brightness(opened, 4000), 150);
  EXPECT_LT(brightness(opened, 100), 100);
}

// As a browser records it.
TEST_F(FilmTest, FindsWhatAFilmDoesNotSayWhereItIs) {
  WrittenFilm film{{{kDark, 128, 128, 75}, {kBright, 128, 128, 75}}};
  film.format = "webm";
  film.codec = AV_CODEC_ID_VP8;
  film.live = true;
  write_film(file(), film);
  EXPECT_GT(brightness(open(), 4000), 150);
  Film& opened = open();
  EXPECT_THAT(opened.duration(), AllOf(Ge(5900), Le(6100)));
  EXPECT_LT(brightness(opened, 2500), 100);
  EXPECT_GT(brightness(opened, 4000), 150);
  EXPECT_LT(brightness(opened, 100), 100);
}

TEST_F(FilmTest, TheMomentOfAFrameIsThatFrame) {
  for (const bool uneven : {false, true}) {
    WrittenFilm film{{{kDark, 128, 128, 60}, {kBright, 128, 128, 60}}};
    film.format = "webm";
    film.codec = AV_CODEC_ID_VP8;
    film.rate = 24;
    film.uneven = uneven;
    write_film(file(), film);
    Film& opened = open();
    for (std::int64_t at = 0; at < opened.duration(); at += 330) {
      const auto frame = opened.frame_near(at, 150);
      ASSERT_TRUE(frame);
      const std::int64_t there = frame->at;
      EXPECT_LE(std::abs(there - at), 660) << at;
      const auto again = open().frame_near(there, 1);
      ASSERT_TRUE(again);
      EXPECT_EQ(again->at, there);
    }
  }
}

TEST_F(FilmTest, TurnsAndStretchesAsItIsSeen) {
  WrittenFilm film{{{kBright, 128, 128, 10}}};
  film.upper_half = true;
  const auto bright_sides = [&] {
    Film& opened = open();
    const auto frame = opened.frame_near(0, 1);
    const Pixels pixels = FramePixels().seen(opened, *frame->picture, 1024);
    const auto at = [&](int x, int y) {
      return pixels.rgb[static_cast<std::size_t>(3 * (y * pixels.width + x))] > 100;
    };
    const int w = pixels.width, h = pixels.height;
    std::string bright;
    if (at(w / 4, 3) && at(3 * w / 4, 3)) bright += " top";
    if (at(w - 4, h / 4) && at(w - 4, 3 * h / 4)) bright += " right";
    if (at(w / 4, h - 4) && at(3 * w / 4, h - 4)) bright += " bottom";
    if (at(3, h / 4) && at(3, 3 * h / 4)) bright += " left";
    return fmt::format("{}x{}:{}", w, h, bright);
  };
  for (const auto& [rotation, seen] : std::map<int, std::string>{
           {0, "64x48: top"}, {90, "48x64: right"}, {180, "64x48: bottom"}, {270, "48x64: left"}}) {
    film.rotation = rotation;
    write_film(file(), film);
    EXPECT_EQ(bright_sides(), seen) << rotation;
  }
}

TEST_F(FilmTest, SaysWhenAndWithWhat) {
  WrittenFilm film{{{kDark, 128, 128, 10}}};
  film.format = "mov";
  film.notes = {{"creation_time", "2024-06-15T08:30:00.000000Z"},
                {"location", "+47.3769+008.5417/"},
                {"make", "Apple"},
                {"model", "iPhone 12"}};
  write_film(file(), film);
  const auto facts = open().facts();
  EXPECT_THAT(facts, testing::Contains(Pair(kCreated, HasSubstr("2024-06-15T08:30:00"))));
  EXPECT_THAT(facts, testing::Contains(Pair(kPlace, HasSubstr("+47.3769+008.5417"))));
  EXPECT_THAT(facts, testing::Contains(Pair(kMake, "Apple")));
  EXPECT_THAT(facts, testing::Contains(Pair(kModel, "iPhone 12")));
  EXPECT_THAT(facts, testing::Contains(Pair(kSize, "64 48")));
  film.rotation = 90;
  write_film(file(), film);
  EXPECT_THAT(open().facts(), testing::Contains(Pair(kSize, "48 64")));
}

TEST_F(FilmTest, SaysWhatIsNoFilm) {
  std::ofstream(file()) << "";
  EXPECT_THAT(refusal(), HasSubstr("no film of a kind"));
  std::ofstream(file()) << std::string(5000, 'x');
  EXPECT_THAT(refusal(), HasSubstr("no film of a kind"));
  std::ofstream(file()) << "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n/etc/passwd\n";
  EXPECT_THAT(refusal(), HasSubstr("no film of a kind")) << "a list of others";
  WrittenFilm sound;
  sound.format = "mov";
  sound.sound_alone = true;
  write_film(file(), sound);
  EXPECT_EQ(refusal(), "sound without a picture");
  WrittenFilm nothing;
  write_film(file(), nothing);
  EXPECT_NE(refusal(), "");
}

TEST_F(FilmTest, ReadsWhatIsThereOfACutFilm) {
  WrittenFilm film{{{kDark, 128, 128, 60}, {kBright, 128, 128, 60}}};
  film.format = "matroska";
  write_film(file(), film);
  std::filesystem::resize_file(file(), std::filesystem::file_size(file()) * 6 / 10);
  Film& opened = open();
  EXPECT_LT(brightness(opened, 500), 100);
  EXPECT_NE(brightness(opened, 4700), -1);
}

}  // namespace
}  // namespace hinny::film
