// Sound files of unusual kinds, and files that viewers show though something is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lcms2.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tiffio.h>
#include <unistd.h>
#include <zlib.h>

#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/read_file.h"
#include "tests/scratch.h"
#include "vision/file_bytes_fixture.h"
#include "vision/picture.h"
#include "vision/picture_files_fixture.h"
#include "vision/picture_program_fixture.h"
#include "vision/written_pictures_fixture.h"

namespace hinny {
namespace {

using testing::HasSubstr;

Picture decoded(const std::string& bytes, const Enough& enough = {}) {
  return decode_picture(std::as_bytes(std::span(bytes)), enough);
}
std::string refusal_of_picture(const std::string& bytes) {
  try {
    decoded(bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}
// Noisy, red above and blue below.
cv::Mat drawn(int width = 64, int height = 96) {
  cv::Mat picture(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto noise = static_cast<std::uint8_t>((x * 7 + y * 13) % 40);
      picture.at<cv::Vec3b>(y, x) =
          2 * y < height ? cv::Vec3b(noise, 0, 215) : cv::Vec3b(215, 0, noise);
    }
  }
  return picture;
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string all = type + data;
  const auto crc =
      crc32(0, reinterpret_cast<const Bytef*>(all.data()), static_cast<uInt>(all.size()));
  return big(static_cast<std::uint32_t>(data.size()), 4) + all +
         big(static_cast<std::uint32_t>(crc), 4);
}
constexpr std::size_t kBehindPngHeader = 8 + 25;

// The profile under which red and green are exchanged.
std::string exchanging_profile() {
  const cmsCIExyY white{0.3127, 0.329, 1};
  const cmsCIExyYTRIPLE colours{{0.30, 0.60, 1}, {0.64, 0.33, 1}, {0.15, 0.06, 1}};
  cmsToneCurve* curve = cmsBuildGamma(nullptr, 2.2);
  cmsToneCurve* curves[] = {curve, curve, curve};
  cmsHPROFILE profile = cmsCreateRGBProfile(&white, &colours, curves);
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::string bytes(size, '\0');
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  cmsFreeToneCurve(curve);
  return bytes;
}
std::string segment(const std::string& content) {  // APP2
  return "\xFF\xE2" + big(static_cast<std::uint32_t>(content.size() + 2), 2) + content;
}

TEST(PictureKinds, AJpegIsShownThoughItsFrameIsBroken) {
  const std::string whole = encoded(".jpg", drawn());
  const Picture picture = decoded(whole);
  const auto behind_first = 4 + static_cast<std::size_t>(static_cast<unsigned char>(whole[5]));
  for (const std::string& between :
       {std::string(7, '\0'), std::string("junk\0\1\2", 7), std::string(9, '\xFF')}) {
    std::string file = whole;
    file.insert(behind_first, between);
    EXPECT_EQ(decoded(file).pixels, picture.pixels);
    EXPECT_EQ(decoded(file).warning, "");
  }
  EXPECT_EQ(decoded(whole + std::string(5000, 'x')).pixels, picture.pixels);
  const Picture open = decoded(whole.substr(0, whole.size() - 2));
  EXPECT_EQ(open.pixels, picture.pixels);
  EXPECT_EQ(open.warning, "its end is missing; what is there is read");
}

TEST(PictureKinds, AJpegSaysHowMuchIsMissing) {
  const cv::Mat picture = drawn(64, 960);
  for (const bool progressive : {false, true}) {
    const std::string whole = encoded(".jpg", picture, {.progressive = progressive});
    for (const std::string& end : {std::string(), std::string("\xFF\xD9")}) {
      const Picture cut = decoded(whole.substr(0, whole.size() * 9 / 10) + end);
      ASSERT_EQ(cut.height, 960);
      EXPECT_GT(cut.pixels[0], 150);  // red above
      EXPECT_THAT(cut.warning, HasSubstr(!progressive  ? "are missing; what is there is read"
                                         : end.empty() ? "its end is missing"
                                                       : ""));
    }
  }
  const std::string whole = encoded(".jpg", picture);
  EXPECT_THAT(refusal_of_picture(whole.substr(0, whole.size() / 5)), HasSubstr("damaged: cut off"));
  EXPECT_THAT(refusal_of_picture(whole.substr(0, 100)), HasSubstr("damaged: cut off"));
}

TEST(PictureKinds, UnsupportedIsNotDamaged) {
  std::string lossless = encoded(".jpg", drawn());
  lossless[lossless.find("\xFF\xC0") + 1] = '\xC3';
  EXPECT_THAT(refusal_of_picture(lossless), HasSubstr("unsupported: this JPEG"));
  std::string deep = encoded(".jpg", drawn());
  deep[deep.find("\xFF\xC0") + 4] = 12;
  EXPECT_THAT(refusal_of_picture(deep), HasSubstr("unsupported: this JPEG"));
  std::string tiff = tiff_file();
  tiff.replace(tiff.find(tiff_number(259, 2)) + 8, 4, tiff_number(50013, 4));
  EXPECT_THAT(refusal_of_picture(tiff), HasSubstr("unsupported: a TIFF of compression 50013"));
}

TEST(PictureKinds, APngIsShownThoughChunksAreBroken) {
  const std::string whole = encoded(".png", drawn());
  const Picture picture = decoded(whole);
  std::string note = chunk("tEXt", "Comment\0x");
  note.back() = static_cast<char>(note.back() ^ 1);  // its sum
  std::string file = whole;
  file.insert(kBehindPngHeader, note);
  EXPECT_EQ(decoded(file).pixels, picture.pixels);
  EXPECT_EQ(decoded(file).warning, "");
  const Picture open = decoded(whole.substr(0, whole.size() - 12));  // without IEND
  EXPECT_EQ(open.pixels, picture.pixels);
  EXPECT_THAT(open.warning, HasSubstr("its end is missing"));
  EXPECT_THAT(decoded(whole.substr(0, whole.size() * 3 / 4)).warning, HasSubstr("are missing"));
}

TEST(PictureKinds, AWebpMayStateAnotherLength) {
  for (const bool lossless : {false, true}) {
    const std::string whole = encoded(".webp", drawn(), {.lossless = lossless});
    const Picture picture = decoded(whole);
    for (const std::uint32_t stated : {0U, 100U, 1000000000U}) {
      std::string file = whole;
      file.replace(4, 4, tiff_number(stated, 4));
      EXPECT_EQ(decoded(file).pixels, picture.pixels) << stated;
    }
    EXPECT_EQ(decoded(whole + "behind").pixels, picture.pixels);
    EXPECT_EQ(decoded(whole + "behind").warning, "");
  }
}

// Of what moves, the first picture counts.
TEST(PictureKinds, OfAFilmInWebpTheFirstPicture) {
  const auto frame = [](const cv::Scalar& colour) {
    const std::string file = encoded(".webp", cv::Mat(20, 40, CV_8UC3, colour));
    const std::string content = std::string(6, '\0') + tiff_number(39, 3) + tiff_number(19, 3) +
                                tiff_number(100, 3) + std::string(1, '\0') + file.substr(12);
    return "ANMF" + tiff_number(static_cast<std::uint32_t>(content.size()), 4) + content;
  };
  const std::string chunks = "WEBPVP8X" + tiff_number(10, 4) + tiff_number(2, 4) +
                             tiff_number(39, 3) + tiff_number(19, 3) + "ANIM" + tiff_number(6, 4) +
                             std::string(6, '\0') + frame({0, 0, 230}) + frame({230, 0, 0});
  const Picture first =
      decoded("RIFF" + tiff_number(static_cast<std::uint32_t>(chunks.size()), 4) + chunks);
  ASSERT_EQ(first.width, 40);
  EXPECT_GT(first.pixels[0], 180);
  EXPECT_LT(first.pixels[2], 60);
}

TEST(PictureKinds, WhatIsTransparentLiesOnWhite) {
  cv::Mat black(20, 20, CV_8UC4, cv::Scalar(0, 0, 0, 0));
  black(cv::Rect(0, 0, 20, 10)) = cv::Scalar(0, 0, 0, 255);
  const std::string png = encoded(".png", black);
  for (const std::string& file : {png, encoded(".webp", black, {.lossless = true})}) {
    const Picture picture = decoded(file);
    EXPECT_EQ(picture.pixels.front(), 0);
    EXPECT_EQ(picture.pixels.back(), 255);
  }
  std::string named = png;  // a PNG says on what it lies
  named.insert(kBehindPngHeader, chunk("bKGD", std::string("\0\xC8\0\x64\0\x32", 6)));
  const Picture picture = decoded(named);
  EXPECT_EQ(picture.pixels[3 * 399], 200);
  EXPECT_EQ(picture.pixels[3 * 399 + 2], 50);
}

TEST(PictureKinds, ColoursAreThoseOfTheProfile) {
  const cv::Mat green(32, 32, CV_8UC3, cv::Scalar(0, 220, 0));
  const std::string profile = exchanging_profile();
  const auto is_red = [](const std::string& file) {
    const Picture picture = decoded(file);
    return picture.pixels[0] > 180 && picture.pixels[1] < 80;
  };
  const std::string plain = encoded(".jpg", green);
  const std::string start("ICC_PROFILE\0", 12);
  const std::size_t half = profile.size() / 2;
  std::string jpeg = plain;
  jpeg.insert(2, segment(start + "\2\2" + profile.substr(half)) +
                     segment(start + "\1\2" + profile.substr(0, half)));
  EXPECT_TRUE(is_red(jpeg));
  std::string packed(profile.size() + 100, '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(profile.data()), profile.size());
  std::string png = encoded(".png", green);
  png.insert(kBehindPngHeader, chunk("iCCP", std::string("x\0\0", 3) + packed.substr(0, size)));
  EXPECT_TRUE(is_red(png));
  // What is broken is as if it were not there, and sRGB changes nothing.
  std::string broken = plain;
  broken.insert(2, segment(start + "\1\1" + profile.substr(0, 200)));
  EXPECT_EQ(decoded(broken).pixels, decoded(plain).pixels);
}

// Written by libtiff, four red pixels high and wide.
class TiffKinds : public testing::Test {
 protected:
  struct Kind {
    const char* mode = "w";
    int bits = 8, format = SAMPLEFORMAT_UINT, colours = PHOTOMETRIC_RGB, samples = 3;
    int planar = PLANARCONFIG_CONTIG, tile = 0;
  };
  std::string written(const Kind& kind, const std::string& row) const {
    TIFF* file = TIFFOpen((folder / "x.tif").c_str(), kind.mode);
    TIFFSetField(file, TIFFTAG_IMAGEWIDTH, 4);
    TIFFSetField(file, TIFFTAG_IMAGELENGTH, 4);
    TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, kind.bits);
    TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, kind.samples);
    TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, kind.format);
    TIFFSetField(file, TIFFTAG_PHOTOMETRIC, kind.colours);
    TIFFSetField(file, TIFFTAG_PLANARCONFIG, kind.planar);
    if (kind.colours == PHOTOMETRIC_PALETTE) {
      std::vector<std::uint16_t> red(256, 0), none(256, 0);
      red[7] = 65535;
      TIFFSetField(file, TIFFTAG_COLORMAP, red.data(), none.data(), none.data());
    }
    if (kind.tile > 0) {
      TIFFSetField(file, TIFFTAG_TILEWIDTH, kind.tile);
      TIFFSetField(file, TIFFTAG_TILELENGTH, kind.tile);
      std::string tile;
      for (int i = 0; i < kind.tile * kind.tile; ++i) tile += row.substr(0, 3);
      TIFFWriteEncodedTile(file, 0, tile.data(), static_cast<tmsize_t>(tile.size()));
    } else {
      const int planes = kind.planar == PLANARCONFIG_SEPARATE ? kind.samples : 1;
      const std::size_t size = row.size() / static_cast<std::size_t>(planes);
      for (int plane = 0; plane < planes; ++plane) {
        for (std::uint32_t y = 0; y < 4; ++y) {
          std::string line = row.substr(size * static_cast<std::size_t>(plane), size);
          TIFFWriteScanline(file, line.data(), y, static_cast<std::uint16_t>(plane));
        }
      }
    }
    TIFFClose(file);
    return read_file(folder / "x.tif");
  }
  template <typename Number>
  static std::string row_of(std::vector<Number> pixel) {
    std::string row;
    for (int i = 0; i < 4; ++i) {
      row.append(reinterpret_cast<const char*>(pixel.data()), pixel.size() * sizeof(Number));
    }
    return row;
  }
  static void expect_red(const std::string& file, const char* what) {
    const Picture picture = decoded(file);
    ASSERT_EQ(picture.width, 4) << what;
    for (std::size_t i : {std::size_t{0}, std::size_t{45}}) {
      EXPECT_NEAR(picture.pixels[i], 255, 3) << what;
      EXPECT_NEAR(picture.pixels[i + 1], 0, 3) << what;
      EXPECT_NEAR(picture.pixels[i + 2], 0, 3) << what;
    }
  }
  const Scratch folder;
};

TEST_F(TiffKinds, AreAllRead) {
  const auto eight = row_of<std::uint8_t>({255, 0, 0});
  expect_red(written({}, eight), "8 bits");
  expect_red(written({.mode = "w8"}, eight), "BigTIFF");
  expect_red(written({.mode = "wb", .bits = 16}, row_of<std::uint16_t>({65535, 0, 0})), "16, big");
  expect_red(written({.bits = 32}, row_of<std::uint32_t>({0xFFFFFFFF, 0, 0})), "32 bits");
  expect_red(written({.bits = 12}, from_hex("fff000000fff000000fff000000fff000000")), "12 bits");
  expect_red(
      written({.bits = 16, .format = SAMPLEFORMAT_IEEEFP}, row_of<std::uint16_t>({0x3C00, 0, 0})),
      "half");
  expect_red(written({.bits = 32, .format = SAMPLEFORMAT_IEEEFP}, row_of<float>({1, 0, 0})),
             "float");
  expect_red(written({.bits = 32, .format = SAMPLEFORMAT_IEEEFP}, row_of<float>({255, 0, 0})),
             "float to 255");
  expect_red(written({.bits = 64, .format = SAMPLEFORMAT_IEEEFP}, row_of<double>({1, 0, 0})),
             "double");
  expect_red(written({.colours = PHOTOMETRIC_PALETTE, .samples = 1}, std::string(4, 7)), "palette");
  expect_red(written({.colours = PHOTOMETRIC_SEPARATED, .samples = 4},
                     row_of<std::uint8_t>({0, 255, 255, 0})),
             "CMYK");
  expect_red(written({.bits = 16, .colours = PHOTOMETRIC_SEPARATED, .samples = 4},
                     row_of<std::uint16_t>({0, 65535, 65535, 0})),
             "CMYK of 16 bits");
  expect_red(written({.colours = PHOTOMETRIC_CIELAB}, row_of<std::uint8_t>({138, 81, 70})), "Lab");
  expect_red(written({.planar = PLANARCONFIG_SEPARATE}, "\xFF\xFF\xFF\xFF" + std::string(8, '\0')),
             "planes");
  expect_red(written({.tile = 16}, eight), "tiles");
}

// A file that states much takes no more memory than is said, nor does one that holds much.
class LargePictures : public testing::Test {
 protected:
  void SetUp() override { set_picture_program("", {}); }  // so that its memory is this one's
  void TearDown() override { decode_by_the_program(); }
  // Peak memory in MB of reading it, by a process of its own; -1 where it is refused.
  static int megabytes(const std::string& bytes, const Enough& enough) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto peak = [] {
        rusage used{};
        ::getrusage(RUSAGE_SELF, &used);
        return used.ru_maxrss / 1024;
      };
      const long before = peak();
      int code = 255;
      try {
        decoded(bytes, enough);
        code = static_cast<int>(std::min<long>(254, peak() - before));
      } catch (const InputError&) {
        if (peak() - before > 200) code = 254;  // a picture of 50 million pixels
      }
      ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status) == 255 ? -1 : WEXITSTATUS(status);
  }
};

TEST_F(LargePictures, AreReadInLittleMemory) {
  const cv::Mat flat(9000, 12000, CV_8UC1, cv::Scalar(130));
  for (const char* ending : {".jpg", ".png"}) {
    const std::string file = encoded(ending, flat);
    const int used = megabytes(file, {.longer = 256});
    EXPECT_GE(used, 0) << ending;
    EXPECT_LT(used, 60) << ending;
    const Picture whole = decoded(file);
    EXPECT_EQ(whole.width, 6000) << ending;
    EXPECT_EQ(whole.pixels[0], 130) << ending;
  }
}

TEST_F(LargePictures, ThatAreOnlyStatedTakeLittle) {
  std::string png = encoded(".png", drawn());
  png.replace(16, 8, big(40'000, 4) + big(20'000, 4));
  png.replace(29, 4, chunk("IHDR", png.substr(16, 13)).substr(21));
  EXPECT_EQ(megabytes(png, {}), -1);
  std::string jpeg = encoded(".jpg", drawn(), {.progressive = true});
  jpeg.replace(jpeg.find("\xFF\xC2") + 5, 4, big(30'000, 2) + big(33'000, 2));
  EXPECT_EQ(megabytes(jpeg, {}), -1);
  EXPECT_THAT(refusal_of_picture(jpeg),
              HasSubstr("too large: 33000 x 30000 pixels, whose decoding takes"));
}

// Whatever is wrong with a file, its decoder says nothing by itself.
TEST(PictureKinds, DecodersAreSilent) {
  testing::internal::CaptureStderr();
  for (const std::string& whole :
       {encoded(".jpg", drawn()), encoded(".png", drawn()), encoded(".webp", drawn()), tiff_file(),
        heic_file(), avif_file()}) {
    for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 200) {
      std::string broken = whole;
      broken[at] = static_cast<char>(broken[at] ^ 0x7F);
      refusal_of_picture(broken);
      refusal_of_picture(whole.substr(0, at));
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace hinny
