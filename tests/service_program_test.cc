// hinny service: units of systemd, written, told of and removed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/folders.h"
#include "base/read_file.h"
#include "tests/program.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

// The words of a unit's ExecStart as systemd reads them (systemd.syntax(7), systemd.service(5)).
Words exec_words(const std::string& unit) {
  const std::string key = "\nExecStart=:";  // no variables
  std::size_t at = unit.find(key) + key.size();
  const std::string line = unit.substr(at, unit.find('\n', at) - at);
  Words words;
  for (std::size_t i = 0; i < line.size();) {
    EXPECT_EQ(line[i], '"') << line;
    std::string word;
    for (++i; i < line.size() && line[i] != '"'; ++i) {
      if (line[i] == '%') {
        EXPECT_EQ(line[++i], '%') << "a specifier in " << line;
        word += '%';
      } else if (line[i] == '\\' && line[i + 1] == 'x') {
        word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
        i += 3;
      } else {
        word += line[i] == '\\' ? line[++i] : line[i];
      }
    }
    words.push_back(word);
    i += 2;  // the quote, and the blank behind it
  }
  return words;
}

class ServiceProgram : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("XDG_CONFIG_HOME", (scratch / "config").c_str(), 1);
    ::setenv("PATH", (scratch / "bin").c_str(), 1);
    create_folder(scratch / "bin");
    create_folder(scratch / "pictures");
    create_folder(scratch / "clip");
  }
  void TearDown() override {
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"}) ::unsetenv(name);
    ::setenv("PATH", path_before.c_str(), 1);
  }

  Outcome install(const Words& more = {}) const {
    Words words = {"service", "install",       scratch / "clip", "--pictures", scratch / "pictures",
                   "--out",   scratch / "mine"};
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  }
  fs::path unit(const std::string& name) const { return scratch / "config/systemd/user" / name; }
  std::string text(const std::string& name) const { return read_file(unit(name)); }

  // Writes down how it is called, and says so; fails for words that hold `fails_for`.
  void put_systemctl(const std::string& fails_for = "nothing") const {
    const std::string log = scratch / "called";
    write_file(log, "");
    write_file(scratch / "bin/systemctl",
               "#!/bin/sh\necho \"$@\" >>'" + log + "'\ncase \"$*\" in *'" + fails_for +
                   "'*) echo no bus; exit 1;; *is-active*serve*) echo active;; "
                   "*is-active*) echo activating; exit 3;; esac\n");
    fs::permissions(scratch / "bin/systemctl", fs::perms::owner_all);
  }
  std::string called() const { return read_file(scratch / "called"); }

  const std::string path_before = std::getenv("PATH");
  const Scratch scratch;
};

TEST_F(ServiceProgram, InstallsOneThatFollowsAndOneThatServes) {
  const Outcome done = install({"--exclude", "*.png", "--exclude", "Scans/"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("no systemctl here"));
  EXPECT_THAT(done.out, HasSubstr("\n  systemctl --user daemon-reload\n"));
  EXPECT_THAT(done.out, HasSubstr("\n  systemctl --user enable hinny-serve-mine.service\n"));
  EXPECT_THAT(done.out, HasSubstr("http://127.0.0.1:8080/"));
  const std::string program = fs::canonical(HINNY_PROGRAM);
  const std::string serve = text("hinny-serve-mine.service"),
                    index = text("hinny-index-mine.service");
  EXPECT_THAT(exec_words(serve),
              ElementsAre(program, "serve", "mine=" + (scratch / "mine").string(), "--port", "8080",
                          "--host", "127.0.0.1"));
  EXPECT_THAT(
      exec_words(index),
      ElementsAre(program, "index", scratch / "clip", "--pictures", scratch / "pictures", "--out",
                  scratch / "mine", "--watch", "--exclude", "*.png", "--exclude", "Scans/"));
  EXPECT_THAT(serve, HasSubstr("\nWants=hinny-index-mine.service\n"));
  EXPECT_THAT(serve, HasSubstr("\nWantedBy=default.target\n"));
  EXPECT_THAT(index, HasSubstr("\nPartOf=hinny-serve-mine.service\n"));
  // The same again, with other options, is no other service.
  EXPECT_EQ(install({"--port", "9000"}).code, 0);
  EXPECT_THAT(exec_words(text("hinny-serve-mine.service")), testing::Contains("9000"));
}

// Whatever a path is made of, the programs are given it.
TEST_F(ServiceProgram, PathsAreGivenAsTheyAre) {
  const Words names = {
      "a b",          "100 %", "%h%%n", "$HOME ${HOME}",    "quo\"te's", "back\\slash\\x41",
      "new\nline",    "tab\t", "; rm",  "\u732b caf\u00e9", "caf\xE9",   "@:+!-",
      "# no comment", "\\"};
  for (const std::string& name : names) {
    const fs::path pictures = scratch / name / "pictures";
    create_folder(pictures);
    const Outcome done =
        run_hinny({"service", "install", scratch / "clip", "--pictures", pictures, "--out",
                   scratch / name / "mine", "--name", "odd", "--exclude", name});
    ASSERT_EQ(done.code, 0) << done.err;
    const Words words = exec_words(text("hinny-index-odd.service"));
    ASSERT_EQ(words.size(), 10U) << text("hinny-index-odd.service");
    EXPECT_EQ(words[4], pictures);
    EXPECT_EQ(words[6], scratch / name / "mine");
    EXPECT_EQ(words[9], name);
    EXPECT_EQ(exec_words(text("hinny-serve-odd.service"))[2], "odd=" + words[6]);
    if (fs::exists("/usr/bin/systemd-analyze")) {  // which wants a place of its own
      ::setenv("XDG_RUNTIME_DIR", (scratch / "config").c_str(), 1);
      const Outcome verified =
          run_program("/usr/bin/systemd-analyze",
                      {"verify", "--user", "--man=no", unit("hinny-index-odd.service"),
                       unit("hinny-serve-odd.service")});
      EXPECT_EQ(verified.code, 0) << verified.err;
      EXPECT_EQ(verified.err, "") << name;
    }
    EXPECT_EQ(run_hinny({"service", "remove", "odd"}).code, 0);
  }
}

TEST_F(ServiceProgram, NothingOfOthersIsOverwrittenOrRemoved) {
  ASSERT_EQ(install().code, 0);
  const std::string whole = text("hinny-serve-mine.service");
  for (const std::string& other : {std::string("[Service]\n"), std::string(), whole + "Nice=5\n",
                                   whole.substr(whole.find('\n') + 1)}) {
    write_file(unit("hinny-serve-mine.service"), other);
    for (const Outcome& outcome : {install(), run_hinny({"service", "remove", "mine"})}) {
      EXPECT_EQ(outcome.code, 2) << other;
      EXPECT_THAT(outcome.err, HasSubstr("is not as hinny service wrote it"));
    }
    EXPECT_EQ(text("hinny-serve-mine.service"), other);
    EXPECT_TRUE(fs::exists(unit("hinny-index-mine.service")));
    const Outcome told = run_hinny({"service", "status"});
    EXPECT_EQ(told.code, 0);
    EXPECT_THAT(told.err, HasSubstr("is not as hinny service wrote it"));
  }
  write_file(unit("hinny-serve-mine.service"), whole);
  create_folder(scratch / "elsewhere");
  const Outcome another = run_hinny({"service", "install", scratch / "clip", "--pictures",
                                     scratch / "pictures", "--out", scratch / "elsewhere/mine"});
  EXPECT_EQ(another.code, 2);
  EXPECT_THAT(another.err, HasSubstr("is of the index " + (scratch / "mine").string()));
  EXPECT_EQ(text("hinny-serve-mine.service"), whole);
}

TEST_F(ServiceProgram, WhatCannotRunIsRefused) {
  const auto refused = [&](const Words& words, const std::string& says) {
    const Outcome outcome = run_hinny(words);
    EXPECT_EQ(outcome.code, 2) << testing::PrintToString(words);
    EXPECT_THAT(outcome.err, HasSubstr(says));
  };
  const std::string clip = scratch / "clip", pictures = scratch / "pictures",
                    mine = scratch / "mine";
  refused({"service", "install", clip, "--pictures", mine, "--out", mine}, "no such folder");
  refused({"service", "install", mine, "--pictures", pictures, "--out", mine}, "no such file");
  refused({"service", "install", clip, "--pictures", pictures, "--out", scratch / "a b"}, "--name");
  refused({"service", "install", clip, "--pictures", pictures, "--out", mine, "--name", "a/b"},
          "no name of a service");
  refused({"service", "install", clip, "--pictures", pictures, "--out", mine, "--host", "0.0.0.0"},
          "lets other machines in (expected --api-key-file");
  write_file(scratch / "clip/config.json", "{}");
  refused({"service", "install", clip, "--pictures", pictures, "--out", clip}, "index");
  refused({"service", "remove", "mine"}, "no service 'mine'");
  refused({"service", "status", "mine"}, "no service 'mine'");
  refused({"service"}, "install, status or remove");
  EXPECT_FALSE(fs::exists(scratch / "config"));
}

TEST_F(ServiceProgram, SystemctlIsCalledWhereThereIsOne) {
  put_systemctl();
  const Outcome done = install();
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(called(),
            "--user daemon-reload\n--user enable hinny-serve-mine.service\n"
            "--user restart hinny-index-mine.service hinny-serve-mine.service\n");
  const Outcome told = run_hinny({"service", "status"});
  EXPECT_EQ(told.out, "mine: active, following: activating; " + (scratch / "pictures").string() +
                          " -> " + (scratch / "mine").string() + ", http://127.0.0.1:8080/\n");
  const auto json = nlohmann::json::parse(run_hinny({"service", "status", "mine", "--json"}).out);
  EXPECT_EQ(json[0]["serve"], "active");
  EXPECT_EQ(json[0]["follow"], "activating");
  EXPECT_EQ(json[0]["port"], 8080);

  put_systemctl("restart");
  const Outcome failed = install();
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, HasSubstr("`systemctl --user restart hinny-index-mine.service "
                                    "hinny-serve-mine.service` failed: no bus"));
  put_systemctl();
  EXPECT_EQ(install({"--no-start"}).code, 0);
  EXPECT_EQ(called(), "");
  create_folder(unit("hinny-serve-mine.service.d"));
  EXPECT_EQ(run_hinny({"service", "remove", "mine"}).code, 0);
  EXPECT_EQ(called(),
            "--user disable --now hinny-serve-mine.service hinny-index-mine.service\n"
            "--user daemon-reload\n");
  EXPECT_FALSE(fs::exists(unit("hinny-serve-mine.service")));
  EXPECT_FALSE(fs::exists(unit("hinny-index-mine.service")));
  EXPECT_TRUE(fs::exists(unit("hinny-serve-mine.service.d")));
  EXPECT_EQ(run_hinny({"service", "status"}).out,
            "no service in " + unit("").parent_path().string() + "\n");
}

}  // namespace
}  // namespace hinny
