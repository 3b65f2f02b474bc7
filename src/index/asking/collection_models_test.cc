// Collections whose questions go through more than one model, or speak of more than a picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/day.h"
#include "index/asking/collection.h"
#include "index/asking/question_fields.h"
#include "index/asking/results_fixture.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class CollectionModels : public ResultsTest {
 protected:
  static Question english(std::size_t k = 10) {
    Question question;
    question.language = "en";
    question.k = k;
    return question;
  }
  static Ids ids_of(const Answer& answer) {
    Ids ids;
    for (const Found& one : answer.found) ids.push_back({one.image});
    return ids;
  }

  const std::vector<std::string> dog = {"a dog"};
};

TEST_F(CollectionModels, ARerankingModelIsAskedToo) {
  make(30, false, true);
  const Collection collection(folder / "index");
  EXPECT_TRUE(collection.facts().explains);
  Question question = english(50);
  const Answer answer = collection.ask(dog, question).front();
  question.parts = {said("a dog")};
  EXPECT_EQ(ids_of(answer), found(question));
  question.explain = true;
  question.parts.clear();
  const Answer explained = collection.ask(dog, question).front();
  EXPECT_EQ(ids_of(explained), ids_of(answer));
  for (const Found& one : explained.found) EXPECT_TRUE(one.explanation.has_value());
  // A question with a picture in it is no sentence alone, which the other model could read.
  question.explain = false;
  question.parts = {like("i3")};
  EXPECT_EQ(collection.ask({}, question).front().found.size(), 50U);
}

TEST_F(CollectionModels, WhatASentenceSpeaksOfFilters) {
  make(31);  // pictures of the first minutes of 1970
  const Collection collection(folder / "index");
  Question question = english(kPictures);
  question.literal = false;
  const std::vector<std::string> sentences = {"a dog in 1970", "a dog", "a dog in 2019"};
  const auto answers = collection.ask(sentences, question);
  ASSERT_EQ(answers.size(), 3U);
  ASSERT_EQ(answers[0].heard.size(), 1U);
  EXPECT_THAT(answers[0].heard[0].text, HasSubstr("1970"));
  EXPECT_EQ(answers[0].sentence, sentences[0]);
  EXPECT_THAT(answers[1].heard, IsEmpty());
  EXPECT_EQ(ids_of(answers[0]), ids_of(answers[1]));
  EXPECT_THAT(answers[2].found, IsEmpty());
  // What is asked for otherwise is not heard, and what is literal is not either.
  question.filter.since = parse_period("1969")->begin;
  EXPECT_THAT(collection.ask(std::span(sentences).first(1), question).front().heard, IsEmpty());
  question.filter.since.reset();
  question.literal = true;
  EXPECT_THAT(collection.ask(std::span(sentences).first(1), question).front().heard, IsEmpty());
}

// Two indexes of the same pictures: the one draws up the list that the other one compares.
TEST(CollectionShortlist, OnlyItsBestAreCompared) {
  const std::filesystem::path models = HINNY_SOURCE "/tests/old_models";
  const Collection first(models / "index"), second(models / "index-regions");
  const std::vector<std::string> sentence = {"green car there"};
  const auto asked = [&](const Collection& collection, std::size_t k, const Collection* shortlist) {
    Question question;
    question.language = "en";
    question.k = k;
    question.rerank = 3;
    std::vector<std::string> images;
    const auto answers = collection.ask(sentence, question, {.first = shortlist});
    for (const Found& one : answers.front().found) images.push_back(one.image);
    return images;
  };
  EXPECT_THAT(asked(second, 3, &first),
              testing::UnorderedElementsAreArray(asked(first, 3, nullptr)));
  EXPECT_EQ(asked(second, 8, &first).size(), 8U) << "k is a bound below";
  EXPECT_THAT([&] { asked(first, 3, &second); },
              ThrowsMessage<RequestError>(HasSubstr("a shortlist for a model that compares")));
}

}  // namespace
}  // namespace hinny
