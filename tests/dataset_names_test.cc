// A dataset is named by its folder, or by its name inside $HINNY_DATA, wherever a verb takes one.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/program.h"

namespace hinny {
namespace {

using testing::HasSubstr;

TEST(DatasetNames, FeaturesAndInspectLookInsideTheRoot) {
  const Scratch scratch;
  ASSERT_EQ(run_hinny({"draw", "--out", scratch / "drawn", "--images", "10"}).code, 0);
  ::setenv("HINNY_DATA", std::filesystem::path(scratch).c_str(), 1);

  Outcome outcome = run_hinny({"features", "drawn", "--encoder", "builtin"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  outcome = run_hinny({"inspect", "drawn", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("builtin-1"));

  outcome = run_hinny({"features", "dawn"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no dataset folder 'dawn', nor one in "));
  outcome = run_hinny({"inspect", "dawn"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("dawn: no such file or folder"));
}

}  // namespace
}  // namespace hinny
