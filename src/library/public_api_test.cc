// The C++ interface, as programs use it. What is public comes last (library/internal.h), and is
// called by its whole name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "index/folder/index_fixture.h"
#include "library/internal.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class PublicApi : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    build();
    asked.language = "en";
  }
  v1::Collection opened() const { return v1::Collection((folder / "index").string()); }
  v1::Model model() const { return v1::Model((folder / "run").string()); }
  static std::vector<std::string> ids_of(const v1::Answer& answer) {
    std::vector<std::string> ids;
    for (const v1::Result& result : answer.results) ids.push_back(result.id);
    return ids;
  }

  template <typename Ask>
  static void expect_refused(const Ask& ask, const char* why) {
    EXPECT_THAT(ask, ThrowsMessage<v1::InputError>(HasSubstr(why)));
  }

  v1::Question asked;
};

TEST_F(PublicApi, SaysWhatACollectionHolds) {
  v1::Collection first = opened();
  v1::Collection collection = std::move(first);
  first = opened();
  EXPECT_EQ(collection.size(), 5U);
  EXPECT_EQ(collection.dim(), 6U);
  EXPECT_THAT(collection.languages(), ElementsAre("de", "en"));
  EXPECT_THAT(collection.ids(), ElementsAre("p0", "p1", "p2", "p3", "p4"));
  EXPECT_THAT(collection.file("p1"), testing::EndsWith("p1.jpg"));
  EXPECT_EQ(collection.file("p3"), "");
  EXPECT_THROW(collection.file("p9"), v1::NotFoundError);
  EXPECT_EQ(collection.model_hash(), model().hash());
  EXPECT_STREQ(v1::version(), HINNY_VERSION);
  EXPECT_THROW(v1::Collection((folder / "nowhere").string()), v1::NotFoundError);
}

TEST_F(PublicApi, NearestAreThoseOfTheVectorsItShows) {
  const v1::Collection collection = opened();
  const v1::VectorView view = collection.vectors("en");
  ASSERT_EQ(view.rows, 5U);
  ASSERT_EQ(view.dim, 6U);
  const std::vector<float> encoded = model().encode_features(rows, "en").values;
  for (std::size_t i = 0; i < view.rows; ++i) {
    for (std::size_t d = 0; d < view.dim; ++d) {
      EXPECT_NEAR(view.data[i * view.stride + d], encoded[i * view.dim + d], 1e-6F);
    }
  }
  asked.k = 2;
  const auto answers = collection.nearest(encoded, asked);
  ASSERT_EQ(answers.size(), 5U);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ASSERT_EQ(answers[i].results.size(), 2U);
    EXPECT_EQ(answers[i].results[0].id, fmt::format("p{}", i));
    EXPECT_NEAR(answers[i].results[0].score, 1, 1e-5);
  }
  expect_refused([&] { collection.nearest(std::span(encoded).first(7), asked); }, "vectors of 6");
  std::vector<float> odd(6, std::numeric_limits<float>::infinity());
  expect_refused([&] { collection.nearest(odd, asked); }, "not finite");
  // Of a model with several spaces a language says which.
  expect_refused([&] { collection.nearest(encoded); }, "2 image spaces");
  expect_refused([&] { collection.vectors(); }, "2 image spaces");
  expect_refused([&] { collection.vectors("xx"); }, "xx");
}

TEST_F(PublicApi, FieldsActAsTheirTextsDo) {
  const v1::Collection collection = opened();
  const auto best = ids_of(collection.search("a dog", asked));
  EXPECT_EQ(best.size(), 5U);
  v1::Question same;
  for (const auto& [name, value] :
       std::vector<std::pair<const char*, const char*>>{{"lang", "en"},
                                                        {"k", "5"},
                                                        {"literal", "1"},
                                                        {"each_frame", "false"},
                                                        {"near_copies", "0"},
                                                        {"sort", "score"},
                                                        {"image_weight", "0.5"}}) {
    same.set(name, value);
  }
  EXPECT_EQ(ids_of(collection.search("a dog", same)), best);
  same.set("near_copies", "true");
  std::size_t together = 0;
  for (const v1::Result& result : collection.search("a dog", same).results) {
    together += 1 + result.copies.size();
  }
  EXPECT_EQ(together, best.size());
  same.set("near_copies", "false");
  same.set("also", "en=the beach");
  v1::Question also = asked;
  also.also = {{"en", "the beach"}};
  EXPECT_EQ(ids_of(collection.search("a dog", same)), ids_of(collection.search("a dog", also)));
  EXPECT_THROW(same.set("sort", "size"), v1::InputError);
  EXPECT_THROW(same.set("literal", "yes"), v1::InputError);
  EXPECT_THROW(same.set("k", "5x"), v1::InputError);
  same.set("sort", "time");
  EXPECT_TRUE(same.by_time);
  expect_refused([&] { collection.search("a dog", same); }, "does not know when");
}

TEST_F(PublicApi, WhatIsAskedWronglyIsRefused) {
  const v1::Collection collection = opened();
  const auto refused = [&](auto member, auto value, const char* why) {
    v1::Question wrong = asked;
    wrong.*member = std::move(value);
    expect_refused([&] { collection.search("a dog", wrong); }, why);
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float weight : {0.0F, -1.0F, 1001.0F, kNan}) {
    refused(&v1::Question::picture_weight, weight, "a weight of");
    refused(&v1::Question::exclude_weight, weight, "a weight of");
  }
  refused(&v1::Question::k, std::size_t{0}, "k = 0");
  refused(&v1::Question::explain, true, "an explanation");
  refused(&v1::Question::within, std::string("5km"), "nowhere near which");
  refused(&v1::Question::near, std::string("91,0"), "near '91,0'");
  refused(&v1::Question::since, std::string("yesterday"), "a time such as");
  refused(&v1::Question::min_size, std::string("large"), "millions of pixels");
  refused(&v1::Question::shape, std::string("round"), "shape 'round'");
  refused(&v1::Question::min_fit, 1.0, "a least fit");
  v1::Question like = asked;
  like.like = {"p9"};
  EXPECT_THROW(collection.search(std::span<const std::string>(), like), v1::NotFoundError);
  like.like = {"p1"};
  like.also = {{"en", "the beach"}};
  expect_refused([&] { collection.search(std::span<const std::string>(), like); },
                 "a translation without one sentence");
  like.also.clear();
  EXPECT_EQ(collection.search(std::span<const std::string>(), like).front().results.size(), 4U);
}

TEST_F(PublicApi, ModelsEncodeEachSentenceInItsLanguage) {
  v1::Model first = model();
  v1::Model opened = std::move(first);
  first = model();
  const std::vector<std::string> sentences = {"am strand", "a dog"};
  const std::vector<std::string> each = {"de", "en"}, one = {"en"};
  const v1::Vectors vectors = opened.encode(sentences, each);
  ASSERT_EQ(vectors.rows, 2U);
  const v1::Vectors alone = opened.encode(std::span(sentences).last(1), one);
  EXPECT_TRUE(std::equal(alone.values.begin(), alone.values.end(), vectors.values.begin() + 6));
  EXPECT_THAT(opened.guess_languages(sentences), ElementsAre("de", "en"));
  const std::vector<std::string> three = {"de", "en", "en"};
  expect_refused([&] { opened.encode(sentences, three); }, "3 languages of 2 sentences");
  expect_refused([&] { opened.encode(sentences); }, "2 image spaces");
  expect_refused([&] { opened.encode_features(rows); }, "2 image spaces");
  expect_refused([&] { opened.encode_features(std::span(rows).first(8), "en"); }, "rows of 7");
  rows[3] = std::numeric_limits<float>::quiet_NaN();
  expect_refused([&] { opened.encode_features(rows, "en"); }, "not finite");
  EXPECT_EQ(opened.encode_features({}, "en").rows, 0U);
}

TEST_F(PublicApi, RecallIsCountedForAnOwnerOfEachCaption) {
  const std::vector<float> images = {1, 0, 0, 1}, captions = {1, 0.1F, 0.9F, 0, 0, 1};
  const std::vector<int> owners = {0, 0, 1};
  EXPECT_EQ(v1::recall(images, captions, owners, 2).mean, 100);
  const std::vector<int> others = {0, 1, 1};
  const v1::Recall recall = v1::recall(images, captions, others, 2);
  EXPECT_NEAR(recall.text_to_image_r1, 200.0 / 3, 1e-9);
  EXPECT_EQ(recall.text_to_image_r5, 100);
  const auto refused = [&](std::span<const float> i, std::span<const float> c, std::vector<int> of,
                           std::size_t dim, const char* why) {
    expect_refused([&] { v1::recall(i, c, of, dim); }, why);
  };
  refused(images, captions, owners, 0, "rows of 0");
  refused(std::span(images).first(3), captions, owners, 2, "rows of 2");
  refused(images, std::span(captions).first(5), owners, 2, "rows of 2");
  refused(images, captions, {0, 1}, 2, "3 captions, 2 owners");
  refused({}, {}, {}, 2, "one or more");
  refused(images, captions, {0, 1, 2}, 2, "caption 2 belongs to image 2 (expected 0 to 1)");
  refused(images, captions, {0, -1, 1}, 2, "caption 1 belongs to image -1");
}

// Words and regions of an index whose model compares them.
TEST(PublicExplanation, SaysWhatWordsAndRegionsCountFor) {
  const v1::Collection collection(HINNY_SOURCE "/tests/old_models/index-regions");
  v1::Question question;
  question.language = "en";
  question.explain = true;
  const v1::Answer answer = collection.search("green car there", question);
  ASSERT_FALSE(answer.results.empty());
  ASSERT_TRUE(answer.results[0].explanation.has_value());
  const v1::Explanation& shown = *answer.results[0].explanation;
  float words = 0, regions = 0;
  for (const auto& word : shown.words) words += word.share;
  for (const float share : shown.regions) regions += share;
  EXPECT_NEAR(words, 1, 1e-4);
  EXPECT_NEAR(regions, 1, 1e-4);
  EXPECT_EQ(shown.words[1].text, "green");
}

}  // namespace
}  // namespace hinny
