// Films in a folder of pictures, as a user finds and keeps them.
#include <gmock/gmock.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/folders.h"
#include "base/read_file.h"
#include "tests/drawn_bundle.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class FilmsProgram : public DrawnBundle {
 protected:
  void SetUp() override {
    if (!fs::exists(programs_ / "hinny-film")) GTEST_SKIP() << "built without FFmpeg";
    DrawnBundle::SetUp();
    for (const auto& item : fs::directory_iterator(root_)) pictures_.push_back(item.path());
    std::ranges::sort(pictures_);
  }
  // Each of these pictures for three seconds.
  void write_film(const std::string& name, std::size_t first, std::size_t count) const {
    create_folder((fs::path(root_) / name).parent_path());
    std::vector<std::string> words = {fs::path(root_) / name, "256", "256", "3"};
    for (std::size_t i = 0; i < count; ++i) words.push_back(pictures_[first + i]);
    const Outcome done = run_program((programs_ / "write_film").c_str(), words);
    ASSERT_EQ(done.code, 0) << done.err;
  }
  Outcome index(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"index", *made_ / "bundle", "--pictures", root_, "--out",
                                      mine_,   "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  }
  json indexed(const std::vector<std::string>& more = {}) const {
    const Outcome done = index(more);
    EXPECT_EQ(done.code, 0) << done.err;
    return json::parse(done.out, nullptr, false);
  }
  json search(std::vector<std::string> more) const {
    more.insert(more.begin(), {"search", mine_, "--json"});
    const Outcome found = run_hinny(more);
    EXPECT_EQ(found.code, 0) << found.err;
    return json::parse(found.out, nullptr, false)["results"];
  }
  std::string id_of(std::size_t picture) const { return pictures_[picture].filename(); }

  const fs::path programs_ = fs::path(HINNY_PROGRAM).parent_path();
  std::vector<fs::path> pictures_;
};

TEST_F(FilmsProgram, AreFoundWithTheirSecond) {
  write_film("walks/one.mp4", 0, 3);
  write_film("walks/two.webm", 3, 4);
  const json report = indexed();
  EXPECT_EQ(report["indexed_films"], 2);
  EXPECT_EQ(report["films"], 0);
  EXPECT_EQ(report["added"], 62);
  EXPECT_GE(report["frames"], 5);
  for (const std::size_t picture : {std::size_t{1}, std::size_t{4}}) {
    const json results = search({"--like", id_of(picture), "-k", "3", "--kind", "film"});
    ASSERT_GE(results.size(), 1U);
    EXPECT_EQ(results[0]["relative_file"], picture == 1 ? "walks/one.mp4" : "walks/two.webm");
    const double second = results[0]["second"];
    EXPECT_GE(second, 3);
    EXPECT_LT(second, 6);
    EXPECT_LE(results.size(), 2U) << "one result of each film";
  }
  EXPECT_GT(search({"three yellow cups", "-k", "100", "--kind", "film", "--each-frame"}).size(),
            2U);
  EXPECT_EQ(search({"three yellow cups", "-k", "100", "--kind", "picture"}).size(), 60U);
  const Outcome text =
      run_hinny({"search", mine_, "--like", id_of(1), "--kind", "film", "-k", "1"});
  EXPECT_THAT(text.out, HasSubstr("walks/one.mp4 at 0:0"));
}

TEST_F(FilmsProgram, AreReadOnce) {
  write_film("one.mp4", 0, 2);
  write_film("two.mp4", 2, 2);
  const auto frames = indexed()["frames"];
  json again = indexed();
  EXPECT_EQ(again["encoded"], 0);
  EXPECT_EQ(again["kept"], 62);
  create_folder(fs::path(root_) / "moved");
  fs::rename(fs::path(root_) / "one.mp4", fs::path(root_) / "moved/one.mp4");
  again = indexed();
  EXPECT_EQ(again["encoded"], 0);
  EXPECT_EQ(again["moved"], 1);
  EXPECT_EQ(again["frames"], frames);
  EXPECT_EQ(indexed({"--film-frames", "1"})["frames"], 2);
  fs::remove(fs::path(root_) / "two.mp4");
  EXPECT_EQ(indexed()["frames"], 1);
  EXPECT_EQ(indexed({"--film-frames", "0"})["films"], 1);
}

TEST_F(FilmsProgram, WhatCannotBeReadIsNamedAndTheRestIsFound) {
  write_film("good.mp4", 0, 2);
  write_film("cut.mkv", 0, 4);
  fs::resize_file(fs::path(root_) / "cut.mkv", fs::file_size(fs::path(root_) / "cut.mkv") / 2);
  write_file(fs::path(root_) / "empty.mp4", "");
  write_file(fs::path(root_) / "none.avi", "no film");
  const Outcome done = index();
  ASSERT_EQ(done.code, 0) << done.err;
  const json report = json::parse(done.out, nullptr, false);
  EXPECT_EQ(report["indexed_films"], 2);
  EXPECT_EQ(report["broken"].size(), 2U);
  EXPECT_THAT(done.err, HasSubstr("empty.mp4: no film of a kind that is read"));
  EXPECT_THAT(done.err, HasSubstr("none.avi: no film of a kind that is read"));
}

// hinny without its program for films, or with one that does not work.
TEST_F(FilmsProgram, WithoutTheirProgramAreCounted) {
  write_film("one.mp4", 0, 2);
  write_film("two.mp4", 2, 2);
  const fs::path apart = scratch_ / "programs";
  create_folder(apart);
  for (const char* name : {"hinny", "hinny-data", "hinny-vision"}) {
    fs::copy_file(programs_ / name, apart / name);
  }
  const std::vector<std::string> words = {"index", *made_ / "bundle", "--pictures",
                                          root_,   "--out",           mine_};
  const std::string program = apart / "hinny";
  Outcome done = run_program(program.c_str(), words);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("2 films left out: hinny-film is not installed"));
  EXPECT_THAT(done.out, HasSubstr(": 60 pictures ("));
  write_file(apart / "hinny-film", "#!/bin/sh\nkill -SEGV $$\n");
  fs::permissions(apart / "hinny-film", fs::perms::owner_all);
  done = run_program(program.c_str(), words);
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("one.mp4: what reads it crashed (signal 11)"));
  EXPECT_THAT(done.err, HasSubstr("two.mp4: what reads it crashed (signal 11)"));
  // With one that works they come in: it is another reader.
  EXPECT_EQ(indexed()["indexed_films"], 2);
}

}  // namespace
}  // namespace hinny
