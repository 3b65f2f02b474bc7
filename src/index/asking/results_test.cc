// Near copies made one and the newest first, against every picture compared by hand.
#include "index/asking/results.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/read_file.h"
#include "index/asking/results_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST_F(ResultsTest, AreThoseOfAllPicturesComparedByHand) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    make(seed);
    expect_all_kinds(fmt::format("seed {}", seed));
  }
}

TEST_F(ResultsTest, WhereHubsStandFurtherBehind) {
  make(4, true);
  expect_all_kinds("hubs");
}

TEST_F(ResultsTest, WithReranking) {
  make(5, true, true);
  ASSERT_NE(index->reranker(), nullptr);
  expect_all_kinds("a re-ranking model");
}

TEST_F(ResultsTest, OneOfEachFilm) {
  make(8, false, false, true);
  expect_all_kinds("films");
  make(9, true, true, true);
  expect_all_kinds("films, a re-ranking model");
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  for (const std::size_t k : {std::size_t{1}, std::size_t{30}, kPictures}) {
    question.k = k;
    question.each_frame = false;
    expect_as_by_hand(question, fmt::format("k {}", k));
    EXPECT_EQ(found(question).size(), std::min<std::size_t>(k, kPictures - 200 + 20));
    question.each_frame = true;
    expect_as_by_hand(question, fmt::format("each frame, k {}", k));
  }
}

TEST_F(ResultsTest, OfFilmsOrPicturesAlone) {
  make(10, false, false, true);
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  question.k = kPictures;
  const auto count = [&](Filter::Kind kind) {
    question.filter.kind = kind;
    const Ids ids = found(question);
    for (const auto& result : ids) {
      EXPECT_EQ(result.front().find("#t=") != std::string::npos, kind == Filter::Kind::film);
    }
    return ids.size();
  };
  EXPECT_EQ(count(Filter::Kind::film), 20U);
  EXPECT_EQ(count(Filter::Kind::picture), 200U);
  make(10);
  EXPECT_EQ(count(Filter::Kind::film), 0U);
  EXPECT_EQ(why_nothing(*index, question.filter), "no film in the index");
}

TEST_F(ResultsTest, AsAGraphFindsThem) {
  make(6);
  auto json = nlohmann::ordered_json::parse(read_file(folder / "index/index.json"));
  {
    const Weights scan(folder / "index/scan.safetensors");
    for (std::size_t space = 0; space < 2; ++space) {
      const fs::path file = folder / "index" / graph_file(space);
      Graph::build(scan.matrix("rows").part(space * kPictures, kPictures), file);
      json["graphs"].push_back(content_hash(file));
    }
  }
  write_file(folder / "index/index.json", json.dump());
  write_checksums(folder / "index");
  open(Method::graph);
  expect_all_kinds("a graph");
}

TEST_F(ResultsTest, APictureThatIsAskedWithIsNoCopyEither) {
  make(7);
  for (const std::size_t known : {std::size_t{0}, std::size_t{37}}) {
    Question question;
    question.parts = {like(fmt::format("i{}", known))};
    question.near_copies = true;
    for (const std::size_t k : {std::size_t{1}, std::size_t{5}, kPictures}) {
      question.k = k;
      expect_as_by_hand(question, fmt::format("like {}, k {}", known, k), known);
    }
  }
}

TEST_F(ResultsTest, SeveralQuestionsHaveTheirOwn) {
  make(8);
  Question shared;
  shared.language = "en";
  shared.near_copies = true;
  shared.k = 3;
  const std::vector<std::string> sentences = {"a dog", "the beach"};
  const auto answers = ask_each(*index, reading_with(*encoder), sentences, shared);
  for (std::size_t i = 0; i < 2; ++i) {
    Question alone = shared;
    alone.parts = {said(sentences[i])};
    const Ids wanted = by_hand(alone);
    ASSERT_EQ(answers[i].found.size(), wanted.size());
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      EXPECT_EQ(answers[i].found[r].image, wanted[r].front());
      EXPECT_EQ(answers[i].found[r].copies.size() + 1, wanted[r].size());
    }
  }
}

TEST_F(ResultsTest, NothingIsLeftOfNothing) {
  make(9);
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  question.filter.since = 5000;
  for (const bool near_copies : {false, true}) {
    question.near_copies = near_copies;
    question.order = Question::Order::time;
    EXPECT_TRUE(found(question).empty());
    question.min_score = 0;
    EXPECT_TRUE(found(question).empty());
  }
}

TEST_F(ResultsTest, DetailsAreSaidOfCopiesToo) {
  make(10);
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  question.near_copies = true;
  question.details = true;
  const auto results = ask(*index, *encoder, question).found;
  std::size_t copies = 0;
  for (const Found& one : results) {
    EXPECT_EQ(one.taken.size(), 19U);
    for (const Found& copy : one.copies) {
      ++copies;
      EXPECT_EQ(copy.taken.size(), 19U);
      EXPECT_TRUE(copy.copies.empty());
      const std::size_t a = *index->find(one.image), b = *index->find(copy.image);
      EXPECT_GE(cosine(a, b), kNearCopies);
    }
  }
  EXPECT_GT(copies, kPictures / 8);
}

TEST_F(ResultsTest, TheNewestOfAnIndexWithoutTimesAreRefused) {
  IndexFixture::build();
  open();
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  question.order = Question::Order::time;
  for (const double min_score : {kAnyScore, 0.1}) {
    question.min_score = min_score;
    EXPECT_THAT([&] { ask(*index, *encoder, question); },
                ThrowsMessage<RequestError>(HasSubstr("does not know when")));
  }
}

// Of a model that compares words with regions: of the pictures that are compared.
TEST_F(IndexFixture, NearCopiesOfAModelThatComparesRegions) {
  fixture = ModelFixture();
  fixture.attend();
  fixture.config["image"]["image"]["layers"].push_back({{"kind", "l2"}});
  fixture.write(folder / "run");
  std::copy_n(rows.begin(), 7, rows.begin() + 21);  // p3 is p0 again
  write_npy(folder / "data/features/f.npy", rows, {5, 7});
  build();
  const Index index = Index::open(folder / "index");
  ASSERT_TRUE(index.attends());
  TextEncoder encoder(index.model());
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  const auto plain = ask(index, encoder, question).found;
  question.near_copies = true;
  std::size_t together = 0, all = 0;
  for (const Found& one : ask(index, encoder, question).found) {
    all += 1 + one.copies.size();
    const auto has = [&](const char* id) {
      return one.image == id ||
             std::ranges::any_of(one.copies, [&](const Found& copy) { return copy.image == id; });
    };
    together += has("p0") && has("p3") ? 1 : 0;
  }
  EXPECT_EQ(together, 1U);
  EXPECT_EQ(all, plain.size());
}

}  // namespace
}  // namespace hinny
