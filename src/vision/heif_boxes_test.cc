#include "vision/heif_boxes.h"

#include <gtest/gtest.h>

#include <string>

#include "vision/file_bytes_fixture.h"
#include "vision/heif.h"
#include "vision/picture.h"
#include "vision/picture_files_fixture.h"

namespace hinny {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

// The file with its stored tile the thumbnail of two others. Phones write auxiliary pictures so.
std::string with_two_owners(std::string file) {
  std::string meta;
  for_each_box(bytes_of(file), [&](std::string_view type, auto content, auto) {
    if (type == "meta") meta.assign(reinterpret_cast<const char*>(content.data()), content.size());
  });
  std::string changed = meta.substr(0, 4);
  for_each_box(bytes_of(meta).subspan(4), [&](std::string_view type, auto content, auto whole) {
    const std::string inside(reinterpret_cast<const char*>(content.data()), content.size());
    if (type == "iref") {
      changed += box("iref", inside + box("thmb", big(1, 2) + big(2, 2) + big(3, 2) + big(2, 2)));
    } else {
      changed.append(reinterpret_cast<const char*>(whole.data()), whole.size());
    }
  });
  file.replace(file.find("meta"), 4, "free");
  return file + box("meta", changed);
}

TEST(HeifBoxes, WhatStandsBehindThemIsNoPartOfTheFile) {
  for (const std::string& whole : {heic_file(), avif_file()}) {
    const Picture picture = decode_picture(bytes_of(whole));
    for (const std::string& trailer :
         {std::string("\n"), std::string(4096, '\0'), std::string("MotionPhoto_Data") + whole,
          std::string("\0\0\0\x18"
                      "ftypmp42\0\0\0\0mp42isom",
                      24) +
              box("moov", "x") + "mdat",
          std::string(3000, 'x'), whole}) {
      EXPECT_EQ(without_trailer(bytes_of(whole + trailer)).size(), whole.size());
      const Picture read = decode_picture(bytes_of(whole + trailer));
      EXPECT_EQ(read.pixels, picture.pixels);
      EXPECT_EQ(read.warning, "");
    }
  }
}

TEST(HeifBoxes, APictureMayBelongToTwo) {
  const std::string file = with_two_owners(heic_file());
  EXPECT_EQ(decode_picture(bytes_of(file)).pixels, decode_picture(bytes_of(heic_file())).pixels);
  EXPECT_EQ(heif_exif(bytes_of(file)), heif_exif(bytes_of(heic_file())));
  const std::vector<std::byte> single = with_single_owners(bytes_of(file));
  ASSERT_FALSE(single.empty());
  // One owner, the main picture.
  const std::string text(reinterpret_cast<const char*>(single.data()), single.size());
  EXPECT_NE(text.find(box("thmb", big(1, 2) + big(1, 2) + big(2, 2))), std::string::npos);
  EXPECT_TRUE(with_single_owners(single).empty());
  EXPECT_TRUE(with_single_owners(bytes_of(heic_file())).empty());
}

TEST(HeifBoxes, BrokenOnesEnd) {
  const std::string file = with_two_owners(heic_file());
  for (std::size_t i = 0; i < file.size(); ++i) {
    std::string broken = file;
    broken[i] = static_cast<char>(broken[i] ^ 0x7F);
    for (const std::string& bytes : {broken, file.substr(0, i)}) {
      try {
        const auto kept = without_trailer(bytes_of(bytes));
        EXPECT_TRUE(kept.data() == bytes_of(bytes).data() && kept.size() <= bytes.size()) << i;
        // What it changes stands behind the file once more.
        EXPECT_LE(with_single_owners(kept).size(), 2 * kept.size()) << i;
      } catch (const RequestError& error) {
        EXPECT_STRNE(error.what(), "") << i;
      }
    }
  }
}

}  // namespace
}  // namespace hinny
