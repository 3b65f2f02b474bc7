// Systems that differ in more than a recipe's numbers, as a user runs them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/npy.h"
#include "base/read_file.h"
#include "data/dataset.h"
#include "tests/program.h"
#include "tests/recalls.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace {

using testing::HasSubstr;

const RunOptions kAsked{.input = "red ball\n", .kill_when = {}};

class VariantsTest : public testing::Test {
 protected:
  Outcome train(const std::string& recipe, const std::vector<std::string>& keys) const {
    std::vector<std::string> words = {"train",       recipe,     "--data",    data_.folder(),
                                      "--out",       run_,       "--threads", "1",
                                      "--languages", languages_, "--set",     "image.features=toy"};
    std::vector<std::string> all = {"text.min_count=1",         "text.hidden=16",
                                    "train.epochs=30",          "train.validate_every=0",
                                    "train.learning_rate=1e-2", "sample.images_per_batch=8"};
    all.insert(all.end(), keys.begin(), keys.end());
    for (const std::string& key : all) words.insert(words.end(), {"--set", key});
    return run_hinny(words);
  }
  // Recall by language, of `hinny eval`.
  std::map<std::string, double> eval(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"eval", run_, "--data", data_.folder(), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return recalls_of(words);
  }
  // scratch/FROM-TO.tsv: captions by those of the other language, which say the same, in order.
  void write_translations(const std::string& from, const std::string& to) const {
    const Dataset dataset = Dataset::load(data_.folder());
    std::string lines;
    for (std::size_t i = 0; i < dataset.images().size(); ++i) {
      const auto& a = dataset.captions_of(static_cast<int>(i), dataset.language(from));
      const auto& b = dataset.captions_of(static_cast<int>(i), dataset.language(to));
      for (std::size_t c = 0; c < a.size(); ++c) {
        lines += dataset.captions()[static_cast<std::size_t>(a[c])].text + "\t" +
                 dataset.captions()[static_cast<std::size_t>(b[c])].text + "\n";
      }
    }
    write_file(scratch_ / (from + "-" + to + ".tsv"), lines);
  }
  void expect_not_indexed(const std::string& why) const {
    const Outcome outcome = run_hinny(
        {"index", run_, "--data", data_.folder(), "--split", "test", "--out", scratch_ / "index"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_FALSE(std::filesystem::exists(scratch_ / "index"));
  }

  TinyDataset data_;
  Scratch scratch_;
  std::string run_ = scratch_ / "run";
  std::string languages_ = "de,en";
};

TEST_F(VariantsTest, OrderEmbeddingsAreMeasuredAndNotIndexed) {
  ASSERT_EQ(train("order", {"text.dim=16", "dim=16"}).code, 0);
  for (const auto& [language, recall] : eval()) EXPECT_GT(recall, 60) << language;
  expect_not_indexed("compares by order");
  EXPECT_EQ(run_hinny({"encode", run_, "--lang", "en"}, kAsked).code, 0);
}

// One-hot vectors of the test's own, a row per caption, as another program would write them.
TEST_F(VariantsTest, SentenceVectorsFromOutsideTakeThePlaceOfWords) {
  const Dataset dataset = Dataset::load(data_.folder());
  std::vector<float> rows;
  for (const Caption& caption : dataset.captions()) {
    std::vector<float> row(9);
    row[static_cast<std::size_t>(caption.image % 5)] = 1;
    row[static_cast<std::size_t>(5 + caption.image / 5 % 4)] = 1;
    rows.insert(rows.end(), row.begin(), row.end());
  }
  std::filesystem::create_directories(data_.folder() / "sentences");
  write_npy(data_.folder() / "sentences" / "bert.npy", rows,
            {static_cast<std::int64_t>(dataset.captions().size()), 9});
  const std::vector<std::string> keys = {"text.encoder=given", "text.sentences=bert", "text.dim=9",
                                         "text.vectors=random", "dim=16"};
  const Outcome trained = train("bag", keys);
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto recall = eval();
  EXPECT_EQ(recall.size(), 2U);
  for (const auto& [language, mean] : recall) EXPECT_GT(mean, 80) << language;
  expect_not_indexed("sentence vectors that another program made");
  EXPECT_EQ(run_hinny({"encode", run_, "--lang", "en"}, kAsked).code, 2);
  EXPECT_EQ(run_hinny({"export", run_, "--out", scratch_ / "small"}).code, 2);
  EXPECT_EQ(run_hinny({"inspect", run_}).code, 0);
}

TEST_F(VariantsTest, QueriesMayBeTranslatedByAFile) {
  languages_ = "en";
  ASSERT_EQ(train("translate-query",
                  {"text.dim=16", "dim=16", "text.vectors=random", "loss.kind=infonce"})
                .code,
            0);
  write_translations("de", "en");
  const std::string folder = scratch_ / "";
  const auto recall = eval({"--translations", folder, "--into", "en"});
  ASSERT_EQ(recall.size(), 2U);
  EXPECT_GT(recall.at("en"), 60);
  EXPECT_EQ(recall.at("de"), recall.at("en"));
  const Outcome lost = run_hinny({"eval", run_, "--data", data_.folder(), "--translations", folder,
                                  "--into", "en", "--languages", "fr"});
  EXPECT_EQ(lost.code, 2);
  EXPECT_EQ(run_hinny({"eval", run_, "--data", data_.folder(), "--translations", folder}).code, 2);
}

// A word that training never saw has a vector, and one like it a similar one.
TEST_F(VariantsTest, WordsAreKnownByTheirSpelling) {
  ASSERT_EQ(train("liwe", {"text.dim=16", "dim=16", "text.hidden=16", "text.characters=8",
                           "train.epochs=30"})
                .code,
            0);
  for (const auto& [language, recall] : eval()) EXPECT_GT(recall, 60) << language;
  const std::string index = scratch_ / "index";
  ASSERT_EQ(
      run_hinny({"index", run_, "--data", data_.folder(), "--split", "test", "--out", index}).code,
      0);
  const Outcome found = run_hinny({"search", index, "redd ball", "--lang", "en", "--json"});
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(nlohmann::json::parse(found.out)["results"].size(), 8U);
  EXPECT_THAT(found.err, testing::Not(HasSubstr("redd")));  // nothing unknown to report
  EXPECT_EQ(run_hinny({"search", index, "\u5317", "--lang", "en"}).code, 2);  // no such character
}

// Both directions of attention.
TEST_F(VariantsTest, WordsAreComparedWithRegions) {
  for (const char* direction : {"text-to-image", "image-to-text"}) {
    run_ = scratch_ / direction;
    ASSERT_EQ(train("scan", {"text.dim=16", "dim=16", "image.features=grid",
                             std::string("attention.direction=") + direction})
                  .code,
              0);
    for (const auto& [language, recall] : eval()) EXPECT_GT(recall, 60) << direction << language;
  }
  EXPECT_EQ(eval({"--with", run_}), eval());  // twice the same model is that model
  for (const auto& [language, recall] : eval({"--with", scratch_ / "text-to-image"})) {
    EXPECT_GT(recall, 60) << language;
  }
  run_ = scratch_ / "flat";
  const Outcome flat = train("scan", {"text.dim=16", "dim=16"});
  EXPECT_EQ(flat.code, 2);
  EXPECT_THAT(flat.err, HasSubstr("features of regions"));
}

TEST_F(VariantsTest, RareWordsAreWordsOfAnotherLanguage) {
  const std::string folder = data_.folder() / "dictionaries";
  const std::vector<std::string> keys = {
      "text.dim=16",      "dim=16",          "text.hidden=16",    "text.rare=1000",
      "text.mule_dim=16", "train.epochs=30", "pretrain.epochs=0", "text.vectors=random"};
  std::vector<std::string> with = keys;
  with.push_back("text.dictionary=" + folder);
  const Outcome trained = train("dictionary", with);
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("dictionary de: 0 own words, 9 by en"));
  for (const auto& [language, recall] : eval()) EXPECT_GT(recall, 60) << language;
  with.back() = "text.dictionary=" + std::string(scratch_ / "nowhere");
  run_ = scratch_ / "other";
  const Outcome none = train("dictionary", with);
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no dictionary of any language"));
}

TEST_F(VariantsTest, WordsThatShareATokenAreShown) {
  ASSERT_EQ(train("la", {"text.dim=16", "dim=16", "text.vectors=random", "text.mule_dim=16",
                         "text.latents=5", "pretrain.epochs=2", "train.epochs=2"})
                .code,
            0);
  const Outcome shown = run_hinny({"inspect", run_, "--latent", "--json"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  const auto described = nlohmann::json::parse(shown.out);
  EXPECT_LE(described["tokens"].get<int>(), 5);
  EXPECT_EQ(described["words that share"].get<int>(), 10 + 9 + 10 + 9 - 18);  // of en and de
  EXPECT_THAT(run_hinny({"inspect", run_, "--latent"}).out, HasSubstr("words  de: "));
  ASSERT_EQ(run_hinny({"export", run_, "--out", scratch_ / "small"}).code, 0);
  EXPECT_EQ(run_hinny({"inspect", scratch_ / "small", "--latent", "--json"}).out, shown.out);
}

TEST_F(VariantsTest, AVocabularyMayBeAllOwnWords) {
  ASSERT_EQ(train("hem", {"text.dim=16", "dim=16", "text.vectors=random", "text.mule_dim=16",
                          "text.own_dim=8", "pretrain.epochs=2", "train.epochs=2"})
                .code,
            0);
  EXPECT_EQ(run_hinny({"encode", run_, "--lang", "en"}, kAsked).code, 0);
  const Outcome shown = run_hinny({"inspect", run_, "--latent"});
  EXPECT_THAT(shown.out, HasSubstr("0 tokens"));
}

TEST_F(VariantsTest, ALanguageIsAddedAndTheOthersStayAsTheyWere) {
  const std::vector<std::string> keys = {"text.dim=16",         "dim=16",
                                         "text.vectors=random", "text.mule_dim=16",
                                         "text.own_dim=8",      "pretrain.epochs=2"};
  const std::string first = run_;
  for (const char* recipe : {"smalr", "mule"}) {
    run_ = first + recipe;
    languages_ = "en";
    ASSERT_EQ(train(recipe, keys).code, 0);
    const auto before = eval();
    const std::string old = run_;
    run_ = old + "-de";
    const Outcome added = run_hinny({"train",          recipe,
                                     "--from",         old,
                                     "--add-language", "de",
                                     "--data",         data_.folder(),
                                     "--out",          run_,
                                     "--threads",      "1",
                                     "--set",          "train.epochs=60",
                                     "--set",          "train.learning_rate=1e-2",
                                     "--set",          "train.schedule=constant",
                                     "--set",          "sample.images_per_batch=8"});
    ASSERT_EQ(added.code, 0) << added.err;
    const auto after = eval();
    ASSERT_EQ(after.size(), 2U);
    EXPECT_EQ(after.at("en"), before.at("en")) << recipe;
    EXPECT_GT(after.at("de"), 60) << recipe;
    EXPECT_EQ(run_hinny({"encode", old, "--lang", "en"}, kAsked).out,
              run_hinny({"encode", run_, "--lang", "en"}, kAsked).out);
    const Outcome again = run_hinny({"train", recipe, "--from", run_, "--add-language", "en",
                                     "--data", data_.folder(), "--out", run_ + "-en"});
    EXPECT_EQ(again.code, 2);
    EXPECT_THAT(again.err, HasSubstr("has language 'en' already"));
  }
}

// Each language's captions in the other's words: an ensemble knows no less than either.
TEST_F(VariantsTest, AQueryAndItsTranslationsAreScoredTogether) {
  ASSERT_EQ(train("bag", {"text.dim=16", "dim=16", "train.epochs=4"}).code, 0);
  write_translations("de", "en");
  const std::string folder = scratch_ / "";
  const auto clc = [&](const std::string& way, const std::string& learn_from) {
    return run_hinny({"eval", run_, "--data", data_.folder(), "--json", "--translations", folder,
                      "--clc", way, "--clc-split", learn_from});
  };
  const Outcome lacking = clc("learned", "train");
  EXPECT_EQ(lacking.code, 2);
  EXPECT_THAT(lacking.err, HasSubstr("no en-de.tsv"));
  write_translations("en", "de");
  const auto alone = eval();
  const auto average = eval({"--translations", folder, "--clc", "average"});
  EXPECT_EQ(average.at("de"), average.at("en"));  // the same two texts, either way round
  EXPECT_GE(average.at("en"), std::min(alone.at("en"), alone.at("de")));
  const Outcome too_few = clc("learned", "val");
  EXPECT_EQ(too_few.code, 2);
  EXPECT_THAT(too_few.err, HasSubstr("8 images in split 'val'"));
  const auto kept = [&] {
    return nlohmann::json::parse(read_file(run_ + "/config.json"))
        .value("consistency", nlohmann::json());
  };
  const Outcome learned = clc("learned", "train");
  ASSERT_EQ(learned.code, 0) << learned.err;
  EXPECT_TRUE(kept().is_null());
  const Outcome keeping = run_hinny({"eval", run_, "--data", data_.folder(), "--translations",
                                     folder, "--clc", "learned", "--clc-split", "train", "--keep"});
  ASSERT_EQ(keeping.code, 0) << keeping.err;
  EXPECT_THAT(keeping.err, HasSubstr(fmt::format("de {:.3f}", kept().at("de").get<double>())));
  EXPECT_EQ(run_hinny({"encode", run_, "--lang", "en"}, kAsked).code, 0);
  const auto parameters = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.out)["parameters"]["search"].get<int>();
  };
  const Outcome plain = run_hinny({"eval", run_, "--data", data_.folder(), "--json",
                                   "--translations", folder, "--clc", "average"});
  EXPECT_EQ(parameters(learned), parameters(plain) + 2 * 32 + 32);
  EXPECT_EQ(clc("average", "val").code, 2);  // it learns from no split
  EXPECT_EQ(clc("averag", "val").code, 2);
}

}  // namespace
}  // namespace hinny
