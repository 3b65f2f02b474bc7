#include "vision/picture_facts.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <vector>

#include "tests/scratch.h"
#include "vision/file_bytes_fixture.h"
#include "vision/picture.h"
#include "vision/picture_files_fixture.h"
#include "vision/written_pictures_fixture.h"

namespace hinny {
namespace {

using namespace std::string_literals;

// Directories of TIFF with the most significant byte first, and values behind them.
class Tiff {
 public:
  struct Entry {
    std::uint64_t tag, type, count;
    std::string value;
  };
  static Entry text(std::uint64_t tag, std::string value) {
    value += '\0';
    return {tag, 2, value.size(), value};
  }
  // Each of two whole numbers.
  static Entry rationals(std::uint64_t tag, const std::vector<std::pair<unsigned, unsigned>>& all) {
    std::string value;
    for (const auto& [top, bottom] : all) value += big(top, 4) + big(bottom, 4);
    return {tag, 5, all.size(), value};
  }
  // Its place is known when the others are: the first directory comes last.
  std::uint64_t add(std::vector<Entry> entries) {
    const std::uint64_t at = 8 + bytes_.size();
    std::string directory = big(entries.size(), 2), values;
    const std::uint64_t after = at + 2 + 12 * entries.size() + 4;
    for (const Entry& entry : entries) {
      directory += big(entry.tag, 2) + big(entry.type, 2) + big(entry.count, 4);
      if (entry.value.size() <= 4) {
        directory += entry.value + std::string(4 - entry.value.size(), '\0');
      } else {
        directory += big(after + values.size(), 4);
        values += entry.value;
      }
    }
    bytes_ += directory + big(0, 4) + values;
    return at;
  }
  std::string file(std::vector<Entry> entries) {
    const std::uint64_t first = add(std::move(entries));
    return "MM\0*"s + big(first, 4) + bytes_;
  }
  static Entry below(std::uint64_t tag, std::uint64_t at) { return {tag, 4, 1, big(at, 4)}; }

 private:
  std::string bytes_;
};

constexpr std::uint64_t kMake = 0x10F, kModel = 0x110, kExif = 0x8769, kGps = 0x8825,
                        kLens = 0xA434;

class PictureFactsTest : public testing::Test {
 protected:
  PictureFacts of(const std::string& tiff) const {
    const std::string notes = "Exif\0\0"s + tiff;
    const std::string jpeg = "\xff\xd8\xff\xe1" + big(notes.size() + 2, 2) + notes + "\xff\xda";
    std::ofstream(folder_ / "a.jpg", std::ios::binary) << jpeg;
    return picture_facts(folder_ / "a.jpg");
  }
  PictureFacts of_place(const std::vector<Tiff::Entry>& entries) const {
    Tiff tiff;
    const std::uint64_t gps = tiff.add(entries);
    return of(tiff.file({Tiff::below(kGps, gps)}));
  }
  std::string camera(const std::string& make, const std::string& model) const {
    return of(Tiff().file({Tiff::text(kMake, make), Tiff::text(kModel, model)})).camera;
  }
  const Scratch folder_;
};

TEST_F(PictureFactsTest, ACameraIsCalledAsPeopleCallIt) {
  EXPECT_EQ(camera("NIKON CORPORATION", "NIKON D750"), "NIKON D750");
  EXPECT_EQ(camera("Canon", "Canon EOS 5D Mark IV"), "Canon EOS 5D Mark IV");
  EXPECT_EQ(camera("Apple", "iPhone 12"), "Apple iPhone 12");
  EXPECT_EQ(camera("SONY  ", " ILCE-7M3 "), "SONY ILCE-7M3");
  EXPECT_EQ(camera("", "X100"), "X100");
  EXPECT_EQ(camera("samsung", ""), "samsung");
  EXPECT_EQ(camera("\xff\xfe", "  "), "");  // no text
  EXPECT_EQ(of("").camera, "");
}

TEST_F(PictureFactsTest, ALensStandsInEither) {
  Tiff tiff;
  const std::uint64_t exif = tiff.add({Tiff::text(kLens, "35.0 mm f/1.8")});
  EXPECT_EQ(of(tiff.file({Tiff::below(kExif, exif)})).lens, "35.0 mm f/1.8");
}

TEST_F(PictureFactsTest, AnExposureIsWrittenAsPhotographersDo) {
  const auto exposure = [this](std::vector<Tiff::Entry> entries) {
    Tiff tiff;
    const std::uint64_t exif = tiff.add(std::move(entries));
    return of(tiff.file({Tiff::below(kExif, exif)})).exposure;
  };
  const auto whole = [](std::uint64_t tag, std::uint64_t number) {
    return Tiff::Entry{tag, 3, 1, big(number, 2)};
  };
  constexpr std::uint64_t kTime = 0x829A, kAperture = 0x829D, kSpeed = 0x8827, kFocal = 0x920A;
  EXPECT_EQ(exposure({Tiff::rationals(kTime, {{10, 2500}}), Tiff::rationals(kAperture, {{28, 10}}),
                      whole(kSpeed, 100), Tiff::rationals(kFocal, {{50, 1}})}),
            "1/250 s, f/2.8, ISO 100, 50 mm");
  EXPECT_EQ(exposure({Tiff::rationals(kTime, {{25, 10}}), whole(kSpeed, 12800)}),
            "2.5 s, ISO 12800");
  EXPECT_EQ(exposure({Tiff::rationals(kTime, {{1, 3}})}), "0.333 s");
  EXPECT_EQ(
      exposure({Tiff::rationals(kAperture, {{16, 1}}), Tiff::rationals(kFocal, {{424, 100}})}),
      "f/16, 4.24 mm");
  // Of lenses without contacts, and what no camera does.
  EXPECT_EQ(exposure({Tiff::rationals(kTime, {{0, 0}}), Tiff::rationals(kAperture, {{0, 1}}),
                      whole(kSpeed, 0), Tiff::rationals(kFocal, {{1, 0}})}),
            "");
  EXPECT_EQ(exposure({Tiff::rationals(kTime, {{4294967295, 1}}), Tiff::text(kAperture, "2.8")}),
            "");
  EXPECT_EQ(exposure({Tiff::rationals(kTime, {})}), "");
}

// As it is shown, whatever way it was held.
TEST_F(PictureFactsTest, ASizeIsThatOfThePictureSetUpright) {
  for (std::uint32_t turned = 1; turned <= 8; ++turned) {
    std::ofstream(folder_ / "a.tif", std::ios::binary) << tiff_file(turned);
    const PictureFacts facts = picture_facts(folder_ / "a.tif");
    EXPECT_EQ(facts.width, 40) << turned;
    EXPECT_EQ(facts.height, 20) << turned;
  }
  const std::string exif = "eXIf" + Tiff().file({{0x112, 3, 1, big(6, 2)}});
  const auto* bytes = reinterpret_cast<const Bytef*>(exif.data());
  const std::string note =
      big(exif.size() - 4, 4) + exif + big(::crc32(0, bytes, static_cast<uInt>(exif.size())), 4);
  const std::string plain = png_file(cv::Mat(20, 40, CV_8UC3, cv::Scalar(0, 0, 200)));
  constexpr std::size_t kHead = 33, kEnd = 12;                    // bytes
  for (const std::size_t place : {kHead, plain.size() - kEnd}) {  // before the picture, and behind
    const std::filesystem::path file = folder_ / "a.png";
    std::ofstream(file, std::ios::binary) << std::string(plain).insert(place, note);
    EXPECT_EQ(picture_facts(file).width, 20) << place;
    EXPECT_EQ(picture_facts(file).height, 40) << place;
    const Picture shown = read_picture(file);
    EXPECT_EQ(shown.width, 20) << place;
    EXPECT_EQ(shown.height, 40) << place;
  }
  std::ofstream(folder_ / "a.jpg", std::ios::binary) << "\xff\xd8\xff\xe1";
  EXPECT_EQ(picture_facts(folder_ / "a.jpg").width, 0);
}

TEST_F(PictureFactsTest, APlaceIsDegreesMinutesAndSeconds) {
  const auto place =
      of_place({Tiff::text(1, "N"), Tiff::rationals(2, {{47, 1}, {22, 1}, {3684, 100}}),
                Tiff::text(3, "E"), Tiff::rationals(4, {{8, 1}, {32, 1}, {3012, 100}})})
          .place;
  ASSERT_TRUE(place);
  EXPECT_NEAR(place->latitude, 47 + 22 / 60.0 + 36.84 / 3600, 1e-9);
  EXPECT_NEAR(place->longitude, 8 + 32 / 60.0 + 30.12 / 3600, 1e-9);
  // South and west; minutes with a fraction and no seconds.
  const auto rio = of_place({Tiff::text(1, "S"), Tiff::rationals(2, {{22, 1}, {5445, 100}, {0, 0}}),
                             Tiff::text(3, "W"), Tiff::rationals(4, {{43, 1}, {1026, 100}})})
                       .place;
  ASSERT_TRUE(rio);
  EXPECT_NEAR(rio->latitude, -(22 + 54.45 / 60), 1e-9);
  EXPECT_NEAR(rio->longitude, -(43 + 10.26 / 60), 1e-9);
}

TEST_F(PictureFactsTest, APlaceThatCannotBeIsNone) {
  using Numbers = std::vector<std::pair<unsigned, unsigned>>;
  const auto place = [this](const Numbers& north, const Numbers& east) {
    return of_place({Tiff::text(1, "N"), Tiff::rationals(2, north), Tiff::text(3, "E"),
                     Tiff::rationals(4, east)})
        .place;
  };
  EXPECT_TRUE(place({{10, 1}}, {{20, 1}}));
  EXPECT_FALSE(place({{0, 1}}, {{0, 1}}));  // of devices that know none
  EXPECT_FALSE(place({{91, 1}}, {{20, 1}}));
  EXPECT_FALSE(place({{10, 1}}, {{181, 1}}));
  EXPECT_FALSE(place({{0, 0}}, {{20, 1}}));   // not a number
  EXPECT_FALSE(place({{10, 0}}, {{20, 1}}));  // without end
  EXPECT_FALSE(place({}, {{20, 1}}));
  EXPECT_FALSE(of_place({Tiff::rationals(2, {{10, 1}})}).place);  // half
  EXPECT_FALSE(of_place({Tiff::text(2, "10"), Tiff::text(4, "20")}).place);
  EXPECT_FALSE(of(Tiff().file({Tiff::below(kGps, 1U << 30U)})).place);  // beyond the end
}

}  // namespace
}  // namespace hinny
