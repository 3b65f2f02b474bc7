#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <set>
#include <thread>

#include "base/read_file.h"
#include "encoder/image_encoder.h"
#include "hinny.h"
#include "index/asking/collection.h"
#include "index/asking/question_fields.h"
#include "index/folder/index_fixture.h"
#include "tests/decimal_comma.h"

namespace hinny {
namespace {

using testing::HasSubstr;

class CApiTest : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    build();
    model = hinny_model_open((folder / "run").c_str(), &error);
    collection = hinny_collection_open((folder / "index").c_str(), &error);
    ASSERT_NE(model, nullptr) << error.message;
    ASSERT_NE(collection, nullptr) << error.message;
    question = hinny_question_new();
  }
  void TearDown() override {
    hinny_question_free(question);
    hinny_collection_free(collection);
    hinny_model_free(model);
  }

  // What asking now gives: ids and scores, or the error's message.
  std::string asked() {
    error = {HINNY_OK, ""};
    hinny_answer* const answer = hinny_collection_search(collection, question, &error);
    if (answer == nullptr) return error.message;
    std::string text;
    for (std::size_t i = 0; i < hinny_answer_size(answer); ++i) {
      text += fmt::format("{} {:.9g}\n", hinny_answer_id(answer, i), hinny_answer_score(answer, i));
    }
    EXPECT_EQ(hinny_answer_id(answer, hinny_answer_size(answer)), nullptr);
    EXPECT_EQ(hinny_answer_file(answer, 1000), nullptr);
    EXPECT_EQ(hinny_answer_score(answer, 1000), 0);
    hinny_answer_free(answer);
    return text;
  }
  static std::string text_of(const Answer& answer) {
    std::string text;
    for (const Found& found : answer.found) {
      text += fmt::format("{} {:.9g}\n", found.image, found.score);
    }
    return text;
  }

  hinny_error error{};
  hinny_model* model = nullptr;
  hinny_collection* collection = nullptr;
  hinny_question* question = nullptr;
};

TEST_F(CApiTest, AnswersAsTheCollectionDoes) {
  const Collection same(folder / "index");
  ASSERT_EQ(hinny_question_sentence(question, "a dog", "en", &error), HINNY_OK);
  Question shared;
  shared.language = "en";
  EXPECT_EQ(asked(), text_of(same.ask(std::vector<std::string>{"a dog"}, shared).front()));

  ASSERT_EQ(hinny_question_set(question, "k", "2", &error), HINNY_OK);
  ASSERT_EQ(hinny_question_set(question, "not", "the beach", &error), HINNY_OK);
  ASSERT_EQ(hinny_question_set(question, "like", "p1", &error), HINNY_OK);
  ASSERT_EQ(hinny_question_features(question, rows.data() + 7, 7, &error), HINNY_OK);
  shared.k = 2;
  shared.parts = {like("p1"),
                  said("the beach", -0.5F),
                  {Question::Features{{rows.begin() + 7, rows.begin() + 14}}, 1}};
  EXPECT_EQ(asked(), text_of(same.ask(std::vector<std::string>{"a dog"}, shared).front()));
}

TEST_F(CApiTest, EncodesSentencesAndFeatures) {
  EXPECT_EQ(hinny_model_dim(model), 6U);
  EXPECT_EQ(hinny_model_feature_size(model), 7U);
  EXPECT_STREQ(hinny_model_language(model, 1), "en");
  EXPECT_EQ(hinny_model_language(model, 2), nullptr);
  const std::array<const char*, 2> sentences = {"a dog", "the beach"};
  std::array<float, 13> out{};
  out[12] = 42;
  ASSERT_EQ(hinny_model_encode(model, sentences.data(), 2, "en", out.data(), &error), HINNY_OK);
  const Model same = Model::open(folder / "run");
  const std::vector<float> dog = TextEncoder(same).encode("a dog", "en").vector;
  EXPECT_TRUE(std::equal(dog.begin(), dog.end(), out.begin()));
  EXPECT_EQ(out[12], 42);  // nothing behind what was asked for
  ASSERT_EQ(hinny_model_encode_features_for(model, "en", rows.data(), 2, out.data(), &error),
            HINNY_OK);
  double squares = 0;
  for (std::size_t i = 0; i < 6; ++i) squares += std::pow(out[i], 2);
  EXPECT_NEAR(squares, 1, 1e-5);
}

// Vectors of different spaces do not compare, and look alike: nobody gets one of a space that
// nobody named.
TEST_F(CApiTest, ModelsWithSeveralSpacesAreAskedByLanguage) {
  const auto features_for = [&](const char* language) {
    std::vector<float> out(6);
    EXPECT_EQ(hinny_model_encode_features_for(model, language, rows.data(), 1, out.data(), &error),
              HINNY_OK)
        << error.message;
    return out;
  };
  const Model same = Model::open(folder / "run");
  const ImageEncoder encoder(same);
  const std::span<const float> one(rows.data(), 7);
  EXPECT_EQ(features_for("en"), encoder.encode(one, "image"));
  EXPECT_EQ(features_for("de"), encoder.encode(one, "second"));
  EXPECT_NE(features_for("en"), features_for("de"));

  std::array<float, 6> out{};
  const char* const sentence = "a dog";
  for (const char* language : {static_cast<const char*>(nullptr), ""}) {
    EXPECT_EQ(hinny_model_encode_features_for(model, language, rows.data(), 1, out.data(), &error),
              HINNY_INPUT);
    EXPECT_THAT(error.message, HasSubstr("one of de, en"));
    EXPECT_EQ(hinny_model_encode(model, &sentence, 1, language, out.data(), &error), HINNY_INPUT);
    EXPECT_THAT(error.message, HasSubstr("one of de, en"));
  }
  EXPECT_EQ(hinny_model_encode_features(model, rows.data(), 1, out.data(), &error), HINNY_INPUT);
  EXPECT_EQ(hinny_model_encode_features_for(model, "xx", rows.data(), 1, out.data(), &error),
            HINNY_INPUT);
  EXPECT_EQ(out, (std::array<float, 6>{}));
}

// What a host program's locale is: nothing to Hinny.
TEST_F(CApiTest, NumbersAreReadAsTheyAreWrittenWhateverTheLocale) {
  remember();
  build();
  hinny_collection_free(collection);
  collection = hinny_collection_open((folder / "index").c_str(), &error);
  ASSERT_NE(collection, nullptr) << error.message;
  const auto ask = [&] {
    hinny_question_free(question);
    question = hinny_question_new();
    EXPECT_EQ(hinny_question_sentence(question, "a dog", "en", &error), HINNY_OK);
    EXPECT_EQ(hinny_question_set(question, "min_score", "-0.75", &error), HINNY_OK);
    EXPECT_EQ(hinny_question_set(question, "not_weight", "0.25", &error), HINNY_OK);
    EXPECT_EQ(hinny_question_set(question, "not", "the beach", &error), HINNY_OK);
    return asked();
  };
  const std::string expected = ask();
  EXPECT_THAT(expected, HasSubstr("p1 "));
  const DecimalComma comma;
  if (!comma.on()) GTEST_SKIP() << "no locale with a comma can be made here";
  EXPECT_EQ(ask(), expected);
  hinny_collection_free(collection);
  collection = hinny_collection_open((folder / "index").c_str(), &error);
  ASSERT_NE(collection, nullptr) << error.message;
  EXPECT_EQ(ask(), expected);
  const std::string data = (folder / "data").string();
  EXPECT_EQ(hinny_collection_update(collection, data.c_str(), nullptr, &error), HINNY_OK)
      << error.message;
  EXPECT_EQ(ask(), expected);
}

TEST_F(CApiTest, ChangesTheCollection) {
  const std::string data = (folder / "data").string();
  const std::array<const char*, 2> ids = {"p1", "p3"};
  ASSERT_EQ(hinny_collection_remove(collection, ids.data(), 2, &error), HINNY_OK) << error.message;
  EXPECT_EQ(hinny_collection_size(collection), 3U);
  EXPECT_EQ(hinny_collection_remove(collection, ids.data(), 1, &error), HINNY_NOT_FOUND);
  EXPECT_EQ(hinny_collection_size(collection), 3U);
  ASSERT_EQ(hinny_collection_add(collection, data.c_str(), nullptr, &error), HINNY_OK)
      << error.message;
  EXPECT_EQ(hinny_collection_size(collection), 5U);
  EXPECT_EQ(hinny_collection_add(collection, data.c_str(), "nosuch", &error), HINNY_INPUT);
  EXPECT_THAT(error.message, HasSubstr("nosuch"));
  EXPECT_EQ(hinny_collection_update(collection, "/nowhere", nullptr, &error), HINNY_NOT_FOUND);
  EXPECT_EQ(hinny_collection_add(collection, nullptr, nullptr, &error), HINNY_INPUT);
  EXPECT_EQ(hinny_collection_size(collection), 5U);
}

TEST_F(CApiTest, WhatIsWrongIsAnErrorAndNothingElse) {
  EXPECT_THAT(asked(), HasSubstr("nothing to look for"));
  EXPECT_EQ(error.status, HINNY_INPUT);
  EXPECT_EQ(hinny_question_set(question, "colour", "red", &error), HINNY_INPUT);
  EXPECT_THAT(error.message, HasSubstr("min_score"));
  EXPECT_EQ(hinny_question_set(question, "k\x1b[31m", "1", &error), HINNY_INPUT);
  EXPECT_THAT(error.message, HasSubstr("'k\\x1b[31m'"));
  EXPECT_EQ(hinny_question_set(question, "k", "\n\x7f", &error), HINNY_INPUT);
  EXPECT_THAT(error.message, HasSubstr("'\\n\\u007f'"));
  EXPECT_EQ(hinny_question_set(question, "k", "-1", &error), HINNY_INPUT);
  EXPECT_EQ(hinny_question_set(question, "k", "1e99999", nullptr), HINNY_INPUT);
  ASSERT_EQ(hinny_question_sentence(question, "\xff\xfe", "en", &error), HINNY_OK);
  EXPECT_THAT(asked(), HasSubstr("UTF-8"));
  ASSERT_EQ(hinny_question_sentence(question, "a dog", "xx", &error), HINNY_OK);
  EXPECT_THAT(asked(), HasSubstr("xx"));
  ASSERT_EQ(hinny_question_sentence(question, "a dog", "en", &error), HINNY_OK);
  const float bad = std::numeric_limits<float>::quiet_NaN();
  ASSERT_EQ(hinny_question_features(question, &bad, 1, &error), HINNY_OK);
  EXPECT_THAT(asked(), HasSubstr("features"));

  EXPECT_EQ(hinny_collection_open((folder / "none").c_str(), &error), nullptr);
  EXPECT_EQ(error.status, HINNY_NOT_FOUND);
  EXPECT_EQ(hinny_collection_open((folder / "run").c_str(), &error), nullptr);
  EXPECT_EQ(error.status, HINNY_INPUT);
  const std::string long_path(5000, 'x');
  EXPECT_EQ(hinny_model_open(long_path.c_str(), &error), nullptr);
  EXPECT_LT(std::string(error.message).size(), sizeof error.message);
  float out = 0;
  const char* const sentence = nullptr;
  EXPECT_EQ(hinny_model_encode(model, &sentence, 1, "en", &out, &error), HINNY_INPUT);
  EXPECT_EQ(hinny_model_encode_features(model, rows.data(), SIZE_MAX / 2, &out, &error),
            HINNY_INPUT);
}

TEST_F(CApiTest, NullIsAnErrorOrNothing) {
  hinny_model_free(nullptr);
  hinny_collection_free(nullptr);
  hinny_question_free(nullptr);
  hinny_answer_free(nullptr);
  EXPECT_EQ(hinny_model_open(nullptr, &error), nullptr);
  EXPECT_EQ(hinny_collection_open(nullptr, nullptr), nullptr);
  EXPECT_EQ(hinny_collection_search(nullptr, question, &error), nullptr);
  EXPECT_EQ(hinny_collection_search(collection, nullptr, &error), nullptr);
  EXPECT_EQ(hinny_question_set(question, nullptr, "1", &error), HINNY_INPUT);
  EXPECT_EQ(hinny_question_sentence(nullptr, "a", nullptr, &error), HINNY_INPUT);
  EXPECT_EQ(hinny_collection_reload(nullptr, &error), HINNY_INPUT);
  EXPECT_EQ(hinny_collection_size(nullptr), 0U);
  EXPECT_EQ(hinny_model_dim(nullptr), 0U);
  EXPECT_EQ(hinny_model_feature_size(nullptr), 0U);
  EXPECT_EQ(hinny_model_language(nullptr, 0), nullptr);
  EXPECT_EQ(hinny_model_encode(model, nullptr, 0, "en", nullptr, &error), HINNY_OK);
  EXPECT_EQ(hinny_model_encode_features(model, nullptr, 0, nullptr, &error), HINNY_OK);
  EXPECT_EQ(hinny_answer_size(nullptr), 0U);
  EXPECT_EQ(hinny_answer_id(nullptr, 0), nullptr);
  EXPECT_EQ(hinny_answer_fit(nullptr, 0), -1);
  EXPECT_STREQ(hinny_version(), HINNY_VERSION);
  EXPECT_STREQ(hinny_answer_language(nullptr), "");
}

TEST_F(CApiTest, ThreadsShareWhatIsOpen) {
  ASSERT_EQ(hinny_question_sentence(question, "a dog", "en", &error), HINNY_OK);
  const std::string expected = asked();
  std::atomic<int> wrong = 0;
  const auto ask = [&] {
    hinny_question* const mine = hinny_question_new();
    for (int i = 0; i < 50; ++i) {
      if (hinny_question_sentence(mine, "a dog", "en", nullptr) != HINNY_OK) ++wrong;
      hinny_answer* const answer = hinny_collection_search(collection, mine, nullptr);
      std::string text;
      for (std::size_t r = 0; r < hinny_answer_size(answer); ++r) {
        text +=
            fmt::format("{} {:.9g}\n", hinny_answer_id(answer, r), hinny_answer_score(answer, r));
      }
      hinny_answer_free(answer);
      if (text != expected || hinny_collection_reload(collection, nullptr) != HINNY_OK) ++wrong;
      std::array<float, 6> out{};
      const char* const sentence = "the beach";
      if (hinny_model_encode(model, &sentence, 1, "en", out.data(), nullptr) != HINNY_OK) ++wrong;
    }
    hinny_question_free(mine);
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(ask);
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST_F(CApiTest, EveryFieldOfAQuestionCanBeSet) {
  const std::set<std::string_view> otherwise = {"q", "image", "translate"};
  for (const QuestionField& field : question_fields()) {
    if (otherwise.contains(field.name)) continue;
    const std::string name(field.name);
    hinny_error problem = {HINNY_OK, ""};
    const hinny_status status = hinny_question_set(question, name.c_str(), "\x01", &problem);
    EXPECT_THAT(problem.message, testing::Not(HasSubstr("a question's field"))) << name;
    EXPECT_TRUE(status == HINNY_OK || status == HINNY_INPUT);
  }
}

TEST_F(CApiTest, WhatIsNoneOfAFieldsChoicesIsAnError) {
  for (const QuestionField& field : question_fields()) {
    if (field.choices.empty()) continue;
    const std::string name(field.name);
    hinny_question_free(question);
    question = hinny_question_new();
    ASSERT_EQ(hinny_question_sentence(question, "a dog", "en", &error), HINNY_OK);
    if (hinny_question_set(question, name.c_str(), "another", &error) == HINNY_OK) asked();
    EXPECT_EQ(error.status, HINNY_INPUT) << name;
    EXPECT_THAT(error.message, HasSubstr(fmt::format("{} 'another' (expected {} or {}", name,
                                                     field.choices[0], field.choices[1])));
  }
  hinny_question_free(question);
  question = hinny_question_new();
  ASSERT_EQ(hinny_question_sentence(question, "a dog", "en", &error), HINNY_OK);
  ASSERT_EQ(hinny_question_set(question, "min_score", "nan", &error), HINNY_OK);
  EXPECT_THAT(asked(), HasSubstr("a least score of nan"));
}

// Symbols that the shared library shows: C's functions, all of them, and hinny::v1's.
TEST(SharedLibraryTest, ShowsNothingThatIsNotPublic) {
  std::set<std::string> declared;
  const std::string header = read_file(HINNY_SOURCE "/include/hinny.h");
  const std::string mark = "HINNY_API ";
  for (auto at = header.find(mark); at != std::string::npos; at = header.find(mark, at + 1)) {
    const std::string words = header.substr(at, header.find('(', at) - at);  // "... hinny_f"
    declared.insert(words.substr(words.find_last_of(" *") + 1));
  }
  ASSERT_GT(declared.size(), 20U);
  std::set<std::string> shown;
  const std::unique_ptr<FILE, int (*)(FILE*)> nm(
      ::popen("nm -DC --defined-only --format=posix " HINNY_LIBRARY, "r"), ::pclose);
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), nm.get()) != nullptr) {
    const std::string symbol(line.data());
    const std::string name = symbol.substr(0, symbol.find_first_of(" @\n"));
    if (name.starts_with("hinny_"))
      shown.insert(name);
    else
      EXPECT_THAT(symbol, HasSubstr("hinny::v1::"));
  }
  EXPECT_EQ(shown, declared);
}

}  // namespace
}  // namespace hinny
