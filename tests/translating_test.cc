// Translating as a user does: train, translate, measure, augment; and what is refused.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "data/dataset.h"
#include "tests/program.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Captions that count in English and German, and a model of them; made once.
class Translating : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = std::make_unique<Scratch>();
    DatasetWriter writer(data());
    const std::vector<std::string> numbers[] = {{"one", "two", "three", "four", "five"},
                                                {"eins", "zwei", "drei", "vier", "fünf"}};
    for (int i = 0; i < 40; ++i) {
      const std::string id = "i" + std::to_string(i);
      const auto number = static_cast<std::size_t>(i % 5);
      writer.image({id, i < 30 ? "train" : "test", ""});
      writer.caption(id, "en", "this is number " + numbers[0][number], Source::human_original);
      writer.caption(id, "de", "Dies ist Nummer " + numbers[1][number], Source::human_translation);
    }
    writer.commit();
    trained_ = run_hinny(training({"--out", run()}));
  }
  static void TearDownTestSuite() { scratch_.reset(); }

  static std::vector<std::string> training(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"train", "nmt", "--data", data(), "--threads", "1"};
    for (const char* key :
         {"translation.directions=[\"en-de\"]", "translation.embedding=16", "translation.hidden=32",
          "translation.merges=100", "translation.batch_words=60", "translation.dropout=0.0",
          "train.epochs=40", "train.warmup_steps=0", "train.learning_rate=5e-3"}) {
      words.insert(words.end(), {"--set", key});
    }
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static Outcome translate(const std::string& input, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"translate", run(), "--from", "en", "--to", "de"};
    words.insert(words.end(), more.begin(), more.end());
    RunOptions options;
    options.input = input;
    return run_hinny(words, options);
  }
  static std::string data() { return *scratch_ / "data"; }
  static std::string run() { return *scratch_ / "run"; }

  static std::unique_ptr<Scratch> scratch_;
  static Outcome trained_;
};

std::unique_ptr<Scratch> Translating::scratch_;
Outcome Translating::trained_;

TEST_F(Translating, LineByLine) {
  ASSERT_EQ(trained_.code, 0) << trained_.err;
  EXPECT_TRUE(fs::exists(fs::path(run()) / "README.md"));
  const Outcome outcome = translate("This is number four\n\nthis is number two");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "dies ist nummer vier\n\ndies ist nummer zwei\n");
  EXPECT_EQ(translate("this is number four\n", {"--beam", "1"}).out, "dies ist nummer vier\n");
  EXPECT_EQ(translate("this is number four\n", {"--pairs"}).out,
            "this is number four\tdies ist nummer vier\n");
  // A row has one tab; what was a tab is found again by its spaces.
  EXPECT_EQ(translate("this is\tnumber four\n", {"--pairs"}).out,
            "this is number four\tdies ist nummer vier\n");
  EXPECT_THAT(translate("this is number four\n", {"--nbest", "2"}).out,
              StartsWith("0 ||| dies ist nummer vier ||| -"));
  EXPECT_EQ(translate("").out, "");
}

TEST_F(Translating, IsMeasuredAndDescribed) {
  const Outcome outcome = run_hinny({"eval", run(), "--data", data(), "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["directions"]["en-de"]["sentences"], 10);
  EXPECT_EQ(json["directions"]["en-de"]["bleu"], 100);
  EXPECT_EQ(json["directions"]["en-de"]["chrf"], 100);
  EXPECT_THAT(json["directions"]["en-de"]["bleu_signature"].get<std::string>(),
              HasSubstr("|case:lc|eff:no|tok:13a|"));
  EXPECT_THAT(run_hinny({"eval", run(), "--data", data()}).out,
              HasSubstr("BLEU of en-de: nrefs:1"));
  EXPECT_THAT(run_hinny({"eval", run(), "--data", data()}).out, HasSubstr("en-de"));
  EXPECT_THAT(run_hinny({"inspect", run(), "--json"}).out, HasSubstr("\"en-de\""));
}

TEST_F(Translating, IsMeasuredBetweenTheLanguagesThatAreAskedFor) {
  const auto eval = [](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"eval", run(), "--data", data(), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  };
  EXPECT_EQ(eval({"--languages", "de,en"}).out, eval({}).out);
  EXPECT_EQ(eval({"--languages", "deu_Latn,EN"}).out, eval({}).out);
  const auto refused = [&](const std::vector<std::string>& more, const char* says) {
    const Outcome outcome = eval(more);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(says));
  };
  refused({"--languages", "en"}, "no direction between languages en");
  refused({"--languages", "en,fr"}, "lacks language 'fr'");
  refused({"--with", run()}, "--with has no effect for a model that translates");
}

// By spaces each caption would be one word, and every epoch's BLEU 0.
TEST_F(Translating, IsValidatedByCharactersWhereALanguageHasNoSpaces) {
  const std::string chinese = *scratch_ / "chinese", out = *scratch_ / "chinese-run";
  DatasetWriter writer(chinese);
  const std::vector<std::string> numbers[] = {{"one", "two", "three", "four", "five"},
                                              {"一", "二", "三", "四", "五"}};
  for (int i = 0; i < 40; ++i) {
    const std::string id = "i" + std::to_string(i);
    const auto number = static_cast<std::size_t>(i % 5);
    writer.image({id, i < 30 ? "train" : "val", ""});
    writer.caption(id, "en", "this is number " + numbers[0][number], Source::human_original);
    writer.caption(id, "zh-Hans", "这是数字" + numbers[1][number], Source::human_translation);
  }
  writer.commit();
  const Outcome trained =
      run_hinny({"train",       "nmt",
                 "--data",      chinese,
                 "--threads",   "1",
                 "--languages", "zh,EN",
                 "--set",       "translation.directions=[\"eng_Latn-zho_Hans\"]",
                 "--set",       "translation.embedding=16",
                 "--set",       "translation.hidden=32",
                 "--set",       "translation.merges=100",
                 "--set",       "translation.batch_words=60",
                 "--set",       "translation.dropout=0.0",
                 "--set",       "train.epochs=10",
                 "--set",       "train.warmup_steps=0",
                 "--set",       "train.learning_rate=5e-3",
                 "--out",       out});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const Outcome measured = run_hinny({"eval", out, "--data", chinese, "--split", "val", "--json"});
  ASSERT_EQ(measured.code, 0) << measured.err;
  const auto scores = nlohmann::json::parse(measured.out)["directions"]["en-zh-Hans"];
  EXPECT_GT(scores["bleu"].get<double>(), 10);
  EXPECT_THAT(scores["bleu_signature"].get<std::string>(), HasSubstr("tok:zh"));
  EXPECT_THAT(read_file(fs::path(out) / "README.md"), HasSubstr("BLEU (tok:zh)"));
}

TEST_F(Translating, ScoresFiles) {
  const std::string hypotheses = *scratch_ / "h", references = *scratch_ / "r";
  write_file(hypotheses, "dies ist nummer vier\n");
  write_file(references, "Dies ist Nummer vier\n");
  const Outcome outcome = run_hinny({"score", hypotheses, references, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(nlohmann::json::parse(outcome.out)["bleu"]["score"], 100, 1e-9);
  const auto signature = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"score", hypotheses, references, "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome scored = run_hinny(words);
    return scored.code != 0
               ? scored.err
               : nlohmann::json::parse(scored.out)["bleu"]["signature"].get<std::string>();
  };
  EXPECT_THAT(signature({}), HasSubstr("tok:13a"));
  EXPECT_THAT(signature({"--lang", "zh-TW"}), HasSubstr("tok:zh"));
  EXPECT_THAT(signature({"--lang", "tha_Thai"}), HasSubstr("tok:char"));
  EXPECT_THAT(signature({"--lang", "zh", "--tokenise", "intl"}), HasSubstr("tok:intl"));
  EXPECT_THAT(signature({"--tokenise", "ja-mecab"}), HasSubstr("needs a dictionary"));
  EXPECT_THAT(signature({"--lang", "xx1"}), HasSubstr("such as de, pt-BR, deu or deu_Latn"));
  write_file(references, "eins\nzwei\n");
  EXPECT_EQ(run_hinny({"score", hypotheses, references}).code, 2);
}

// Sizes are those of the weights before anything is made of them.
TEST_F(Translating, RefusesARecipeOfOtherSizes) {
  const fs::path copy = *scratch_ / "copy";
  fs::copy(run(), copy, fs::copy_options::recursive);
  std::string recipe = read_file(copy / "recipe.toml");
  const std::string size = "hidden = 32";
  recipe.replace(recipe.find(size), size.size(), "hidden = 65536");
  write_file(copy / "recipe.toml", recipe);
  const Outcome outcome = run_hinny({"translate", copy, "--from", "en", "--to", "de"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("decoder.weight_hh_l0"));
}

TEST_F(Translating, AugmentsADatasetThatTrains) {
  const std::string more = *scratch_ / "more";
  const std::vector<std::string> words = {"augment", run(),    "--data", data(), "--out",
                                          more,      "--from", "en",     "--to", "de"};
  Outcome outcome = run_hinny(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(read_file(fs::path(more) / "captions.jsonl"), HasSubstr("machine-translation"));
  outcome = run_hinny(words);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there already"));
}

struct Refused {
  const char* name;
  const char* message;
  std::vector<std::string> words;  // RUN and DATA stand for the folders
  std::string input;
};

class TranslatingRefuses : public Translating, public testing::WithParamInterface<Refused> {};

TEST_P(TranslatingRefuses, InOneLine) {
  std::vector<std::string> words = GetParam().words;
  for (std::string& word : words) {
    if (word == "RUN") word = run();
    if (word == "DATA") word = data();
    if (word == "NEW") word = *scratch_ / "new";
    if (word == "IDS") {
      word = *scratch_ / "ids";
      write_file(word, "i0\n");
    }
  }
  RunOptions options;
  options.input = GetParam().input;
  const Outcome outcome = run_hinny(words, options);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("error: "));
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().message));
  EXPECT_FALSE(fs::exists(*scratch_ / "new"));
}

const std::vector<std::string> kTranslate = {"translate", "RUN", "--from", "en", "--to", "de"};

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, TranslatingRefuses,
    testing::Values(
        Refused{"AnotherDirection",
                "no translation from 'de' to 'en'",
                {"translate", "RUN", "--from", "de", "--to", "en"},
                "hallo\n"},
        Refused{"BrokenUtf8", "standard input:2: broken UTF-8", kTranslate, "this\n\xff\n"},
        Refused{"ALineOfTenThousandWords", "standard input:2: a line of 10001 words", kTranslate,
                "this\n" +
                    [] {
                      std::string line;
                      for (int i = 0; i < 10000; ++i) line += "a ";
                      return line;
                    }()},
        Refused{"ImagesForTextAlone", "a model of text alone",
                with(kTranslate, {"--image", "IDS", "--data", "DATA"}), "this\n"},
        Refused{"NoModel", "recipe.toml", {"translate", "DATA", "--from", "en", "--to", "de"}, ""},
        Refused{"AnIndexOfIt",
                "of a model that translates",
                {"index", "RUN", "--data", "DATA", "--out", "NEW"},
                ""},
        Refused{"AnEncoderOfIt", "of a model that translates", {"encode", "RUN"}, "this\n"},
        Refused{"FoldsOfIt",
                "--folds has no effect for a model that translates",
                {"eval", "RUN", "--data", "DATA", "--folds", "5"},
                ""},
        Refused{"NoSuchLanguage",
                "no captions in language 'fr'",
                {"train", "nmt", "--data", "DATA", "--languages", "en,fr", "--out", "NEW"},
                ""},
        Refused{"OneLanguage",
                "one language",
                {"train", "nmt", "--data", "DATA", "--languages", "en", "--out", "NEW"},
                ""},
        Refused{"MmtWithoutFeatures",
                "mmt without image features",
                {"train", "mmt", "--data", "DATA", "--out", "NEW"},
                ""},
        Refused{"FromATranslator",
                "system 'nmt' (expected 'bag', the recipe's)",
                {"train", "bag", "--from", "RUN", "--data", "DATA", "--out", "NEW"},
                ""},
        Refused{"NothingToTranslate",
                "no captions in 'en'",
                {"augment", "RUN", "--data", "DATA", "--out", "NEW", "--from", "en", "--to", "de",
                 "--sources", "mmt"},
                ""},
        Refused{"NoSuchSource",
                "no source 'mnt' (did you mean 'mmt'?)",
                {"augment", "RUN", "--data", "DATA", "--out", "NEW", "--from", "en", "--to", "de",
                 "--sources", "mnt"},
                ""}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace hinny
