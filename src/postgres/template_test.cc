#include "postgres/template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(SqlTemplate, FillsInNamesAndLeavesOtherBraces) {
  const Scratch folder;
  write_file(folder / "t.sql",
             "-- mine\n--- file: of one\nSELECT '{}', '{1,2}' FROM {table} -- {\n");
  const SqlTemplate mine(folder / "t.sql");
  EXPECT_EQ(mine.fill("file", {{"table", "\"a\""}}), "SELECT '{}', '{1,2}' FROM \"a\" -- {\n");
  EXPECT_THAT(mine.fill("vector", {{"table", "x"}}), HasSubstr("FROM x"));
}

TEST(SqlTemplate, NamesWhatItDoesNotKnow) {
  const Scratch folder;
  write_file(folder / "part.sql", "--- file: x\nSELECT 1\n--- nearst: x\nSELECT 2\n");
  EXPECT_THAT([&] { SqlTemplate(folder / "part.sql"); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("part.sql:3: "), HasSubstr("did you mean 'nearest'?"))));
  write_file(folder / "name.sql", "--- file\nSELECT {tabel}\n");
  const SqlTemplate name(folder / "name.sql");
  EXPECT_THAT(
      [&] {
        name.fill("file", {{"table", "x"}});
      },
      ThrowsMessage<InputError>(
          AllOf(HasSubstr("'file' names {tabel}"), HasSubstr("did you mean 'table'?"))));
}

}  // namespace
}  // namespace hinny
