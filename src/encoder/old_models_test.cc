// Models of each kind, as earlier versions wrote them (tests/old_models), encode and translate what
// they did; by the programs: tests/old_formats_test.cc.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/folders.h"
#include "base/read_file.h"
#include "encoder/export_model.h"
#include "encoder/text_encoder.h"
#include "encoder/translator.h"
#include "tests/parameter_name.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

const std::filesystem::path kModels = HINNY_SOURCE "/tests/old_models";

nlohmann::json said_by(const std::string& name) {
  return nlohmann::json::parse(read_file(kModels / name / "expected.json"));
}

std::vector<std::string> that_say(const char* what) {
  std::vector<std::string> names;
  for (const auto& entry : entries_in(kModels)) {
    const std::string name = entry.path().filename();
    if (!std::filesystem::exists(entry.path() / "expected.json")) continue;
    if (said_by(name).contains(what)) names.push_back(name);
  }
  return names;
}

class OldEncoders : public testing::TestWithParam<std::string> {
 protected:
  static void expect_as_before(const std::filesystem::path& folder, float tolerance) {
    const Model model = Model::open(folder);
    TextEncoder encoder(model);
    const std::map<std::string, std::string> questions = {{"en", "green car there"},
                                                          {"de", "blau Haus"}};
    const nlohmann::json expected = said_by(GetParam())["encode"];
    EXPECT_EQ(expected.size(), questions.size());
    for (const auto& [language, text] : questions) {
      const auto wanted = expected[language].get<std::vector<float>>();
      const std::vector<float> vector = encoder.encode(text, model.language(language)).vector;
      ASSERT_EQ(vector.size(), wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_NEAR(vector[i], wanted[i], tolerance) << language << " " << i;
      }
    }
  }
};

TEST_P(OldEncoders, EncodeWhatTheyDid) { expect_as_before(kModels / GetParam(), 2e-3F); }

// As a copy for programs that ask, and in fewer bits.
TEST_P(OldEncoders, AndWhenTheyAreExported) {
  const Model model = Model::open(kModels / GetParam());
  const Scratch scratch;
  for (const auto& [type, tolerance] :
       {std::pair{"fp32", 2e-3F}, {"bf16", 2e-2F}, {"int8", 5e-2F}}) {
    create_folder(scratch / type);
    export_model(model, weight_type(type), scratch / type);
    expect_as_before(scratch / type, tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, OldEncoders, testing::ValuesIn(that_say("encode")), NamedByText());

class OldTranslators : public testing::TestWithParam<std::string> {};

TEST_P(OldTranslators, TranslateWhatTheyDid) {
  const Scratch scratch;
  export_translator(kModels / GetParam(), WeightType::float32, scratch / "");
  const std::string expected = said_by(GetParam())["translate"];
  for (const std::filesystem::path& folder : {kModels / GetParam(), scratch / ""}) {
    ASSERT_TRUE(holds_translator(folder));
    const Translator translator = Translator::open(folder);
    const Direction direction = translator.directions().front();
    const std::string alone = translator.translate("green car", direction);
    EXPECT_EQ(alone + "\n", expected);
    SearchOptions options;
    options.best = 2;
    const std::vector<std::string> texts = {"", "green car", "blue house there", "green car"};
    const auto found = translator.translate(texts, direction, options);
    ASSERT_EQ(found.size(), texts.size());
    EXPECT_EQ(found[0].front().text, "");
    for (const std::size_t i : {1U, 3U}) {
      ASSERT_EQ(found[i].size(), 2U);
      EXPECT_EQ(found[i][0].text, alone);
      EXPECT_GE(found[i][0].score, found[i][1].score);
    }
    std::string endless;
    for (std::size_t i = 0; i < 2 * Translator::kMostWords; ++i) endless += "green ";
    EXPECT_FALSE(translator.translate(endless, direction, 1).empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Models, OldTranslators, testing::ValuesIn(that_say("translate")),
                         NamedByText());

}  // namespace
}  // namespace hinny
