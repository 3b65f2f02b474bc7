#include "postgres/rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "base/error.h"
#include "base/half.h"
#include "index/folder/index_fixture.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// The default model, of one space.
class TableRowsTest : public IndexFixture {
 protected:
  void SetUp() override {
    fixture = ModelFixture();
    fixture.write(folder / "run");
    write_picture_set(folder / "data", 5);
    rows.assign(5 * 7, 1.0F);
    rows[8] = -2;
    write_npy(folder / "data/features/f.npy", rows, {5, 7});
  }
};

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

TEST_F(TableRowsTest, AreWhatCopyReads) {
  build();
  const Index index = Index::open(folder / "index");
  const TableRows table(index, VectorType::vector);
  const TableRows::Row row = table.row(1);
  std::string digest = row.digest;
  std::erase(digest, '-');
  std::string numbers;
  for (const float x : index.vector_view(1, "image")) {
    numbers += fmt::format("{:08x}", std::bit_cast<std::uint32_t>(x));
  }
  EXPECT_EQ(hexadecimal(row.bytes),
            "0006"                  // fields
            "000000027031"          // id: p1
            "0000000670312e6a7067"  // file: p1.jpg
            "ffffffff"              // no time
            "0000000400000000"      // no penalty
            "00000010" +
                digest +                        // 16 bytes
                "0000001c00060000" + numbers);  // 28 bytes: six numbers
  EXPECT_EQ(copy_header().size(), 19);
}

TEST_F(TableRowsTest, HalveNumbersWhereTwoBytesAreEnough) {
  build();
  const Index index = Index::open(folder / "index");
  const std::string bytes = TableRows(index, VectorType::halfvec).row(0).bytes;
  std::string numbers;
  for (const float x : index.vector_view(0, "image")) {
    numbers += fmt::format("{:04x}", float_to_half(x));
  }
  EXPECT_TRUE(hexadecimal(bytes).ends_with("0000001000060000" + numbers));
}

TEST_F(TableRowsTest, TellChangedRowsByTheirDigests) {
  build();
  const auto digest = [&](std::size_t image) {
    const Index index = Index::open(folder / "index");
    return TableRows(index, VectorType::halfvec).row(image).digest;
  };
  const std::string before = digest(1);
  EXPECT_EQ(digest(1), before);
  rows[7] += 1;
  write_npy(folder / "data/features/f.npy", rows, {5, 7});
  std::filesystem::remove_all(folder / "index");
  build();
  EXPECT_NE(digest(1), before);
}

TEST(TableRows, RefuseWhatOneVectorEachCannotHold) {
  const std::filesystem::path models = HINNY_SOURCE "/tests/old_models";
  const auto rows_of = [](const std::filesystem::path& folder) {
    const Index index = Index::open(folder);
    TableRows(index, VectorType::vector);
  };
  EXPECT_THAT([&] { rows_of(models / "index-spaces"); },
              ThrowsMessage<InputError>(HasSubstr("one image space")));
  EXPECT_THAT([&] { rows_of(models / "index-regions"); },
              ThrowsMessage<InputError>(HasSubstr("compares words with regions")));
}

}  // namespace
}  // namespace hinny
