#include <gtest/gtest.h>
#include <zlib.h>

#include <ctime>
#include <fstream>
#include <string>

#include "base/atomic_file.h"
#include "base/day.h"
#include "tests/scratch.h"
#include "vision/file_bytes_fixture.h"
#include "vision/picture_facts.h"
#include "vision/picture_files_fixture.h"

namespace hinny {
namespace {

using namespace std::string_literals;

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
  return text;
}

// A TIFF directory with a time in it or, of `below`, in the directory of EXIF.
std::string tiff(std::uint32_t tag, std::string time, bool below = true) {
  if (time.size() < 20) time.resize(20, '\0');
  const auto directory = [](std::uint32_t name, std::uint32_t type, std::size_t count,
                            std::size_t at) {
    return little(1, 2) + little(name, 2) + little(type, 2) + little(count, 4) + little(at, 4) +
           little(0, 4);
  };
  const std::string head = "II*\0"s + little(8, 4);
  if (!below) return head + directory(tag, 2, time.size(), 26) + time;
  return head + directory(0x8769, 4, 1, 26) + directory(tag, 2, time.size(), 44) + time;
}
std::string exif(const std::string& time) { return tiff(0x9003, time); }

// The same in a BigTIFF file, of the other order of bytes.
std::string big_tiff(const std::string& time) {
  const auto directory = [](std::uint32_t name, std::uint32_t type, std::size_t count,
                            std::size_t at) {
    return big(1, 8) + big(name, 2) + big(type, 2) + big(count, 8) + big(at, 8) + big(0, 8);
  };
  return "MM\0+\0\x08\0\0"s + big(16, 8) + directory(0x8769, 13, 1, 52) +
         directory(0x9003, 2, time.size(), 88) + time;
}

std::string segment(int marker, const std::string& bytes) {
  return "\xff"s + static_cast<char>(marker) + big(bytes.size() + 2, 2) + bytes;
}
// Only the parts that say something; there is no picture in it.
std::string jpeg(const std::string& segments) { return "\xff\xd8" + segments + "\xff\xda"; }
std::string exif_jpeg(const std::string& tiff) { return jpeg(segment(0xE1, "Exif\0\0"s + tiff)); }
std::string png_note(const std::string& type, const std::string& bytes) {
  return big(bytes.size(), 4) + type + bytes + "crc.";
}
std::string png(const std::string& chunks) {
  return "\x89PNG\r\n\x1A\n" + png_note("IHDR", "x") + chunks + png_note("IEND", "");
}
std::string webp(const std::string& type, const std::string& bytes) {
  return "RIFF" + little(bytes.size() + 30, 4) + "WEBPVP8X" + little(9, 4) + "123456789\0"s + type +
         little(bytes.size(), 4) + bytes;
}
std::string packed(const std::string& text) {
  std::string bytes(text.size() + 100, '\0');
  uLongf size = bytes.size();
  ::compress(reinterpret_cast<Bytef*>(bytes.data()), &size,
             reinterpret_cast<const Bytef*>(text.data()), text.size());
  return bytes.substr(0, size);
}
std::string hex(const std::string& bytes) {
  std::string text;
  for (const unsigned char c : bytes) {
    text += "0123456789abcdef"[c / 16];
    text += "0123456789abcdef"[c % 16];
    if (text.size() % 37 == 36) text += '\n';
  }
  return text;
}

// XMP with an attribute or an element.
std::string xmp(const std::string& inside, const std::string& attributes = "") {
  return R"(<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">)"
         R"(<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">)"
         R"(<rdf:Description rdf:about="" xmlns:e="http://ns.adobe.com/exif/1.0/")"
         R"( xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/")"
         R"( xmlns:xmp="http://ns.adobe.com/xap/1.0/" )" +
         attributes + ">" + inside + "</rdf:Description></rdf:RDF></x:xmpmeta>";
}
std::string xmp_jpeg(const std::string& text) {
  return jpeg(segment(0xE1, "http://ns.adobe.com/xap/1.0/\0"s + text));
}

class PictureTime : public testing::Test {
 protected:
  std::string of(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    const auto taken = picture_facts(folder_ / name).taken;
    if (!taken) return "unknown";
    constexpr const char* kNames[] = {"exif", "xmp", "name", "file"};
    return time_text(taken->at) + " " + kNames[static_cast<int>(taken->from)];
  }
  std::string of(const std::string& bytes) const { return of("a.jpg", bytes); }
  const Scratch folder_;
};

constexpr const char* kExifTime = "2011:03:04 05:06:07";
constexpr const char* kByCamera = "2011-03-04 05:06:07 exif";
constexpr const char* kByProgram = "2011-03-04 05:06:07 xmp";

TEST_F(PictureTime, IsWhatTheCameraWrote) {
  EXPECT_EQ(of(exif_jpeg(exif("2024:06:15 10:30:05"))), "2024-06-15 10:30:05 exif");
  EXPECT_EQ(of(exif_jpeg(exif("1999:12:31 23:59:59"))), "1999-12-31 23:59:59 exif");
  EXPECT_EQ(of(exif_jpeg(tiff(0x9004, kExifTime))), kByCamera);
  EXPECT_EQ(of(exif_jpeg(tiff(0x0132, kExifTime, false))), kByCamera);
  EXPECT_EQ(of(exif_jpeg(tiff(0x9003, kExifTime, false))), kByCamera);
  EXPECT_EQ(of(exif_jpeg(tiff(0x0132, kExifTime, true))), "unknown");  // no such thing there
}

// EXIF is not always the first segment, and bytes may lie between them.
TEST_F(PictureTime, IsFoundAnywhereInAJpeg) {
  const std::string notes = segment(0xE1, "Exif\0\0"s + exif(kExifTime));
  EXPECT_EQ(of(jpeg(segment(0xE0, "JFIF") + segment(0xE2, std::string(60'000, 'x')) + notes)),
            kByCamera);
  EXPECT_EQ(of(jpeg(segment(0xE1, "something else") + "\0\0\0"s + notes)), kByCamera);
  EXPECT_EQ(of(jpeg("\xff\xff\xff" + notes)), kByCamera);
  EXPECT_EQ(of("\xff\xd8" + notes), kByCamera);  // cut off
  EXPECT_EQ(of(jpeg("") + notes), "unknown");    // behind the picture
}

TEST_F(PictureTime, IsKnownOfOtherFormats) {
  EXPECT_EQ(of(heic_file()), "2023-07-08 09:10:11 exif");
  EXPECT_EQ(of(avif_file()), "2023-07-08 09:10:11 exif");
  EXPECT_EQ(of(tiff_file()), "2022-03-04 05:06:07 exif");
  EXPECT_EQ(of(big_tiff(kExifTime)), kByCamera);
  EXPECT_EQ(of(tiff(700, xmp("", R"(photoshop:DateCreated="2011-03-04T05:06:07")"), false)),
            kByProgram);
  EXPECT_EQ(of(png(png_note("eXIf", exif(kExifTime)))), kByCamera);
  EXPECT_EQ(of(png(png_note("IDAT", std::string(5000, 'x')) + png_note("eXIf", exif(kExifTime)))),
            kByCamera);
  const std::string profile = "\nexif\n      90\n" + hex("Exif\0\0"s + exif(kExifTime)) + "\n";
  EXPECT_EQ(of(png(png_note("zTXt", "Raw profile type exif\0\0"s + packed(profile)))), kByCamera);
  EXPECT_EQ(of(png(png_note("tEXt", "Raw profile type APP1\0"s + profile))), kByCamera);
  EXPECT_EQ(of(webp("EXIF", exif(kExifTime))), kByCamera);
  EXPECT_EQ(of(webp("EXIF", "Exif\0\0"s + exif(kExifTime))), kByCamera);
}

TEST_F(PictureTime, IsWhatProgramsWrote) {
  EXPECT_EQ(of(xmp_jpeg(xmp("", R"(e:DateTimeOriginal="2011-03-04T05:06:07+02:00")"))), kByProgram);
  EXPECT_EQ(of(xmp_jpeg(xmp("<e:DateTimeOriginal> 2011-03-04T05:06:07.25Z</e:DateTimeOriginal>"))),
            kByProgram);
  EXPECT_EQ(of(xmp_jpeg(xmp("<photoshop:DateCreated><rdf:Seq><rdf:li>2011-03-04</rdf:li></rdf:Seq>"
                            "</photoshop:DateCreated>"))),
            "2011-03-04 00:00:00 xmp");
  EXPECT_EQ(of(xmp_jpeg(xmp("", R"(xmp:CreateDate="2011-03-04T05:06:07")"))), kByProgram);
  // Other names of the same look are other things.
  EXPECT_EQ(of(xmp_jpeg(xmp("", R"(photoshop:DateTimeOriginal="2011-03-04T05:06:07")"))),
            "unknown");
  const std::string itxt = "XML:com.adobe.xmp\0"s;
  const std::string says = xmp("", R"(e:DateTimeOriginal="2011-03-04T05:06:07")");
  EXPECT_EQ(of(png(png_note("iTXt", itxt + "\0\0en\0\0"s + says))), kByProgram);
  EXPECT_EQ(of(png(png_note("iTXt", itxt + "\1\0\0\0"s + packed(says)))), kByProgram);
  EXPECT_EQ(of(webp("XMP ", says)), kByProgram);
}

// More than a segment holds stands in several of them.
TEST_F(PictureTime, IsFoundInTheSecondPartOfXmp) {
  const std::string more =
      xmp("<x>" + std::string(200, 'y') + "</x>", R"(e:DateTimeOriginal="2011-03-04T05:06:07")");
  const auto part = [&](std::size_t begin, std::size_t size) {
    return segment(0xE1, "http://ns.adobe.com/xmp/extension/\0"s + std::string(32, 'A') +
                             big(more.size(), 4) + big(begin, 4) + more.substr(begin, size));
  };
  const std::string first = "http://ns.adobe.com/xap/1.0/\0"s + xmp("");
  EXPECT_EQ(of(jpeg(segment(0xE1, first) + part(300, 100'000) + part(0, 300))), kByProgram);
}

TEST_F(PictureTime, IsFoundBesideTheFile) {
  const std::string says = xmp("", R"(e:DateTimeOriginal="2011-03-04T05:06:07")");
  for (const char* sidecar : {"b.jpg.xmp", "b.xmp", "b.XMP"}) {
    write_file(folder_ / sidecar, says);
    EXPECT_EQ(of("b.jpg", jpeg("")), kByProgram) << sidecar;
    std::filesystem::remove(folder_ / sidecar);
  }
  std::filesystem::create_directory(folder_ / "b.xmp");
  EXPECT_EQ(of("b.jpg", jpeg("")), "unknown");
}

// The moment of taking goes before that of writing, and what is no time counts for nothing.
TEST_F(PictureTime, ComesFromTheBestThatSaysSomething) {
  const std::string says = xmp("", R"(photoshop:DateCreated="2010-01-02")");
  const auto with_xmp = [&](const std::string& tiff) {
    return jpeg(segment(0xE1, "http://ns.adobe.com/xap/1.0/\0"s + says) +
                segment(0xE1, "Exif\0\0"s + tiff));
  };
  EXPECT_EQ(of("IMG_20090101.jpg", with_xmp(exif(kExifTime))), kByCamera);
  EXPECT_EQ(of("IMG_20090101.jpg", with_xmp(exif("0000:00:00 00:00:00"))),
            "2010-01-02 00:00:00 xmp");
  EXPECT_EQ(of("IMG_20090101.jpg", exif_jpeg(exif("    :  :     :  :  "))),
            "2009-01-01 00:00:00 name");
  EXPECT_EQ(of("IMG_20090101.jpg", "no picture"), "2009-01-01 00:00:00 name");
}

TEST_F(PictureTime, IsUnknownWhereNothingOfUseIsThere) {
  for (const char* time : {"", "    :  :     :  :  ", "0000:00:00 00:00:00", "2024:13:01 10:00:00",
                           "2999:01:01 00:00:00", "nonsense nonsense!!"}) {
    EXPECT_EQ(of(exif_jpeg(exif(time))), "unknown") << time;
  }
  EXPECT_EQ(of(""), "unknown");
  EXPECT_EQ(of("no picture"), "unknown");
  EXPECT_EQ(picture_facts("/nowhere/at/all.jpg"), PictureFacts{});
}

// Entities that grow are not read, and what is broken is read up to there.
TEST_F(PictureTime, XmpIsNoWayToHarm) {
  std::string bomb = R"(<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">)";
  for (char c = 'b'; c < 'z'; ++c) {
    bomb += "<!ENTITY "s + c + " \"";
    for (int i = 0; i < 10; ++i) bomb += "&"s + static_cast<char>(c - 1) + ";";
    bomb += "\">";
  }
  EXPECT_EQ(of(xmp_jpeg(bomb + "]><x>&y;</x>")), "unknown");
  const std::string says = xmp("", R"(e:DateTimeOriginal="2011-03-04T05:06:07")");
  EXPECT_EQ(of(xmp_jpeg(says.substr(0, says.size() - 20) + "<<<")), kByProgram);
}

// Whatever a broken file holds, reading it ends and takes nothing down.
TEST_F(PictureTime, ABrokenFileIsNoHarm) {
  const std::string says = xmp("", R"(e:DateTimeOriginal="2011-03-04T05:06:07")");
  const std::string next_year = time_text(std::time(nullptr) + 2 * 366 * 24 * 3600);
  for (const std::string& whole : {exif_jpeg(exif(kExifTime)), heic_file(), tiff_file(),
                                   big_tiff(kExifTime), webp("EXIF", exif(kExifTime)),
                                   png(png_note("eXIf", exif(kExifTime)) +
                                       png_note("iTXt", "XML:com.adobe.xmp\0\0\0\0\0"s + says))}) {
    const std::size_t step = 1 + whole.size() / 50;
    // None, or one that a camera could have written.
    const auto harmless = [&](const std::string& bytes) {
      const std::string text = of(bytes);
      EXPECT_TRUE(text == "unknown" || (text >= "1826" && text <= next_year)) << text;
    };
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += step)
      harmless(whole.substr(0, bytes));
    for (std::size_t at = 0; at < whole.size(); at += step) {
      for (const char bits : {'\x01', '\x80', '\xff'}) {
        std::string broken = whole;
        broken[at] = static_cast<char>(broken[at] ^ bits);
        harmless(broken);
      }
    }
  }
}

}  // namespace
}  // namespace hinny
