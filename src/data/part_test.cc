#include "data/part.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "data/row_parts.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(PartTest, ReadsWhatItIs) {
  EXPECT_EQ(Part::parse("3/16"), (Part{3, 16}));
  EXPECT_EQ(Part::parse("1/1").text(), "1/1");
  for (const char* wrong : {"", "3", "0/4", "5/4", "/4", "1/", "1/0", "-1/4", "1/4x", " 1/4",
                            "1/100001", "1/99999999999999999999"}) {
    EXPECT_THROW(Part::parse(wrong), InputError) << wrong;
  }
}

// Every thing is in one part, in order, and no part has two more than another.
TEST(PartTest, DividesWithoutGaps) {
  for (const std::size_t count : {0U, 1U, 5U, 16U, 100U}) {
    for (const std::size_t total : {1U, 3U, 16U, 40U}) {
      std::size_t end = 0;
      for (std::size_t i = 1; i <= total; ++i) {
        const Part::Range range = Part{i, total}.range(count);
        EXPECT_EQ(range.begin, end);
        EXPECT_LE(range.end - range.begin, count / total + 1);
        EXPECT_GE(range.end - range.begin, count / total);
        end = range.end;
      }
      EXPECT_EQ(end, count);
    }
  }
}

TEST(PartTest, ABrokenRecordIsNamed) {
  const Scratch folder;
  EXPECT_EQ(read_part_record(folder), std::nullopt);
  write_part_record(folder, {{2, 3}, "abc"});
  EXPECT_EQ(read_part_record(folder), (PartRecord{{2, 3}, "abc"}));
  for (const char* text :
       {"", "{}", "{\"part\": \"2/3\"}", "{\"part\": \"4/3\", \"whole\": \"a\"}", "x"}) {
    write_file(folder / kPartFile, text);
    EXPECT_THROW(read_part_record(folder), InputError) << text;
  }
}

TEST(RowPartsTest, StandInTheOrderOfTheirNumbers) {
  const Scratch folder;
  const fs::path file = folder / "x.npy";
  EXPECT_THAT([&] { row_parts(file); }, ThrowsMessage<InputError>(HasSubstr("has no parts")));
  EXPECT_EQ(row_part(file, {3, 16}).filename(), "x.npy.part-03-of-16");
  for (std::size_t i = 11; i >= 1; --i) {
    const fs::path part = row_part(file, {i, 11});
    create_folder(part);
    const std::vector<float> row = {static_cast<float>(i), 0};
    write_npy(part / kRowsFile, row, {1, 2});
    if (i == 2) {
      EXPECT_THAT([&] { row_parts(file); }, ThrowsMessage<InputError>(HasSubstr("is no part")));
    }
    write_part_record(part, {{i, 11}, "w"});
  }
  NpyWriter all(file, {2}, NpyType::float32);
  append_rows(row_parts(file), all, {2});
  all.commit();
  const NpyArray rows = NpyArray::open(file);
  ASSERT_EQ(rows.rows(), 11);
  for (std::int64_t i = 0; i < 11; ++i) {
    std::vector<float> row(2);
    rows.row(i, row);
    EXPECT_EQ(row[0], static_cast<float>(i + 1));
  }
}

}  // namespace
}  // namespace hinny
