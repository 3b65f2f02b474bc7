#include "index/asking/ask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/atomic_file.h"
#include "encoder/image_encoder.h"
#include "index/asking/sentences.h"
#include "index/folder/index_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;
using QuestionPart = Question::Part;

class AskTest : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    build();
    index.emplace(Index::open(folder / "index"));
    encoder.emplace(index->model());
  }
  Answer answer(std::vector<QuestionPart> parts, const std::string& language = "en") {
    Question question;
    question.parts = std::move(parts);
    question.language = language;
    return ask(*index, *encoder, question);
  }
  std::vector<float> sentence(const char* text) { return encoder->encode(text, "en").vector; }
  // Scores of the five images for a sum of vectors, made to unit length.
  std::vector<float> scores_of(const std::vector<std::pair<float, std::vector<float>>>& parts) {
    std::vector<float> sum(6);
    for (const auto& [weight, vector] : parts) {
      for (std::size_t d = 0; d < 6; ++d) sum[d] += weight * vector[d];
    }
    float squares = 0;
    for (const float x : sum) squares += x * x;
    std::vector<float> scores;
    for (std::size_t i = 0; i < 5; ++i) {
      const auto image = index->vector(i, "image");
      float score = 0;
      for (std::size_t d = 0; d < 6; ++d) score += sum[d] * image[d];
      scores.push_back(score / std::sqrt(squares));
    }
    return scores;
  }
  void expect_scores(const Answer& answer, const std::vector<float>& wanted) const {
    for (const Found& found : answer.found) {
      EXPECT_NEAR(found.score, wanted[index->find(found.image).value()], 1e-5);
    }
    for (std::size_t i = 1; i < answer.found.size(); ++i) {
      EXPECT_GE(answer.found[i - 1].score, answer.found[i].score);
    }
  }
  std::optional<Index> index;
  std::optional<TextEncoder> encoder;
};

TEST_F(AskTest, PartsAddUpWithTheirWeights) {
  const std::vector<float> features(rows.begin() + 7, rows.begin() + 14);  // of p1
  const Answer all = answer(
      {said("a dog"), said("the beach", -0.5F), QuestionPart{Question::Features{features}, 2}});
  EXPECT_EQ(all.found.size(), 5U);
  expect_scores(all, scores_of({{1, sentence("a dog")},
                                {-0.5F, sentence("the beach")},
                                {2, index->vector(1, "image")}}));
  EXPECT_EQ(all.texts.size(), 2U);
  EXPECT_EQ(all.texts[1].text, "the beach");
}

TEST_F(AskTest, OneSentenceIsComparedAsItIs) {
  const Answer one = answer({said("a dog runs")});
  expect_scores(one, scores_of({{1, sentence("a dog runs")}}));
}

// CLC-C: what was learnt of languages counts among translations, and nowhere else.
TEST_F(AskTest, TranslationsWeighWhatTheirLanguagesHaveLearnt) {
  fixture.config["text"]["de"]["space"] = "image";
  fixture.config["consistency"] = {{"en", 0.5}, {"de", 0.125}};
  fixture.write(folder / "run");
  build({0, 1, 2, 3, 4}, "consistent");
  index.emplace(Index::open(folder / "consistent"));
  encoder.emplace(index->model());
  const QuestionPart english = said("a dog");
  const QuestionPart german = said("ein hund", 1, "de");
  expect_scores(
      answer({english, german}),
      scores_of({{0.5F, sentence("a dog")}, {0.125F, encoder->encode("ein hund", "de").vector}}));
  expect_scores(answer({english, like("p1")}),
                scores_of({{1, sentence("a dog")}, {1, index->vector(1, "image")}}));
}

TEST_F(AskTest, AnImageOfTheIndexFindsOthersNotItself) {
  const Answer others = answer({like("p2")});
  EXPECT_EQ(others.found.size(), 4U);
  for (const Found& found : others.found) EXPECT_NE(found.image, "p2");
  expect_scores(others, scores_of({{1, index->vector(2, "image")}}));
}

TEST_F(AskTest, SaysHowSentencesWereUnderstood) {
  Answer guessed = answer({said("dog on the zebra")}, "");
  ASSERT_EQ(guessed.texts.size(), 1U);
  EXPECT_EQ(guessed.texts[0].language, "en");
  EXPECT_THAT(guessed.texts[0].unknown_words, ElementsAre("zebra"));
}

TEST_F(AskTest, WhatCannotBeAnsweredIsRefused) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  struct Wrong {
    const char* complaint;
    std::vector<QuestionPart> parts;
    const char* language;
  };
  const std::vector<Wrong> wrong = {
      {"an empty question", {}, "en"},
      {"broken UTF-8", {said("\xff")}, "en"},
      {"knows no word of 'zebra'", {said("zebra")}, "en"},
      {"no language 'fr'", {said("a dog")}, "fr"},
      {"a picture of 3 features", {QuestionPart{Question::Features{{1, 2, 3}}, 1}}, "en"},
      {"not finite", {QuestionPart{Question::Features{{1, 2, 3, 4, 5, 6, kNan}}, 1}}, "en"},
      {"no image 'p5'", {like("p5")}, "en"},
      {"a picture to be read", {QuestionPart{PictureFile{"x.jpg"}, 1}}, "en"},
      {"cancel", {said("a dog"), said("a dog", -1)}, "en"},
      {"sentences in", {said("a dog"), said("ein hund läuft")}, ""},
  };
  for (const Wrong& one : wrong) {
    EXPECT_THAT([&] { answer(one.parts, one.language); },
                ThrowsMessage<RequestError>(HasSubstr(one.complaint)));
  }
}

TEST_F(AskTest, ScoresBelowTheLeastAreLeftOut) {
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  const auto all = ask(*index, *encoder, question).found;
  question.min_score = static_cast<double>(all[1].score);
  EXPECT_EQ(ask(*index, *encoder, question).found.size(), 2U);
  question.min_score = 2;
  EXPECT_THAT(ask(*index, *encoder, question).found, IsEmpty());
}

// What is found says with which chance it belongs, by the pictures that the model remembers.
TEST_F(AskTest, WhatIsFoundFitsMoreOrLess) {
  HubBank bank = remember();
  bank.fit = FitCurve{2, 1, 0.5};
  write_hubs(folder / "run" / kHubsFile, bank);
  bank = read_hubs(folder / "run" / kHubsFile, 6);  // in half precision
  build({0, 1, 2, 3, 4}, "remembering");
  index.emplace(Index::open(folder / "remembering"));
  encoder.emplace(index->model());
  const Fit fit = bank.fit->of(known_score(bank.spaces.at("image").images, sentence("a dog")));
  const Answer all = answer({said("a dog")});
  ASSERT_EQ(all.found.size(), 5U);
  for (const Found& found : all.found) {
    EXPECT_NEAR(found.fit.value(), fit.of(static_cast<double>(found.score)), 1e-6);
  }
  // A least fit leaves out what fits less, and no more; of several questions each its own.
  const std::vector<std::string> sentences = {"a dog", "the beach"};
  Question shared;
  shared.language = "en";
  shared.min_fit = 0.5;
  const ReadOne read = reading_with(*encoder);
  for (const Answer& some : ask_each(*index, read, sentences, shared)) {
    std::size_t fitting = 0;
    for (const Found& found : answer({said(some.sentence.c_str())}).found) {
      fitting += found.fit.value() >= 0.5 ? 1 : 0;
    }
    EXPECT_EQ(some.found.size(), fitting);
  }
  EXPECT_FALSE(answer({said("a dog"), said("the beach", -0.5F)}).found.front().fit);
  EXPECT_FALSE(answer({like("p2")}).found.front().fit);
  EXPECT_FALSE(answer({said("a dog on the zebra")}).found.front().fit);
  shared.parts = {like("p2")};
  EXPECT_THAT([&] { ask_each(*index, read, {}, shared); },
              ThrowsMessage<RequestError>(HasSubstr("a least fit")));
}

// A model whose scores say the same of every question needs nothing to compare with.
TEST_F(AskTest, AScoreMayFitByItself) {
  EXPECT_FALSE(answer({said("a dog")}).found.front().fit);  // this one cannot know
  fixture.config["fit"] = {{"slope", 10}, {"offset", -1}};
  fixture.write(folder / "run");
  build({0, 1, 2, 3, 4}, "knowing");
  index.emplace(Index::open(folder / "knowing"));
  encoder.emplace(index->model());
  const Found best = answer({said("a dog")}).found.front();
  EXPECT_NEAR(best.fit.value(), 1 / (1 + std::exp(1 - 10 * static_cast<double>(best.score))), 1e-9);
}

// Each sentence costs one pass of the encoder, however many questions it belongs to.
TEST_F(AskTest, ASentenceIsEncodedOnceWithItsTranslations) {
  fixture.config["text"]["de"]["space"] = "image";
  fixture.write(folder / "run");
  build({0, 1, 2, 3, 4}, "one-space");
  index.emplace(Index::open(folder / "one-space"));
  encoder.emplace(index->model());
  std::vector<std::string> encoded;
  const ReadOne counting = [&](const Sentence& sentence) {
    encoded.push_back(sentence.text);
    return read_sentence(*encoder, sentence);
  };
  AskHelp help;
  help.translations = [](const std::string& text, const std::string& language) {
    EXPECT_EQ(language, "en");
    return std::vector<Sentence>{{"de", text == "a dog" ? "ein hund" : "strand"}, {"de", "zebra"}};
  };
  Question shared;
  shared.parts = {said("am", -0.5F)};
  const std::vector<std::string> sentences = {"a dog", "the beach"};
  const auto answers = ask_each(*index, counting, sentences, shared, help);
  EXPECT_THAT(encoded, UnorderedElementsAre("am", "a dog", "ein hund", "zebra", "the beach",
                                            "strand", "zebra"));
  ASSERT_EQ(answers.size(), 2U);
  const Answer by_hand = answer({said("a dog"), said("am", -0.5F), said("ein hund", 1, "de")}, "");
  ASSERT_EQ(answers[0].texts.size(), 3U);  // zebra is no word of the model
  EXPECT_EQ(answers[0].texts[2].text, "ein hund");
  for (std::size_t i = 0; i < by_hand.found.size(); ++i) {
    EXPECT_EQ(answers[0].found[i].image, by_hand.found[i].image);
    EXPECT_EQ(answers[0].found[i].score, by_hand.found[i].score);
  }
}

TEST_F(AskTest, TheBestSentencesForAPicture) {
  const std::vector<std::string> lines = {"a dog", "zebra", "ein hund", "the beach"};
  const auto hits = best_sentences(*index, std::size_t{3}, lines, "", 10);
  EXPECT_EQ(hits.size(), 3U);  // no word of "zebra" is known
  for (const SentenceHit& hit : hits) {
    const std::string space = hit.language == "de" ? "second" : "image";
    const auto text = encoder->encode(hit.text, hit.language).vector;
    const auto image = index->vector(3, space);
    float score = 0;
    for (std::size_t d = 0; d < 6; ++d) score += text[d] * image[d];
    EXPECT_NEAR(hit.score, score, 1e-5);
  }
  EXPECT_EQ(best_sentences(*index, std::size_t{3}, lines, "", 1).size(), 1U);
  EXPECT_THROW(best_sentences(*index, std::size_t{9}, lines, "", 1), InputError);
}

TEST_F(AskTest, StoredSentencesAnswerForEveryImage) {
  const auto hits = StoredSentences(*index).nearest(*index, 0, 2);
  ASSERT_THAT(hits, Not(IsEmpty()));
  EXPECT_LE(hits.size(), 4U);
  EXPECT_EQ(hits[0].text, "a");
  write_npy(folder / "index/sentences.npy", std::vector<float>(6), {1, 6});
  EXPECT_THAT([&] { StoredSentences(*index).nearest(*index, 0, 2); },
              ThrowsMessage<InputError>(HasSubstr("sentences.npy")));
  write_file(folder / "index/sentences.jsonl", "{\"lang\": 1}\n");
  EXPECT_THAT([&] { StoredSentences(*index).nearest(*index, 0, 2); },
              ThrowsMessage<InputError>(HasSubstr("sentences.jsonl:1")));
}

}  // namespace
}  // namespace hinny
