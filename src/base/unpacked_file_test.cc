#include "base/unpacked_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "base/atomic_file.h"
#include "base/random.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

class UnpackedFileTest : public testing::Test {
 protected:
  // Text that packs badly, so that its packed form is several blocks long.
  static std::string letters(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::string text;
    while (text.size() < count) text += static_cast<char>(random.below(256));
    return text;
  }
  std::string packed(const std::string& text) const {
    const gzFile file = gzopen((folder / "p").c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return read_file(folder / "p");
  }
  struct Read {
    std::string text;
    std::string problem;
  };
  Read read(const std::string& bytes, std::size_t at_once = 10'000) const {
    write_file(folder / "a", bytes);
    UnpackedFile file(folder / "a");
    Read result;
    std::string piece(at_once, '\0');
    while (const std::size_t count = file.read(piece.data(), piece.size())) {
      result.text.append(piece, 0, count);
    }
    if (file.problem() != nullptr) result.problem = file.problem();
    return result;
  }

  const Scratch folder;
};

TEST_F(UnpackedFileTest, SeveralPartsAreReadAsOne) {
  const std::string first = letters(900'000, 1), second = letters(500, 2);
  for (const std::size_t at_once : {std::size_t{7'001}, std::size_t{2'000'000}}) {
    const Read whole = read(packed(first) + packed("") + packed(second), at_once);
    EXPECT_EQ(whole.text, first + second);
    EXPECT_EQ(whole.problem, "");
  }
  EXPECT_EQ(read(packed(second) + std::string(600, '\0')).text, second) << "padding, as of tapes";
}

TEST_F(UnpackedFileTest, PlainBytesAreThemselves) {
  for (const std::string& text : {std::string(), std::string("\x1f"), std::string("\x1fx"),
                                  std::string("\x8b\x1f"), letters(700'000, 3)}) {
    EXPECT_EQ(read(text).text, text);
    EXPECT_EQ(read(text).problem, "");
  }
}

TEST_F(UnpackedFileTest, WhatIsCutOffOrDamagedIsSaid) {
  const std::string text = letters(600'000, 4), bytes = packed(text);
  for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t{12}}) {
    const Read cut = read(bytes.substr(0, size));
    EXPECT_EQ(cut.problem, "gzip data ends early") << size;
    EXPECT_TRUE(text.starts_with(cut.text));
  }
  std::string damaged = bytes;
  damaged[damaged.size() - 6] ^= 1;  // in its checksum
  EXPECT_EQ(read(damaged).problem, "damaged gzip data");
}

}  // namespace
}  // namespace hinny
