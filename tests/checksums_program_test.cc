// A bit that changes in an index after it was written: with the whole program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/checksums.h"
#include "base/read_file.h"
#include "tests/program.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class ChecksumsProgram : public testing::Test {
 protected:
  static Outcome must(const std::vector<std::string>& words) {
    Outcome done = run_hinny(words);
    EXPECT_EQ(done.code, 0) << done.err;
    return done;
  }
  void make(const std::string& out, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"index",       old_ / "bag", "--data",
                                      old_ / "data", "--out",      scratch_ / out};
    words.insert(words.end(), more.begin(), more.end());
    must(words);
  }
  void expect_whole(const std::string& name) const {
    EXPECT_THAT(must({"inspect", scratch_ / name, "--verify"}).out, HasSubstr("as they were"))
        << name;
  }

  const fs::path old_ = fs::path(__FILE__).parent_path() / "old_models";
  const Scratch scratch_;
};

TEST_F(ChecksumsProgram, EveryWayToAnIndexWritesThem) {
  make("mine");
  expect_whole("mine");
  must({"index", "remove", scratch_ / "mine", "i33"});
  expect_whole("mine");
  must({"index", "add", scratch_ / "mine", "--data", old_ / "data", "--split", "val"});
  expect_whole("mine");
  make("p1", {"--part", "1/2"});
  make("p2", {"--part", "2/2"});
  expect_whole("p2");
  must({"index", "merge", scratch_ / "p1", scratch_ / "p2", "--out", scratch_ / "all"});
  expect_whole("all");
}

TEST_F(ChecksumsProgram, AFlippedBitIsNamedAndNeverAnswers) {
  make("mine");
  const fs::path index = scratch_ / "mine";
  const auto asked = [&] { return run_hinny({"search", index, "blue car", "--lang", "en"}); };
  const std::string right = asked().out;
  for (const auto& item : fs::recursive_directory_iterator(index)) {
    if (!item.is_regular_file()) continue;
    const std::string name = item.path().filename();
    const std::string whole = read_file(item);
    std::string flipped = whole;
    flipped[whole.size() * 2 / 3] = static_cast<char>(flipped[whole.size() * 2 / 3] ^ 4);
    std::ofstream(item.path(), std::ios::binary) << flipped;
    const Outcome verified = run_hinny({"inspect", index, "--verify", "--json"});
    EXPECT_EQ(verified.code, 2) << name;
    EXPECT_FALSE(json::parse(verified.out)["damaged"].empty()) << name;
    const Outcome answered = asked();
    if (answered.code == 0) {
      EXPECT_EQ(answered.out, right) << name;  // what it did not need
    } else {
      EXPECT_EQ(answered.code, 2) << name;
      EXPECT_THAT(answered.err, HasSubstr("error: ")) << name;
    }
    std::ofstream(item.path(), std::ios::binary) << whole;
  }
  expect_whole("mine");
}

TEST_F(ChecksumsProgram, WhatHasNoneIsToldApart) {
  const Outcome old = run_hinny({"inspect", old_ / "index", "--verify"});
  EXPECT_EQ(old.code, 2);
  EXPECT_THAT(old.err, HasSubstr("has no checksums"));
  EXPECT_THAT(run_hinny({"inspect", old_ / "bag", "--verify"}).err, HasSubstr("is no index"));
}

}  // namespace
}  // namespace hinny
