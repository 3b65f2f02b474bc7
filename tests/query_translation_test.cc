// A translation model beside an index: it translates as the training's program does, and questions
// are asked in several languages at once.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/npy.h"
#include "data/dataset.h"
#include "encoder/translator.h"
#include "tests/parameter_name.h"
#include "tests/program.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::vector<std::string> kColours[] = {{"red", "blue", "green", "white", "black"},
                                             {"rot", "blau", "grün", "weiß", "schwarz"}};
const std::vector<std::string> kKinds[] = {{"ball", "house", "tree", "car"},
                                           {"Ball", "Haus", "Baum", "Auto"}};

// Captions of colours and kinds in two languages, features that show them, a model that translates
// the one into the other, and one that retrieves; made once.
class QueryTranslation : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = std::make_unique<Scratch>();
    fs::create_directories(path("data") + "/features");
    DatasetWriter writer(path("data"));
    NpyWriter features(path("data") + "/features/toy.npy", {9}, NpyType::float32);
    std::string ids;
    for (std::size_t i = 0; i < 60; ++i) {
      const std::size_t colour = i % 5, kind = i / 5 % 4;
      const std::string id = "i" + std::to_string(i);
      writer.image({id, i < 40 ? "train" : "test", ""});
      for (std::size_t l = 0; l < 2; ++l) {
        const char* between = l == 0 ? " is the " : " ist der ";
        writer.caption(id, l == 0 ? "en" : "de", kColours[l][colour] + between + kKinds[l][kind],
                       l == 0 ? Source::human_original : Source::human_translation);
      }
      std::vector<float> row(9);
      row[colour] = row[5 + kind] = 1;
      features.append(row);
      ids += id + "\n";
    }
    writer.commit();
    features.commit();
    write_file(path("data") + "/features/ids.txt", ids);
    for (const std::string layers : {"1", "2"}) {
      train("nmt", "nmt-" + layers,
            {"translation.decoder_layers=" + layers, "translation.directions=[\"en-de\"]",
             "translation.embedding=16", "translation.hidden=32", "translation.merges=20",
             "translation.batch_words=60", "translation.dropout=0.0", "train.epochs=12",
             "train.warmup_steps=0", "train.learning_rate=5e-3"});
    }
    train("bag", "bag",
          {"image.features=toy", "text.dim=16", "dim=16", "train.epochs=20",
           "sample.images_per_batch=8"});
  }
  static void TearDownTestSuite() { scratch_.reset(); }

  static void train(const std::string& recipe, const std::string& out,
                    const std::vector<std::string>& keys) {
    std::vector<std::string> words = {"train", recipe,    "--data",    path("data"),
                                      "--out", path(out), "--threads", "1"};
    for (const std::string& key : keys) words.insert(words.end(), {"--set", key});
    const Outcome outcome = run_hinny(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  static Outcome index(const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"index",   path("bag"), "--data", path("data"),
                                      "--split", "test",      "--out",  path(out)};
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  }
  static std::string path(const std::string& name) { return *scratch_ / name; }

  static std::unique_ptr<Scratch> scratch_;
};

std::unique_ptr<Scratch> QueryTranslation::scratch_;

class EachTranslator : public QueryTranslation, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Layers, EachTranslator, testing::Values("nmt-1", "nmt-2"), NamedByText());

TEST_P(EachTranslator, TranslatesAsTheTrainingsProgramDoes) {
  const std::string run = path(GetParam());
  const Translator translator = Translator::open(run);
  const std::vector<std::string> sentences = {"red is the car",
                                              "green is the house",
                                              "the tree is white",
                                              "black black ball",
                                              "car",
                                              "a purple house!",
                                              "Ünknown words, my dear",
                                              ""};
  std::string input;
  for (const std::string& sentence : sentences) input += sentence + "\n";
  for (const std::int64_t beam : {1, 4}) {
    std::string ours;
    for (const std::string& sentence : sentences) {
      ours += translator.translate(sentence, {"en", "de"}, beam) + "\n";
    }
    RunOptions options;
    options.input = input;
    const Outcome theirs = run_hinny(
        {"translate", run, "--from", "en", "--to", "de", "--beam", std::to_string(beam)}, options);
    EXPECT_EQ(theirs.out, ours) << "beam " << beam;
  }
}

// Beside each other, and more than are searched for at once.
TEST_P(EachTranslator, ASentenceIsTranslatedAloneAsBesideOthers) {
  const Translator translator = Translator::open(path(GetParam()));
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < 45; ++i) {
    std::string sentence = kColours[0][i % 5] + " is the " + kKinds[0][i % 4];
    for (std::size_t j = 0; j < i % 3; ++j) sentence += " red ball";
    sentences.push_back(i % 10 == 9 ? "" : sentence);
  }
  SearchOptions options;
  options.beam = 4;
  options.best = 3;
  const auto found = translator.translate(sentences, {"en", "de"}, options);
  ASSERT_EQ(found.size(), sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    ASSERT_FALSE(found[i].empty());
    EXPECT_EQ(found[i].front().text, translator.translate(sentences[i], {"en", "de"}, 4));
    EXPECT_EQ(found[i].size(), sentences[i].empty() ? 1 : 3);
    for (std::size_t j = 1; j < found[i].size(); ++j) {
      EXPECT_LE(found[i][j].score, found[i][j - 1].score);
    }
  }
}

TEST_P(EachTranslator, ASmallCopyTranslatesToo) {
  const std::string run = path(GetParam()), small = run + "-small";
  const Outcome exported = run_hinny({"export", run, "--out", small});
  ASSERT_EQ(exported.code, 0) << exported.err;
  EXPECT_THAT(exported.out, HasSubstr("translates en-de"));
  const std::string name = "model.safetensors";
  EXPECT_LT(fs::file_size(fs::path(small) / name), fs::file_size(fs::path(run) / name) / 2);
  const std::string sentence = "blue is the house";
  const std::string translation = Translator::open(small).translate(sentence, {"en", "de"});
  EXPECT_EQ(translation, Translator::open(run).translate(sentence, {"en", "de"}));
  RunOptions options;
  options.input = sentence + "\n\n" + sentence + "\n";
  const Outcome outcome = run_hinny({"translate", small, "--from", "en", "--to", "de"}, options);
  EXPECT_EQ(outcome.out, translation + "\n\n" + translation + "\n") << outcome.err;
  const Outcome best =
      run_hinny({"translate", small, "--from", "en", "--to", "de", "--nbest", "2"}, options);
  EXPECT_THAT(best.out, HasSubstr("2 ||| " + translation + " ||| -")) << best.err;
}

TEST_P(EachTranslator, ASmallCopySeesNothing) {
  const std::string small = path(GetParam()) + "-blind";
  ASSERT_EQ(run_hinny({"export", path(GetParam()), "--out", small}).code, 0);
  write_file(path("ids"), "i0\n");
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"--image", path("ids"), "--data", path("data")}, {"--device", "cuda"}}) {
    std::vector<std::string> words = {"translate", small, "--from", "en", "--to", "de"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_hinny(words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(more[0] + " has no effect for a small copy"));
  }
}

TEST_F(QueryTranslation, AQuestionIsAskedWithItsTranslation) {
  const Outcome made = index("photos", {"--translator", path("nmt-1"), "--weights", "fp32"});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string query = "white is the tree";
  const std::string german = Translator::open(path("nmt-1")).translate(query, {"en", "de"});
  ASSERT_FALSE(german.empty());
  const auto results = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"search", path("photos"), query, "--lang", "en", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_hinny(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out, nullptr, false)["results"];
  };
  EXPECT_EQ(results({"--translate"}), results({"--also", "de=" + german}));
  EXPECT_NE(results({"--translate"}), results({}));
  const Outcome said = run_hinny({"search", path("photos"), query, "--lang", "en", "--translate"});
  EXPECT_THAT(said.err, HasSubstr("de: " + german));
  // German is not translated into English by it: the question stays as it is.
  const Outcome other = run_hinny(
      {"search", path("photos"), "rot ist der Ball", "--lang", "de", "--translate", "--json"});
  const Outcome alone =
      run_hinny({"search", path("photos"), "rot ist der Ball", "--lang", "de", "--json"});
  EXPECT_EQ(other.out, alone.out);
}

TEST_F(QueryTranslation, WhatIsWrongIsSaid) {
  EXPECT_EQ(index("plain", {}).code, 0);
  const Outcome without = run_hinny({"search", path("plain"), "red", "--translate"});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("--translator"));
  const Outcome no_translator = index("wrong", {"--translator", path("bag")});
  EXPECT_EQ(no_translator.code, 2) << no_translator.err;
  EXPECT_FALSE(fs::exists(path("wrong")));
  ASSERT_EQ(index("broken", {"--translator", path("nmt-1")}).code, 0);
  const fs::path weights = fs::path(path("broken")) / "translators/0/model.safetensors";
  fs::resize_file(weights, fs::file_size(weights) - 1);
  const Outcome broken = run_hinny({"search", path("broken"), "red", "--translate"});
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.err, HasSubstr("model.safetensors"));
}

}  // namespace
}  // namespace hinny
