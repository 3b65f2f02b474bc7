#include "encoder/model.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "encoder/model_fixture.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

class ModelTest : public testing::Test {
 protected:
  // What open() says about the folder, or "" when it accepts it.
  std::string complaint() const {
    try {
      Model::open(folder);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  const Scratch scratch;
  const fs::path folder = scratch / "run";  // not there yet
};

struct Fault {
  const char* said;
  std::function<void(ModelFixture&)> make;
};

TEST_F(ModelTest, EveryFaultIsNamed) {
  const auto gru = [](ModelFixture& m) {
    m.set_encoder("en", {{"kind", "gru"}, {"input", 5}, {"hidden", 4}, {"reset", "after"}}, 4);
  };
  const std::vector<Fault> faults = {
      {"config.json: format is 2 (expected a whole number from 1 to 1)",
       [](ModelFixture& m) { m.config["format"] = 2; }},
      {"config.json: lacks 'dim'", [](ModelFixture& m) { m.config.erase("dim"); }},
      {"has a key 'langauges' (did you mean 'languages'?)",
       [](ModelFixture& m) { m.config["langauges"] = 1; }},
      {"dim is of type string", [](ModelFixture& m) { m.config["dim"] = "6"; }},
      {"dim is -1", [](ModelFixture& m) { m.config["dim"] = -1; }},
      {"dim is 18446744073709551615", [](ModelFixture& m) { m.config["dim"] = UINT64_MAX; }},
      {"text.en gives 6 numbers (expected 7, the model's dim)",
       [](ModelFixture& m) {
         m.config["dim"] = 7;
         m.config["text"].erase("de");
         m.config["languages"] = {"en"};
       }},
      {"consistency.fr is of no language of the model (expected de, en)",
       [](ModelFixture& m) {
         m.config["consistency"] = {{"fr", 1}};
       }},
      {"languages are not those of text",
       [](ModelFixture& m) {
         m.config["languages"] = {"de", "fr"};
       }},
      {"text.en.encoder.kind is 'gruu' (did you mean 'gru'?) (expected mean, gru, lstm, given)",
       [](ModelFixture& m) { m.config["text"]["en"]["encoder"]["kind"] = "gruu"; }},
      {"image.image.layers.0.kind is 'lineal' (did you mean 'linear'?)",
       [](ModelFixture& m) { m.config["image"]["image"]["layers"][0]["kind"] = "lineal"; }},
      {"text.en.space is 'imag' (did you mean 'image'?)",
       [](ModelFixture& m) { m.config["text"]["en"]["space"] = "imag"; }},
      {"text.en.unknown is 'keep'",
       [](ModelFixture& m) { m.config["text"]["en"]["unknown"] = "keep"; }},
      {"vocabulary.tsv: no vocabulary 'xx'",
       [](ModelFixture& m) { m.config["text"]["en"]["vocabulary"] = "xx"; }},
      {"features.parts is empty",
       [](ModelFixture& m) { m.config["features"]["parts"] = nlohmann::json::array(); }},
      {"model.safetensors: no tensor 'text_en.words'",
       [](ModelFixture& m) { m.tensors.erase("text_en.words"); }},
      {"tensor 'text_en.words' is [11, 5] (expected [12, 5])",
       [](ModelFixture& m) { m.vocabularies["en"].add("more", 1); }},
      {"tensor 'text_en.fc.weight' is [6, 5] (expected [6, 4])",
       [&](ModelFixture& m) {
         gru(m);
         m.add("text_en.fc.weight", {6, 5});
       }},
      {"tensor 'text_en.encoder.weight_hh_l0' is [12, 5] (expected [12, 4])",
       [&](ModelFixture& m) {
         gru(m);
         m.add("text_en.encoder.weight_hh_l0", {12, 5});
       }},
      {"no tensor 'text_en.encoder.weight_ih_l0_reverse'",
       [&](ModelFixture& m) {
         gru(m);
         m.config["text"]["en"]["encoder"]["bidirectional"] = true;
       }},
      {"tensor 'features.mean' is [8] (expected [7])",
       [](ModelFixture& m) { m.add("features.mean", {8}); }},
      {"tensor 'image.norm.bias' is [1, 19] (expected [19])",
       [](ModelFixture& m) {
         m.add("image.norm.bias", {1, 19});
       }},
      {"features.regions is 3 (expected",
       [](ModelFixture& m) { m.config["features"]["regions"] = 3; }},
      {"image.image: 0 layers that pool (expected one",
       [](ModelFixture& m) {
         m.config["features"]["regions"] = 7;
         m.add("image.fc.weight", {19, 1});
       }},
      {"text.en: 1 layers that pool (expected none",
       [](ModelFixture& m) {
         m.config["text"]["en"]["layers"].push_back({{"kind", "mean"}});
       }},
      {"tensor 'pool.context' is [1, 5] (expected [1, 6])",
       [](ModelFixture& m) {
         m.add("pool.context", {1, 5});
         m.config["image"]["image"]["layers"].push_back({{"kind", "context"}, {"prefix", "pool"}});
       }},
      {"words with 6 numbers compared with regions with 6",
       [](ModelFixture& m) { m.say_attends(); }},
      {"attention.lambda_lse is 0 (expected", [](ModelFixture& m) { m.say_attends(0); }},
      {"vocabulary.tsv: no vocabulary 'characters'",
       [](ModelFixture& m) {
         m.config["text"]["en"]["characters"] = "text_en.words";
         m.config["text"]["en"]["most_characters"] = 3;
       }},
      {"words borrowed from 'xx'",
       [](ModelFixture& m) {
         m.config["text"]["de"]["borrows"] = "xx";
         m.config["text"]["de"]["borrowed"] = "text_de.borrowed";
       }},
      {"in 'text_de.borrowed' (expected a row of 'text_en.words')",
       [](ModelFixture& m) {
         m.config["text"]["de"]["borrows"] = "en";
         m.config["text"]["de"]["borrowed"] = "text_de.borrowed";
         m.vocabularies["de"].add("more", 1);
         m.add("text_de.borrowed", {1});
       }},
      {"tensor 'image.out.weight' is empty",
       [](ModelFixture& m) {
         m.add("image.out.weight", {0, 19});
       }},
  };
  for (const Fault& fault : faults) {
    ModelFixture fixture;
    fault.make(fixture);
    fixture.write(folder);
    EXPECT_NE(complaint().find(fault.said), std::string::npos)
        << "wanted: " << fault.said << "\nfound:  " << complaint();
  }
}

TEST_F(ModelTest, MissingTruncatedAndBrokenFilesAreNamed) {
  EXPECT_NE(complaint().find("no such folder"), std::string::npos);
  ModelFixture().write(folder);
  EXPECT_EQ(complaint(), "");
  const std::string weights = read_file(folder / kWeightsFile);
  write_file(folder / kWeightsFile, weights.substr(0, weights.size() - 1));
  EXPECT_NE(complaint().find("model.safetensors: "), std::string::npos);
  ModelFixture().write(folder);
  write_file(folder / kConfigFile, "{\n\"format\": 1,\n");
  EXPECT_NE(complaint().find("config.json:3: broken JSON"), std::string::npos) << complaint();
  write_file(folder / kConfigFile, std::string(1000, '['));
  EXPECT_NE(complaint().find("nested too deep"), std::string::npos) << complaint();
  fs::remove(folder / kConfigFile);
  EXPECT_NE(complaint().find("holds no model"), std::string::npos);
}

TEST_F(ModelTest, TheHashFollowsEachFileAndNothingElse) {
  ModelFixture().write(folder);
  const std::string hash = model_hash(folder);
  write_file(folder / "README.md", "other");
  EXPECT_EQ(model_hash(folder), hash);
  for (const auto name : {kConfigFile, kWeightsFile, kVocabularyFile}) {
    const std::string content = read_file(folder / name);
    write_file(folder / name, content + " ");
    EXPECT_NE(model_hash(folder), hash) << name;
    write_file(folder / name, content);
  }
}

}  // namespace
}  // namespace hinny
