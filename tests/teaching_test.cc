// Languages without a caption, from lines alone: the student of a teacher, and a language that is
// added to a trained model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/read_file.h"
#include "tests/program.h"
#include "tests/recalls.h"
#include "tests/tiny_dataset.h"
#include "tests/tiny_parallel_text.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class Teaching : public testing::Test {
 protected:
  // Of a teacher's student; `more` may name the languages.
  Words student(const std::string& run, const Words& more = {}) const {
    Words words = {"train",          "teacher", "--data", lines_.folder(), "--teacher",
                   lines_.teacher(), "--out",   run,      "--threads",     "1"};
    for (const char* key :
         {"text.dim=8", "text.min_count=1", "text.dropout=0", "sample.images_per_batch=10",
          "train.epochs=60", "hubs.size=16", "train.learning_rate=1e-2"}) {
      words.insert(words.end(), {"--set", key});
    }
    return joined(words, more);
  }
  // A model of English alone.
  std::string english(const std::string& recipe) const {
    std::string run = scratch_ / recipe;
    Words words = {"train", recipe,  "--data", data_.folder(), "--features", "toy", "--languages",
                   "en",    "--out", run,      "--threads",    "1"};
    Words keys = {"text.dim=8",
                  "dim=16",
                  "text.min_count=1",
                  "image.hidden=32",
                  "sample.images_per_batch=8",
                  "train.epochs=60",
                  "train.learning_rate=1e-2",
                  "hubs.size=16"};
    if (recipe == "mule") {
      keys = joined(
          keys, {"text.hidden=16", "text.mule_dim=16", "text.vectors=random", "loss.kind=infonce"});
    }
    for (const std::string& key : keys) words.insert(words.end(), {"--set", key});
    const Outcome outcome = run_hinny(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return run;
  }
  Words addition(const std::string& recipe, const std::string& from, const std::string& run,
                 const Words& more) const {
    Words words = {"train", recipe,  "--from", from,        "--add-language",
                   "de",    "--out", run,      "--threads", "1"};
    for (const char* key :
         {"train.epochs=60", "train.learning_rate=1e-2", "sample.images_per_batch=8"}) {
      words.insert(words.end(), {"--set", key});
    }
    return joined(words, more);
  }
  // Recall by language.
  std::map<std::string, double> eval(const std::string& run, const Words& more = {}) const {
    return recalls_of(joined({"eval", run, "--data", data_.folder(), "--json"}, more));
  }
  // The dataset loses its German captions, of the train split alone or of all.
  void silence_german(bool train_alone) const {
    const fs::path file = data_.folder() / "captions.jsonl";
    std::istringstream captions(read_file(file));
    std::string kept;
    for (std::string line; std::getline(captions, line);) {
      const int image = std::stoi(line.substr(std::string_view(R"({"image":"i)").size()));
      if (line.find(R"("de")") == std::string::npos || (train_alone && image >= 24)) {
        kept += line + "\n";
      }
    }
    write_file(file, kept);
  }
  // All of `before` is in the run as it was, and German answers well.
  void expect_added(const std::string& before, const std::string& run) const {
    const RunOptions asked{.input = "red ball\nwhite car there\n", .kill_when = {}};
    EXPECT_EQ(run_hinny({"encode", before, "--lang", "en"}, asked).out,
              run_hinny({"encode", run, "--lang", "en"}, asked).out);
    EXPECT_EQ(content_hash(fs::path(before) / "hubs.safetensors"),
              content_hash(fs::path(run) / "hubs.safetensors"));
  }

  TinyDataset data_;
  TinyParallelText lines_;
  Scratch scratch_;
};

TEST_F(Teaching, AStudentFindsTheTeachersPicturesInEveryLanguage) {
  const std::string run = scratch_ / "run", index = scratch_ / "index";
  const Outcome trained = run_hinny(student(run, {"--languages", "de,fr"}));
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.err,
              HasSubstr("vectors of 12 numbers; 20 of 20 parallel sentences to learn from"));
  EXPECT_THAT(trained.out, HasSubstr("fr"));  // judged by the lines of val
  const auto recall = eval(run, {"--features", "toy"});
  ASSERT_EQ(recall.size(), 2U);  // no caption is French
  EXPECT_GT(recall.at("de"), 80);
  EXPECT_GT(recall.at("en"), 80);

  const Outcome indexed = run_hinny({"index", run, "--data", data_.folder(), "--features", "toy",
                                     "--split", "test", "--sentences", "0", "--out", index});
  ASSERT_EQ(indexed.code, 0) << indexed.err;
  // i35 is a black.. of the test split: colour i % 5, kind i / 5 % 4.
  const Outcome found = run_hinny({"search", index, "voiture rouge", "--lang", "fr", "-k", "1"});
  EXPECT_THAT(found.out, HasSubstr("i35")) << found.err;
  EXPECT_THAT(run_hinny({"inspect", run}).out, HasSubstr("teacher"));
  const std::string small = scratch_ / "small";
  ASSERT_EQ(run_hinny({"export", run, "--weights", "int8", "--out", small}).code, 0);
  EXPECT_EQ(
      run_hinny({"encode", small, "--lang", "fr"}, {.input = "ballon\n", .kill_when = {}}).code, 0);
  const Outcome wrong = run_hinny({"eval", run, "--data", data_.folder(), "--features", "grid"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("36 numbers"));
}

TEST_F(Teaching, FeaturesMayBeNamedBefore) {
  const std::string run = scratch_ / "run";
  ASSERT_EQ(run_hinny(student(run, {"--features", "toy"})).code, 0);
  EXPECT_GT(eval(run).at("de"), 80);
}

TEST_F(Teaching, OneSeedGivesOneResult) {
  Words hashes;
  for (const char* name : {"a", "b"}) {
    ASSERT_EQ(run_hinny(student(scratch_ / name)).code, 0);
    hashes.push_back(content_hash(scratch_ / name / "model.safetensors"));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_F(Teaching, WhatCannotBeTaughtIsSaidBeforeTraining) {
  const std::string run = scratch_ / "run";
  const auto refused = [&](const Words& more, const std::string& why) {
    const Outcome outcome = run_hinny(student(run, more));
    EXPECT_EQ(outcome.code, 2) << why;
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_FALSE(fs::exists(run));
  };
  refused({"--languages", "de,it"}, "'it'");
  refused({"--set", "dim=16"}, "vectors of 12 numbers");
  refused({"--set", "teacher.language=it"}, "'it'");
  refused({"--features", "a+b"}, "features 'a+b' of a teacher");
  refused({"--set", "image.hidden=4"}, "no effect on system teacher");
  write_file(fs::path(lines_.teacher()).replace_extension(".txt"), "");
  refused({}, "0 sentences");
  const Outcome without = run_hinny({"train", "teacher", "--data", lines_.folder(), "--out", run});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("no teacher"));
  const Outcome other = run_hinny({"train", "bag", "--data", lines_.folder(), "--features", "toy",
                                   "--teacher", lines_.teacher(), "--out", run});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("no effect on system bag"));
}

TEST_F(Teaching, ALanguageIsAddedToAStudent) {
  const std::string run = scratch_ / "run", more = scratch_ / "more";
  ASSERT_EQ(run_hinny(student(run, {"--languages", "en", "--features", "toy"})).code, 0);
  const Outcome added = run_hinny(
      addition("teacher", run, more, {"--data", lines_.folder(), "--teacher", lines_.teacher()}));
  ASSERT_EQ(added.code, 0) << added.err;
  expect_added(run, more);
  EXPECT_EQ(eval(run).at("en"), eval(more).at("en"));
  EXPECT_GT(eval(more).at("de"), 80);
}

TEST_F(Teaching, ALanguageIsAddedFromLinesWithoutPictures) {
  for (const char* recipe : {"hinny", "bag", "mule"}) {
    const std::string run = english(recipe), more = run + "-de";
    const Outcome added = run_hinny(addition(recipe, run, more, {"--parallel", lines_.folder()}));
    ASSERT_EQ(added.code, 0) << added.err;
    expect_added(run, more);
    const auto before = eval(run), after = eval(more);
    ASSERT_EQ(after.size(), 2U);
    EXPECT_EQ(after.at("en"), before.at("en"));
    EXPECT_GT(after.at("de"), 80) << recipe << ", English " << before.at("en");
  }
}

// Words that say a line begin as the mean of what the pivot says in it.
TEST_F(Teaching, AnAddedLanguageStartsFromThePivot) {
  const std::string run = english("bag"), more = run + "-de";
  const Outcome added = run_hinny(addition("bag", run, more,
                                           {"--parallel", lines_.folder(), "--set",
                                            "train.epochs=1", "--set", "train.learning_rate=0"}));
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_GT(eval(more).at("de"), 80);
}

TEST_F(Teaching, ALanguageIsAddedFromLinesAndJudgedByCaptionsWhereThereAreSome) {
  const std::string run = english("hinny");
  const Words both = {"--data", data_.folder(), "--parallel", lines_.folder()};
  ASSERT_EQ(run_hinny(addition("hinny", run, run + "-captions", both)).code, 0);
  EXPECT_GT(eval(run + "-captions").at("de"), 80);
  silence_german(true);
  const double german = eval(run + "-captions").at("de");
  const Outcome judged = run_hinny(addition("hinny", run, run + "-val", both));
  ASSERT_EQ(judged.code, 0) << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("de"));
  EXPECT_GT(eval(run + "-val").at("de"), 70);
  expect_added(run, run + "-val");
  silence_german(false);
  const Outcome unjudged = run_hinny(addition("hinny", run, run + "-silent", both));
  ASSERT_EQ(unjudged.code, 0) << unjudged.err;
  EXPECT_EQ(unjudged.out, "");
  EXPECT_EQ(eval(run + "-silent").size(), 1U);
  EXPECT_GT(german, 80);
}

TEST_F(Teaching, AnAdditionWithoutALineToLearnFromIsRefused) {
  const std::string run = english("hinny");
  const auto refused = [&](const Words& more, const std::string& why) {
    const Outcome outcome = run_hinny(addition("hinny", run, run + "-de", more));
    EXPECT_EQ(outcome.code, 2) << why;
    EXPECT_THAT(outcome.err, HasSubstr(why));
  };
  refused({}, "--data is required");
  refused({"--parallel", lines_.folder(), "--set", "parallel.pivot=fr"},
          "the model lacks language 'fr' (parallel.pivot)");
  refused({"--parallel", data_.folder() / "none"}, "none");
  silence_german(false);
  refused({"--data", data_.folder()}, "'de'");
  refused({"--parallel", data_.folder()}, "'en' (parallel.pivot) and another");
}

// What was found best for lines alone is the default there; what is set, stays.
TEST_F(Teaching, LinesAloneHaveDefaultsOfTheirOwn) {
  const std::string from = english("hinny");
  const auto recipe_of = [&](const std::string& name, const Words& more) {
    const std::string run = scratch_ / name;
    const Outcome outcome =
        run_hinny(joined({"train", "hinny", "--from", from, "--add-language", "de", "--parallel",
                          lines_.folder(), "--out", run, "--threads", "1"},
                         more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_file(fs::path(run) / "recipe.toml");
  };
  const std::string best = recipe_of("best", {});
  EXPECT_THAT(best, HasSubstr("\ntemperature = 0.2\n"));
  EXPECT_THAT(best, HasSubstr("\nlines = 1536\n"));
  EXPECT_THAT(best, HasSubstr("\nepochs = 10\n"));
  const std::string set =
      recipe_of("set", {"--set", "parallel.temperature=0.1", "--set", "train.epochs=3"});
  EXPECT_THAT(set, HasSubstr("\ntemperature = 0.1\n"));
  EXPECT_THAT(set, HasSubstr("\nlines = 1536\n"));
  EXPECT_THAT(set, HasSubstr("\nepochs = 3\n"));
  const Outcome hubs =
      run_hinny({"train", "hinny", "--from", from, "--add-language", "de", "--parallel",
                 lines_.folder(), "--out", scratch_ / "hubs", "--set", "hubs.size=0"});
  EXPECT_EQ(hubs.code, 2);
  EXPECT_THAT(hubs.err, HasSubstr("--set hubs.size=0 with --add-language"));
}

}  // namespace
}  // namespace hinny
