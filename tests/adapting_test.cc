// A trained model that goes on learning from other pictures: hinny train --from RUN --data MINE.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <sstream>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/npy.h"
#include "base/read_file.h"
#include "tests/program.h"
#include "tests/recalls.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

class Adapting : public testing::Test {
 protected:
  void SetUp() override {
    make_mine();
    Words words = {"train",       "hinny", "--data", data_.folder(), "--features", "toy",
                   "--languages", "en,de", "--out",  run_,           "--threads",  "1"};
    for (const char* key :
         {"text.dim=8", "dim=8", "text.min_count=1", "image.hidden=32", "sample.images_per_batch=8",
          "train.epochs=60", "train.learning_rate=1e-2", "hubs.size=16", "image.dropout=0",
          "image.input_dropout=0"}) {
      words.insert(words.end(), {"--set", key});
    }
    const Outcome outcome = run_hinny(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }

  // English captions alone, of pictures whose colours look like others; "there" is "zeppelin".
  void make_mine() const {
    const fs::path file = mine_.folder() / "captions.jsonl";
    std::istringstream captions(read_file(file));
    std::string kept;
    for (std::string line; std::getline(captions, line);) {
      if (line.find(R"("de")") != std::string::npos) continue;
      if (const auto at = line.find(" there"); at != std::string::npos) {
        line.replace(at, 6, " zeppelin");
      }
      kept += line + "\n";
    }
    write_file(file, kept);
    write_features(mine_.folder() / "features" / "toy.npy", 12);
  }
  void write_features(const fs::path& file, std::size_t numbers) const {
    NpyWriter features(file, {static_cast<std::int64_t>(numbers)}, NpyType::float32);
    Random random(3);
    for (std::size_t i = 0; i < 40; ++i) {
      std::vector<float> row(numbers);
      for (float& number : row) number = static_cast<float>(0.1 * random.normal());
      row[(i + 2) % 5] += 1;
      row[5 + i / 5 % 4] += 1;
      features.append(row);
    }
    features.commit();
  }

  Words adaptation(const std::string& out, const Words& more = {}) const {
    Words words = {"train",        "hinny", "--from", run_,        "--data",
                   mine_.folder(), "--out", out,      "--threads", "1"};
    for (const char* key : {"train.epochs=60", "train.learning_rate=1e-2",
                            "sample.images_per_batch=8", "train.validate_every=1000000"}) {
      words.insert(words.end(), {"--set", key});
    }
    return joined(words, more);
  }
  std::string adapted(const std::string& name, const Words& more = {}) const {
    std::string out = scratch_ / name;
    const Outcome outcome = run_hinny(adaptation(out, more));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return out;
  }
  double recall(const std::string& run, const TinyDataset& of, const std::string& language) const {
    return recalls_of({"eval", run, "--data", of.folder(), "--split", "train", "--languages",
                       language, "--json", "--threads", "1"})[language];
  }
  static std::string encoded(const std::string& run, const std::string& language,
                             const std::string& sentence) {
    return run_hinny({"encode", run, "--lang", language},
                     {.input = sentence + "\n", .kill_when = {}})
        .out;
  }

  TinyDataset data_, mine_;
  Scratch scratch_;
  std::string run_ = scratch_ / "run";
};

TEST_F(Adapting, AModelLearnsFromOtherPicturesAndNewWords) {
  const std::string all = adapted("all", {"--set", "train.keep=0"});
  const std::string half = adapted("half", {"--set", "train.keep=0.5"});
  const double before = recall(run_, mine_, "en");
  EXPECT_GT(recall(all, mine_, "en"), before + 20);
  EXPECT_GT(recall(half, mine_, "en"), before + 10);
  // What lies between forgets less of what it knew.
  EXPECT_GT(recall(half, data_, "en"), recall(all, data_, "en"));
  EXPECT_THAT(read_file(fs::path(run_) / "vocabulary.tsv"), Not(HasSubstr("zeppelin")));
  EXPECT_THAT(read_file(fs::path(all) / "vocabulary.tsv"), HasSubstr("zeppelin"));
  EXPECT_NE(encoded(all, "en", "zeppelin"), encoded(all, "en", "red ball"));
  // German, of which there was no caption, is still there.
  EXPECT_GT(recall(half, data_, "de"), 30);
  EXPECT_EQ(content_hash(fs::path(run_) / "hubs.safetensors"),
            content_hash(fs::path(all) / "hubs.safetensors"));
}

// vse: one vocabulary for all languages. Each new word starts among those that it stands with, in
// whichever language that is.
TEST_F(Adapting, LanguagesThatShareWordsLearnNewOnesToo) {
  const std::string vse = scratch_ / "vse";
  const Words small = {"--threads",        "1",     "--set",
                       "text.min_count=1", "--set", "sample.images_per_batch=8"};
  ASSERT_EQ(run_hinny(joined({"train", "vse", "--data", data_.folder(), "--features", "toy",
                              "--languages", "en,de", "--out", vse, "--set", "dim=16", "--set",
                              "text.hidden=16", "--set", "text.dim=8", "--set", "train.epochs=2"},
                             small))
                .code,
            0);
  const fs::path file = mine_.folder() / "captions.jsonl";
  std::string captions = read_file(file);
  captions.replace(captions.rfind(" zeppelin", captions.find("\"i22\"")), 9, " gondola");
  for (const auto& [image, text] : std::map<std::string, std::string>{
           {"i1", "blau Ball Luftschiff"}, {"i13", "weiss Auto Gondel"}, {"i25", "rot"}}) {
    captions += fmt::format(
        "{{\"image\":\"{}\",\"lang\":\"de\",\"text\":\"{}\",\"source\":\"human-original\"}}\n",
        image, text);
  }
  write_file(file, captions);
  const std::string out = scratch_ / "out";
  const Outcome outcome =
      run_hinny(joined({"train", "vse", "--from", vse, "--data", mine_.folder(), "--out", out,
                        "--set", "train.learning_rate=0", "--set", "train.epochs=1"},
                       small));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read_file(fs::path(out) / "vocabulary.tsv"),
              AllOf(HasSubstr("zeppelin"), HasSubstr("luftschiff")));
  // Nothing was learnt, so that they are as they started: unlike each other.
  EXPECT_NE(encoded(out, "en", "zeppelin"), encoded(out, "en", "gondola"));
  EXPECT_NE(encoded(out, "de", "Luftschiff"), encoded(out, "de", "Gondel"));
}

TEST_F(Adapting, WhatIsKeptWholeAnswersAsBefore) {
  const std::string same = adapted("same", {"--set", "train.keep=1"});
  for (const char* sentence : {"red ball", "a white car there"}) {
    EXPECT_EQ(encoded(run_, "en", sentence), encoded(same, "en", sentence));
  }
  EXPECT_EQ(encoded(run_, "de", "rot Ball"), encoded(same, "de", "rot Ball"));
  EXPECT_EQ(recall(run_, data_, "en"), recall(same, data_, "en"));
}

TEST_F(Adapting, StoppedAndResumedEqualsUnbroken) {
  const Words longer = {"--resume", "--set", "train.epochs=400", "--set", "train.log_every=2"};
  const std::string whole = adapted("whole", longer), broken = scratch_ / "broken";
  RunOptions options;
  options.kill_when = [&] {
    const fs::path log = fs::path(broken) / "metrics.jsonl";
    return fs::exists(log) && std::ranges::count(read_file(log), '\n') > 20;
  };
  ASSERT_EQ(
      run_hinny(joined(adaptation(broken, longer), {"--checkpoint-seconds", "0"}), options).code,
      128 + SIGKILL);
  const Outcome outcome = run_hinny(adaptation(broken, longer));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(content_hash(fs::path(whole) / "model.safetensors"),
            content_hash(fs::path(broken) / "model.safetensors"));
}

TEST_F(Adapting, WhatDoesNotFitIsNamed) {
  const auto refused = [&](const Words& more, const char* what) {
    const std::string out = scratch_ / "refused";
    const Outcome outcome = run_hinny(adaptation(out, more));
    EXPECT_EQ(outcome.code, 2) << what;
    EXPECT_THAT(outcome.err, HasSubstr(what));
    EXPECT_FALSE(fs::exists(fs::path(out) / "model.safetensors"));
  };
  refused({"--languages", "fr"}, "the model lacks language 'fr' (expected en, de, or");
  refused({"--set", "hubs.size=0"}, "--set hubs.size=0 with --from");
  refused({"--parallel", mine_.folder()}, "--parallel has no effect with --from");
  refused({"--set", "image.hidden=33"}, "has another shape");
  write_features(mine_.folder() / "features" / "other.npy", 13);
  refused({"--features", "other"}, "features 'other' have 13 numbers");
  const fs::path file = mine_.folder() / "captions.jsonl";
  std::string captions = read_file(file);
  for (std::size_t at; (at = captions.find(R"("en")")) != std::string::npos;) {
    captions.replace(at, 4, R"("sv")");
  }
  write_file(file, captions);
  refused({}, "captions in sv");
}

}  // namespace
}  // namespace hinny
