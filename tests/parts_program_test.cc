// Work in parts, as a batch system runs it: with the whole programs, on an old model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/read_file.h"
#include "tests/program.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PartsProgram : public testing::Test {
 protected:
  static Outcome must(const std::vector<std::string>& words, const std::string& input = "") {
    RunOptions options;
    options.input = input;
    Outcome done = run_hinny(words, options);
    EXPECT_EQ(done.code, 0) << done.err;
    return done;
  }
  static std::string refused(const std::vector<std::string>& words) {
    const Outcome done = run_hinny(words);
    EXPECT_EQ(done.code, 2) << done.out;
    return done.err;
  }
  std::vector<std::string> index(const std::string& out,
                                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"index",       old_ / "bag", "--data",
                                      old_ / "data", "--out",      scratch_ / out};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static std::map<std::string, std::string> files_of(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& item : fs::recursive_directory_iterator(folder)) {
      if (item.is_regular_file()) files[item.path().lexically_relative(folder)] = read_file(item);
    }
    return files;
  }

  const fs::path old_ = fs::path(__FILE__).parent_path() / "old_models";
  const Scratch scratch_;
};

TEST_F(PartsProgram, AnIndexOfPartsIsTheIndexMadeAtOnce) {
  must(index("whole"));
  for (const char* part : {"1/3", "2/3", "3/3"}) must(index({'p', part[0]}, {"--part", part}));
  const Outcome done = must({"index", "merge", scratch_ / "p2", scratch_ / "p3", scratch_ / "p1",
                             "--out", scratch_ / "all"});
  EXPECT_THAT(done.out, HasSubstr("images of 3 parts"));
  EXPECT_TRUE(files_of(scratch_ / "all") == files_of(scratch_ / "whole"));
  EXPECT_THAT(must({"inspect", scratch_ / "p2"}).out, HasSubstr("2/3"));
  EXPECT_EQ(must({"search", scratch_ / "all", "blue car", "--lang", "en"}).out,
            must({"search", scratch_ / "whole", "blue car", "--lang", "en"}).out);
  EXPECT_THAT(refused({"index", "merge", scratch_ / "p1", "--out", scratch_ / "else"}),
              HasSubstr("missing of 3 parts: 2, 3"));
  EXPECT_THAT(refused({"index", "merge", scratch_ / "p1", "--out", old_}), HasSubstr("no index"));
  EXPECT_THAT(refused(index("x", {"--part", "4/3"})), HasSubstr("part '4/3'"));
}

// However early or late a part is killed, the same command makes it.
TEST_F(PartsProgram, AKilledPartIsMadeAgain) {
  must(index("whole"));
  must(index("p1", {"--part", "1/2"}));
  const auto begun = [&] {
    for (const auto& item : fs::directory_iterator(fs::path(scratch_))) {
      if (item.path().filename().string().starts_with(".p2.")) return true;
    }
    return false;
  };
  RunOptions killed;
  killed.kill_when = begun;
  run_hinny(index("p2", {"--part", "2/2"}), killed);
  must(index("p2", {"--part", "2/2"}));
  must({"index", "merge", scratch_ / "p1", scratch_ / "p2", "--out", scratch_ / "all"});
  EXPECT_TRUE(files_of(scratch_ / "all") == files_of(scratch_ / "whole"));
}

TEST_F(PartsProgram, SentencesOfPartsAreTheFileMadeAtOnce) {
  const std::string bag = old_ / "bag", whole = scratch_ / "whole.npy", file = scratch_ / "v.npy";
  const std::string lines = "red ball\nblau Haus\ngreen car there\nblack tree\n";
  must({"encode", bag, "--out", whole}, lines);
  for (const char* part : {"2/6", "1/6", "3/6", "5/6", "4/6"}) {
    must({"encode", bag, "--part", part, "--out", file}, lines);
  }
  EXPECT_THAT(refused({"encode", bag, "--merge", "--out", file}),
              HasSubstr("missing of 6 parts: 6"));
  must({"encode", bag, "--part", "6/6", "--out", file}, lines + "another\n");
  EXPECT_THAT(refused({"encode", bag, "--merge", "--out", file}), HasSubstr("something else"));
  must({"encode", bag, "--part", "6/6", "--out", file}, lines);
  must({"encode", bag, "--merge", "--out", file});
  EXPECT_EQ(read_file(file), read_file(whole));
  EXPECT_FALSE(fs::exists(file + ".part-1-of-6"));
  EXPECT_THAT(refused({"encode", bag, "--part", "1/2"}), HasSubstr("--out FILE"));
}

}  // namespace
}  // namespace hinny
