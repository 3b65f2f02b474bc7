// Export, index, change and ask as a user would: pictures in questions, other pictures to avoid,
// sentences for a picture, and a change that is killed at any moment.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/atomic_file.h"
#include "index/asking/question_fields.h"
#include "tests/program.h"

namespace hinny {
namespace {

using testing::HasSubstr;

nlohmann::json json_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out, nullptr, false);
}

// One small model of drawn pictures for all tests.
struct Drawn {
  Scratch scratch;
  std::string pictures = scratch / "pictures", run = scratch / "run";

  Drawn() {
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"draw", "--out", pictures, "--images", "60", "--seed", "3"},
             {"features", pictures, "--encoder", "builtin"},
             {"train", "bag", "--data", pictures, "--features", "builtin", "--out", run,
              "--languages", "en,de", "--set", "train.epochs=6", "--set",
              "sample.images_per_batch=16"}}) {
      const Outcome outcome = run_hinny(words);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
  }
};

class Asking : public testing::Test {
 protected:
  static void SetUpTestSuite() { drawn = new Drawn; }
  static void TearDownTestSuite() { delete drawn; }
  void SetUp() override {
    ASSERT_EQ(run_hinny({"index", drawn->run, "--data", drawn->pictures, "--split", "all", "--out",
                         index})
                  .code,
              0);
  }
  nlohmann::json ask(std::vector<std::string> words) const {
    words.insert(words.begin(), {"search", index});
    words.emplace_back("--json");
    return json_of(run_hinny(words));
  }
  static Drawn* drawn;
  const Scratch scratch;
  const std::string index = scratch / "index";
};
Drawn* Asking::drawn = nullptr;

TEST_F(Asking, APictureFindsItself) {
  const auto first = ask({"a red ball", "-k", "1"})["results"][0];
  const auto found = ask({"--image", first["file"], "-k", "3"})["results"];
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0]["image"], first["image"]);
  EXPECT_NEAR(found[0]["score"], 1, 2e-3);  // stored features are float16
  const std::string file = first["file"], relative = first["relative_file"];
  EXPECT_FALSE(relative.starts_with('/'));
  EXPECT_THAT(file, testing::EndsWith("/" + relative));
  const auto others = ask({"--like", first["image"], "-k", "3"})["results"];
  EXPECT_EQ(others[0]["image"], found[1]["image"]);
}

TEST_F(Asking, WhatIsNotWantedScoresLower) {
  const auto all = ask({"a ball", "-k", "60"})["results"];
  const auto without = ask({"a ball", "--not", "a red ball", "-k", "60"})["results"];
  EXPECT_EQ(all.size(), without.size());
  // Whatever the small model takes for a red ball falls behind.
  const auto unwanted = ask({"a red ball", "-k", "1"})["results"][0]["image"];
  const auto score_in = [&](const nlohmann::json& results) {
    for (const auto& result : results) {
      if (result["image"] == unwanted) return result["score"].get<double>();
    }
    return std::numeric_limits<double>::quiet_NaN();
  };
  EXPECT_LT(score_in(without), score_in(all));
  const auto both = ask({"a ball", "--image", all[0]["file"], "--image-weight", "100"})["results"];
  EXPECT_EQ(both[0]["image"], all[0]["image"]);
}

// CLC-A: the mean of the languages' scores ranks the pictures.
TEST_F(Asking, AQuestionInTwoLanguagesIsScoredInBoth) {
  const auto scores = [&](const std::vector<std::string>& words) {
    std::map<std::string, double> all;
    const auto answer = ask(words);
    for (const auto& result : answer["results"]) {
      all[result["image"].get<std::string>()] = result["score"].get<double>();
    }
    return all;
  };
  const auto en = scores({"a red ball", "--lang", "en", "-k", "60"});
  const auto de = scores({"ein gelbes Haus", "--lang", "de", "-k", "60"});
  const auto both =
      ask({"a red ball", "--lang", "en", "--also", "de=ein gelbes Haus", "-k", "60"})["results"];
  ASSERT_EQ(both.size(), 60U);
  double last = std::numeric_limits<double>::infinity();
  for (const auto& result : both) {
    const auto image = result["image"].get<std::string>();
    const double sum = en.at(image) + de.at(image);
    EXPECT_LE(sum, last + 1e-3);
    last = sum;
  }
  const auto refused = [&](const std::vector<std::string>& words, const char* why) {
    std::vector<std::string> all = {"search", index};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run_hinny(all);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(why));
  };
  refused({"a ball", "--also", "ein Ball"}, "LANGUAGE=TEXT");
  refused({"a ball", "--also", "fr=un ballon"}, "no language 'fr'");
  refused({"a ball", "a house", "--also", "de=ein Ball"}, "one QUERY");
}

TEST_F(Asking, SentencesForAPicture) {
  const std::string lines = scratch / "lines.txt";
  write_file(lines, "a red ball\n\nxyzzy\nein gelbes Haus\n");
  const auto image = ask({"a red ball", "-k", "1"})["results"][0]["image"];
  const auto found = ask({"--like", image, "--sentences", lines})["results"];
  ASSERT_EQ(found.size(), 2U);
  EXPECT_GE(found[0]["score"], found[1]["score"]);
  const Outcome wrong = run_hinny({"search", index, "a ball", "--sentences", lines});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("QUERY has no effect with --sentences"));
}

// How the help shows a default.
struct Shown {
  std::string operator()(const std::string&) const { return ""; }
  std::string operator()(bool) const { return ""; }
  std::string operator()(double) const { return ""; }
  template <typename Many>
  std::string operator()(const std::vector<Many>&) const {
    return "";
  }
  template <typename Number>
  std::string operator()(Number number) const {
    return fmt::format("={} ", number);
  }
};

TEST(AskingHelp, HasEveryFieldOfAQuestion) {
  const Outcome help = run_hinny({"search", "--help"});
  const AskedFields fresh;
  for (const QuestionField& field : question_fields()) {
    const auto start = help.out.find(fmt::format("\n  {} ", field.option));
    ASSERT_NE(start, std::string::npos) << field.option;
    const auto meaning = help.out.find(field.meaning, start);
    ASSERT_NE(meaning, std::string::npos) << field.meaning;
    // Type, range, default; CLI11 has written defaults as "=10" and as "[10]".
    std::string head = help.out.substr(start, meaning - start);
    EXPECT_LE(std::ranges::count(head, '\n'), 2) << head;
    head = std::regex_replace(head, std::regex(R"( ?\[([0-9.]+)\])"), "=$1");
    head = std::regex_replace(head, std::regex(R"(\s+)"), " ");
    EXPECT_THAT(head,
                HasSubstr(std::visit([&](const auto member) { return Shown()(fresh.*member); },
                                     field.member)));
    const auto [least, most] = field.on_command_line;
    if (most == 0) continue;
    EXPECT_THAT(head, HasSubstr(fmt::format("in [{} - {}]", least, most)));
    for (const double wrong : {least > 0 ? 0.0 : -1.0, most + 1}) {
      const Outcome refused = run_hinny(
          {"search", "nowhere", "a ball", std::string(field.option), fmt::format("{}", wrong)});
      EXPECT_EQ(refused.code, 2) << field.option;
      EXPECT_THAT(refused.err, HasSubstr("not in range")) << field.option;
    }
  }
}

TEST_F(Asking, AnExportedModelDoesWhatTheRunDoes) {
  const std::string model = scratch / "model", other = scratch / "other";
  const Outcome exported = run_hinny({"export", drawn->run, "--out", model});
  ASSERT_EQ(exported.code, 0) << exported.err;
  ASSERT_EQ(run_hinny({"index", model, "--data", drawn->pictures, "--split", "all", "--weights",
                       "fp32", "--out", other})
                .code,
            0);
  EXPECT_EQ(run_hinny({"inspect", model}).code, 0);
  const auto whole = ask({"a red ball"})["results"];
  const auto small = json_of(run_hinny({"search", other, "a red ball", "--json"}))["results"];
  EXPECT_NEAR(whole[0]["score"], small[0]["score"], 0.01);
  EXPECT_EQ(run_hinny({"export", drawn->run, "--out", model, "--weights", "int4"}).code, 2);
  EXPECT_EQ(run_hinny({"export", drawn->run, "--out", drawn->pictures}).code, 2);
}

TEST_F(Asking, AnIndexChangesInPlace) {
  const auto update = [&](const char* split) {
    return json_of(run_hinny(
        {"index", "update", index, "--data", drawn->pictures, "--split", split, "--json"}));
  };
  const auto fewer = update("test");
  const std::size_t test = fewer["kept"];
  EXPECT_EQ(fewer["removed"], 60 - test);
  EXPECT_EQ(ask({"a ball", "-k", "60"})["results"].size(), test);
  const auto image = ask({"a ball", "-k", "1"})["results"][0]["image"];
  EXPECT_EQ(run_hinny({"index", "remove", index, image}).code, 0);
  EXPECT_EQ(ask({"a ball", "-k", "60"})["results"].size(), test - 1);
  EXPECT_EQ(run_hinny({"index", "remove", index, image}).code, 2);
  const Outcome added = run_hinny({"index", "add", index, "--data", drawn->pictures});
  EXPECT_THAT(added.out, HasSubstr("0 changed, 0 removed"));
  EXPECT_EQ(ask({"a ball", "-k", "90"})["results"].size(), 60U);
}

TEST_F(Asking, AKilledChangeLeavesAWholeIndex) {
  for (int i = 0; i < 12; ++i) {
    const auto start = std::chrono::steady_clock::now();
    RunOptions killed;
    killed.kill_when = [&] {
      return std::chrono::steady_clock::now() - start >= i * std::chrono::milliseconds(2);
    };
    run_hinny({"index", "update", index, "--data", drawn->pictures, "--split",
               i % 2 == 0 ? "test" : "train"},
              killed);
    EXPECT_FALSE(ask({"a ball"})["results"].empty());
  }
}

}  // namespace
}  // namespace hinny
