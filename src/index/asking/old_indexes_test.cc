// Indexes of each kind, as earlier versions wrote them (tests/old_models), answer as they did; by
// the programs: tests/old_formats_test.cc.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/folders.h"
#include "base/read_file.h"
#include "index/asking/collection.h"
#include "index/asking/question_fields.h"
#include "tests/parameter_name.h"

namespace hinny {
namespace {

const std::filesystem::path kOldModels = HINNY_SOURCE "/tests/old_models";

std::vector<std::string> old_indexes() {
  std::vector<std::string> names;
  for (const auto& entry : entries_in(kOldModels)) {
    if (entry.path().filename().string().starts_with("index")) {
      names.push_back(entry.path().filename());
    }
  }
  return names;
}

class OldIndexes : public testing::TestWithParam<std::string> {};

TEST_P(OldIndexes, AnswerWhatTheyDid) {
  const auto expected =
      nlohmann::json::parse(read_file(kOldModels / GetParam() / "expected.json"))["search"];
  EXPECT_EQ(expected.size(), 2U);
  for (const bool resident : {false, true}) {
    const Collection collection(kOldModels / GetParam(), {resident, {}});
    for (const auto& [language, answer] : expected.items()) {
      const auto& results = answer["results"];
      const bool explained = results[0].contains("explanation");
      const Question question =
          shared_question({.language = language, .k = 3, .explain = explained});
      const std::string sentence = answer["query"];
      const auto found = collection.ask(std::span(&sentence, 1), question).front().found;
      ASSERT_EQ(found.size(), results.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].image, results[i]["image"]);
        EXPECT_NEAR(found[i].score, results[i]["score"].get<float>(), 2e-3F);
        EXPECT_EQ(found[i].fit.has_value(), results[i].contains("fit"));
        if (!explained) continue;
        ASSERT_TRUE(found[i].explanation.has_value());
        const auto& words = results[i]["explanation"]["words"];
        ASSERT_EQ(found[i].explanation->words.size(), words.size());
        for (std::size_t w = 0; w < words.size(); ++w) {
          EXPECT_EQ(found[i].explanation->words[w].text, words[w]["word"]);
          EXPECT_NEAR(found[i].explanation->words[w].share, words[w]["share"].get<float>(), 2e-3F);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Indexes, OldIndexes, testing::ValuesIn(old_indexes()), NamedByText());

}  // namespace
}  // namespace hinny
