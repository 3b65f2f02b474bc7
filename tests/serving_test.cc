// hinny serve as a user starts it; what it answers is tested in src/server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "tests/program.h"

namespace hinny {
namespace {

using testing::HasSubstr;

TEST(Serving, OthersAreLetInOnlyWithAKey) {
  for (const char* host : {"0.0.0.0", "::", "192.168.1.2", "example.org"}) {
    const Outcome outcome = run_hinny({"serve", "nowhere", "--host", host});
    EXPECT_EQ(outcome.code, 2) << host;
    EXPECT_THAT(outcome.err, HasSubstr("lets other machines in (expected --api-key-file"));
  }
}

TEST(Serving, AKeyThatIsNoneIsRefused) {
  const Scratch scratch;
  for (const std::string key : {"", "short\n", "with a space in between"}) {
    write_file(scratch / "key", key);
    const Outcome outcome =
        run_hinny({"serve", "nowhere", "--api-key-file", (scratch / "key").string()});
    EXPECT_EQ(outcome.code, 2) << key;
    EXPECT_THAT(outcome.err, HasSubstr("no usable key"));
  }
  write_file(scratch / "key", "0123456789abcdef\n");
  const Outcome outcome =
      run_hinny({"serve", "nowhere", "--api-key-file", (scratch / "key").string()});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("nowhere: no such folder"));
}

TEST(Serving, WhatDoesNotGoTogetherIsRefused) {
  const std::filesystem::path here = std::filesystem::path(__FILE__).parent_path();
  const std::string index = here / "old_models/index";
  const auto refused = [](const std::vector<std::string>& words, const std::string& says) {
    const Outcome outcome = run_hinny(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(says));
  };
  refused({"serve", index, here / "old_models/mule"}, "is a model, among others (expected indexes");
  refused({"serve", "a=" + index, "a=" + index}, "two indexes are called 'a'");
  refused({"serve", "..=" + index}, "'..' is no name of an index");
  refused({"serve", index, "a=nowhere"}, "nowhere: no such folder");
  refused({"serve", index, index, "--in", "postgresql://nobody/none?table=x"},
          "--in with several indexes");
}

}  // namespace
}  // namespace hinny
