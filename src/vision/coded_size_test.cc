#include "vision/coded_size.h"

#include <gmock/gmock.h>

#include <string>

#include "base/request_error.h"
#include "vision/file_bytes_fixture.h"
#include "vision/picture.h"
#include "vision/picture_files_fixture.h"

namespace hinny {
namespace {

using testing::HasSubstr;

// Bits as bytes, filled with zeros.
class BitText {
 public:
  BitText& add(std::uint64_t value, int count) {
    for (int i = count - 1; i >= 0; --i) bits_ += (value >> i & 1U) != 0 ? '1' : '0';
    return *this;
  }
  BitText& golomb(std::uint64_t value) {
    int length = 0;
    while (value + 1 >= std::uint64_t{2} << length) ++length;
    return add(0, length).add(value + 1, length + 1);
  }
  std::string bytes() const {
    std::string text;
    for (std::size_t i = 0; i < bits_.size(); i += 8) {
      std::string eight = bits_.substr(i, 8);
      eight.resize(8, '0');
      text += static_cast<char>(std::stoi(eight, nullptr, 2));
    }
    return text;
  }

 private:
  std::string bits_;
};

// A parameter set of HEVC with its header; `layers` of them say their level.
std::string hevc(std::uint64_t width, std::uint64_t height, int layers = 0) {
  BitText bits;
  bits.add(33, 7).add(1, 9).add(0, 4).add(static_cast<std::uint64_t>(layers), 3).add(1, 1);
  for (int i = 0; i < 12; ++i) bits.add(0xAB, 8);
  for (int i = 0; i < layers; ++i) bits.add(1, 2);
  for (int i = layers; layers > 0 && i < 8; ++i) bits.add(0, 2);
  for (int i = 0; i < layers; ++i) bits.add(90, 8);
  bits.golomb(0).golomb(1).golomb(width).golomb(height).golomb(0).golomb(5);
  return bits.bytes();
}
std::string av1(std::uint64_t width, std::uint64_t height, int wide, int high) {
  const std::string header = BitText()
                                 .add(0, 3)
                                 .add(3, 2)
                                 .add(4, 5)
                                 .add(static_cast<std::uint64_t>(wide - 1), 4)
                                 .add(static_cast<std::uint64_t>(high - 1), 4)
                                 .add(width - 1, wide)
                                 .add(height - 1, high)
                                 .bytes();
  return std::string("\x12\x00\x0A", 3) + static_cast<char>(header.size()) + header;
}

// A file of one item, and how its stream is described.
std::string file(const std::string& type, const std::string& description, const std::string& item) {
  const std::string start = box("ftyp", "heicmif1");
  const auto meta = [&](std::size_t at) {
    const std::string place = big(0, 4) + big(0x4400, 2) + big(1, 2) + big(1, 2) + big(0, 2) +
                              big(1, 2) + big(at, 4) + big(item.size(), 4);
    return box("meta",
               big(0, 4) + box("iprp", box("ipco", box(type, description))) + box("iloc", place));
  };
  return start + meta(start.size() + meta(0).size() + 8) + box("mdat", item);
}
std::string hevc_description(const std::string& set) {
  return std::string(22, '\1') + big(1, 1) + big(33, 1) + big(1, 2) + big(set.size(), 2) + set;
}

std::string refusal_of_sizes(const std::string& bytes) {
  try {
    check_coded_sizes(std::as_bytes(std::span(bytes)));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CodedSize, IsThatOfTheStream) {
  const std::string small = hevc(4032, 3024);
  for (const int layers : {0, 1, 6}) {
    const std::string large = hevc(20000, 10000, layers);
    EXPECT_THAT(refusal_of_sizes(file("hvcC", hevc_description(large), "")),
                HasSubstr("too large: a stream of 20000 x 10000 pixels"));
    EXPECT_EQ(refusal_of_sizes(file("hvcC", hevc_description(hevc(4032, 3024, layers)), "")),
              "accepted");
    // Among the data, behind another unit.
    const std::string item = big(3, 4) + "\x02\x01x" + big(large.size(), 4) + large;
    EXPECT_THAT(refusal_of_sizes(file("hvcC", hevc_description(small), item)),
                HasSubstr("20000 x 10000"));
  }
}

TEST(CodedSize, IsCheckedOfEveryPicture) {
  const std::string bytes = file("hvcC", hevc_description(hevc(20000, 10000)), "");
  try {
    decode_picture(std::as_bytes(std::span(bytes)));
    ADD_FAILURE() << "accepted";
  } catch (const RequestError& error) {
    EXPECT_THAT(error.what(), HasSubstr("too large: a stream of 20000 x 10000 pixels"));
  }
}

TEST(CodedSize, OfAv1) {
  const std::string flags = "\x81\x04\x0c\x01";
  EXPECT_EQ(refusal_of_sizes(file("av1C", flags + av1(4032, 3024, 12, 12), "")), "accepted");
  EXPECT_THAT(refusal_of_sizes(file("av1C", flags + av1(20000, 10000, 15, 14), "")),
              HasSubstr("too large: a stream of 20000 x 10000 pixels"));
  EXPECT_THAT(refusal_of_sizes(file("av1C", flags, av1(20000, 10000, 15, 14))),
              HasSubstr("20000 x 10000"));
  // A frame of it may be as large as its bits.
  EXPECT_THAT(refusal_of_sizes(file("av1C", flags, av1(64, 64, 16, 16))),
              HasSubstr("65536 x 65536"));
}

TEST(CodedSize, OfRealFilesIsTaken) {
  EXPECT_EQ(refusal_of_sizes(heic_file()), "accepted");
  EXPECT_EQ(refusal_of_sizes(avif_file()), "accepted");
}

// Many items in the same place: none is read for ever.
TEST(CodedSize, BrokenFilesEnd) {
  std::string many = file("hvcC", hevc_description(hevc(64, 64)), std::string(1000, 'x'));
  const std::size_t at = many.find("iloc") + 10;
  many.replace(at, 2, big(0xFFFF, 2));
  EXPECT_NE(refusal_of_sizes(many), "accepted");
  const std::string whole = heic_file();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string broken = whole;
    broken[i] = static_cast<char>(broken[i] ^ 0x7F);
    refusal_of_sizes(broken);
    refusal_of_sizes(whole.substr(0, i));
  }
}

}  // namespace
}  // namespace hinny
