// A collection whose vectors are elsewhere, in an engine made for this test; that of PostgreSQL
// needs a server (src/postgres).
#include "index/asking/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "index/asking/collection.h"
#include "index/asking/question_fields.h"
#include "index/folder/index_fixture.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Finds what the index of a folder finds.
class SameVectors : public Engine {
 public:
  explicit SameVectors(const std::filesystem::path& folder) : index_(Index::open(folder)) {}

  Facts facts() const override { return {index_.size(), false}; }
  std::vector<Found> nearest(const Query& query, const Question& shared,
                             std::span<const std::string> known) const override {
    if (gone) throw EngineFailure("the engine is gone");
    std::vector<Found> found;
    for (const Hit& hit : index_.search(query, index_.size())) {
      const std::string image(index_.id(hit.image));
      if (std::ranges::count(known, image) > 0 || hit.score < shared.min_score) continue;
      if (found.size() < shared.k) found.push_back({image, file(image), hit.score});
    }
    return found;
  }
  std::vector<float> vector(const std::string& image) const override {
    std::vector<float> numbers = index_.vector(position_of(image), "image");
    numbers.resize(numbers.size() - (short_of_one ? 1 : 0));
    return numbers;
  }
  std::string file(const std::string& image) const override {
    return index_.picture(position_of(image));
  }

  bool gone = false, short_of_one = false;

 private:
  std::size_t position_of(const std::string& image) const {
    if (const auto position = index_.find(image)) return *position;
    throw UnknownImage(image);
  }

  Index index_;
};

class EngineTest : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    remember();
    build();
    engine = std::make_shared<SameVectors>(folder / "index");
    local.emplace(folder / "index");
    elsewhere.emplace(folder / "index", CollectionOptions{false, {}, engine});
  }
  static std::string text_of(const std::vector<Answer>& answers) {
    std::string text;
    for (const Answer& answer : answers) {
      text += answer.sentence + ":";
      for (const Found& one : answer.found) {
        text += fmt::format(" {} {} {} {}", one.image, one.file, one.score, one.fit.value_or(-1));
      }
      text += "\n";
    }
    return text;
  }

  std::shared_ptr<SameVectors> engine;
  std::optional<Collection> local, elsewhere;
};

TEST_F(EngineTest, AnswersAsTheFolderDoes) {
  const std::vector<std::string> two = {"a dog", "the beach"};
  for (const AskedFields& fields :
       {AskedFields{.sentences = two, .language = "en"},
        AskedFields{.sentences = two, .language = "en", .k = 2},
        AskedFields{.sentences = two, .language = "en", .like = {"p1"}},
        AskedFields{.sentences = two, .language = "en", .unwanted = {"am"}},
        AskedFields{.language = "en", .like = {"p1", "p3"}}}) {
    const Question shared = shared_question(fields);
    EXPECT_EQ(text_of(elsewhere->ask(fields.sentences, shared)),
              text_of(local->ask(fields.sentences, shared)));
  }
  EXPECT_EQ(elsewhere->file_of("p1"), local->file_of("p1"));
  EXPECT_THROW(elsewhere->file_of("p9"), UnknownImage);
  EXPECT_EQ(elsewhere->facts().images, 5U);
  EXPECT_FALSE(elsewhere->facts().explains || elsewhere->facts().times);
  elsewhere->check();
}

TEST_F(EngineTest, WhatOnlyTheFolderAnswersIsRefused) {
  const auto refused = [&](AskedFields fields, const char* what) {
    fields.sentences = {"a dog"};
    fields.language = "en";
    EXPECT_THAT([&] { elsewhere->ask(fields.sentences, shared_question(fields)); },
                ThrowsMessage<RequestError>(HasSubstr(what)));
  };
  refused({.explain = true}, "an explanation where a database");
  refused({.near_copies = true}, "near copies as one result");
  refused({.rerank = 5}, "region by region");
  refused({.camera = "x"}, "a place or a camera");
  refused({.min_size = "1MP"}, "a place or a camera");
  refused({.kind = "film"}, "films or pictures alone");
}

TEST_F(EngineTest, ItsFailuresAreNobodysFault) {
  const Question like_one = shared_question({.like = {"p1"}});
  EXPECT_THROW(elsewhere->ask({}, shared_question({.like = {"p9"}})), UnknownImage);
  engine->short_of_one = true;
  EXPECT_THAT([&] { elsewhere->ask({}, like_one); },
              ThrowsMessage<InputError>(HasSubstr("has 5 numbers of a picture (expected 6")));
  engine->short_of_one = false;
  engine->gone = true;
  EXPECT_THROW(elsewhere->ask({}, like_one), EngineFailure);
  EXPECT_THROW(elsewhere->check(), EngineFailure);
}

}  // namespace
}  // namespace hinny
