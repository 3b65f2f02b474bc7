#include "postgres/postgres_engine.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "base/atomic_file.h"
#include "base/error.h"
#include "postgres/connection.h"
#include "postgres/table_fixture.h"

namespace hinny {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::ThrowsMessage;

class PostgresEngineTest : public TableTest {
 protected:
  // The table answers as the index does.
  void expect_same(const AskedFields& fields, const char* what) const {
    SCOPED_TRACE(what);
    Question shared = shared_question(fields);
    shared.details = true;
    const auto mine = local().ask(fields.sentences, shared);
    const auto theirs = elsewhere().ask(fields.sentences, shared);
    ASSERT_EQ(theirs.size(), mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
      ASSERT_EQ(theirs[i].found.size(), mine[i].found.size());
      for (std::size_t j = 0; j < mine[i].found.size(); ++j) {
        const Found& a = mine[i].found[j];
        const Found& b = theirs[i].found[j];
        EXPECT_NEAR(b.score, a.score, 1e-5F);
        EXPECT_EQ(b.image, a.image);
        EXPECT_EQ(b.file, a.file);
        EXPECT_EQ(b.below, a.below);
        EXPECT_EQ(b.taken, a.taken);
      }
    }
  }

  template <typename Call>
  static milliseconds time_of(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start);
  }
};

TEST_F(PostgresEngineTest, AnswersAsTheIndexDoes) {
  push();
  expect_same({.sentences = {"a dog runs", "ein hund am strand"}}, "sentences, with hubs");
  expect_same({.sentences = {"a dog"}, .k = 1000}, "all of them");
  expect_same({.like = {"p1", "p7"}}, "like pictures, which are no hits");
  expect_same({.sentences = {"a dog"}, .like = {"p3"}, .unwanted = {"the beach"}}, "unlike");
  expect_same({.sentences = {"a dog"}, .k = 30, .min_score = 0.1}, "least score");
  expect_same({.sentences = {"a dog"}, .since = "2023-11-16", .until = "2023-11-18"}, "when");
  expect_same({.sentences = {"a dog"}, .sort = "time"}, "newest of the best");
  expect_same({.sentences = {"a dog"}, .min_score = 0.2, .sort = "time"}, "newest of all");
  expect_same({.min_score = 0.2, .like = {"p1"}, .since = "2023-11-16", .sort = "time"},
              "newest like a picture");
  expect_same({.sentences = {"a dog"}, .folder = "images"}, "where");
  expect_same({.sentences = {"a dog"}, .folder = "nowhere"}, "where nothing is");
  EXPECT_EQ(elsewhere().facts().images, 40);
  EXPECT_TRUE(elsewhere().facts().times);
  EXPECT_EQ(elsewhere().file_of("p1"), local().file_of("p1"));
}

TEST_F(PostgresEngineTest, AnswersNearlySoWithNumbersOfTwoBytes) {
  push({VectorType::halfvec});
  const AskedFields fields{.sentences = {"a dog runs", "ein hund am strand"}, .k = kPictures};
  const auto mine = local().ask(fields.sentences, shared_question(fields));
  const auto theirs = elsewhere().ask(fields.sentences, shared_question(fields));
  for (std::size_t i = 0; i < mine.size(); ++i) {
    ASSERT_EQ(theirs[i].found.size(), kPictures);
    for (const Found& found : theirs[i].found) {
      const auto same = std::ranges::find(mine[i].found, found.image, &Found::image);
      ASSERT_NE(same, mine[i].found.end());
      EXPECT_NEAR(found.score, same->score, 2e-3F);
    }
  }
}

TEST_F(PostgresEngineTest, RefusesWhatADatabaseCannotAnswer) {
  push();
  const auto refused = [&](AskedFields fields, const char* why) {
    fields.like = {"p1"};
    EXPECT_THAT([&] { elsewhere().ask({}, shared_question(fields)); },
                ThrowsMessage<RequestError>(HasSubstr(why)));
  };
  refused({.near_copies = true}, "near copies");
  refused({.explain = true}, "an explanation");
  refused({.rerank = 10}, "region by region");
  EXPECT_THROW(elsewhere().ask({}, shared_question({.like = {"nothing"}})), UnknownImage);
  EXPECT_THROW(elsewhere().file_of("nothing"), UnknownImage);
}

TEST_F(PostgresEngineTest, TakesTextsForNothingButTexts) {
  push();
  const std::string evil = "x'); DROP TABLE " + quoted() + "; --";
  EXPECT_THROW(elsewhere().ask({}, shared_question({.like = {evil}})), UnknownImage);
  EXPECT_TRUE(
      elsewhere().ask({}, shared_question({.like = {"p1"}, .folder = evil})).front().found.empty());
  EXPECT_TRUE(is_visible());
}

TEST_F(PostgresEngineTest, ShowsNoFileOutsideTheFolder) {
  push();
  for (const char* file : {"/etc/passwd", "../secret", "images/../../secret"}) {
    connect().run("UPDATE " + quoted() + " SET file = '" + file + "' WHERE id = 'p1'");
    EXPECT_EQ(elsewhere().file_of("p1"), "") << file;
  }
}

TEST_F(PostgresEngineTest, GivesUpOnASlowServerInTime) {
  push();
  PostgresOptions slow{milliseconds(400)};
  write_file(folder / "slow.sql",
             "--- nearest\nSELECT id, file, taken, penalty, 0 FROM {table}, pg_sleep(20) WHERE "
             "{filter} AND embedding <#> $1::{type} < 9 LIMIT $2");
  slow.sql = SqlTemplate(folder / "slow.sql");
  const Collection collection = elsewhere(slow);
  const auto took = time_of([&] {
    EXPECT_THAT([&] { collection.ask({}, shared_question({.like = {"p1"}})); },
                ThrowsMessage<EngineFailure>(HasSubstr("did not answer within 0.4 s")));
  });
  EXPECT_LT(took, milliseconds(3000));
}

TEST_F(PostgresEngineTest, ConnectsAgain) {
  push();
  const Collection collection = elsewhere();
  const Question like = shared_question({.like = {"p1"}});
  collection.ask({}, like);
  connect().run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hinny' AND "
      "pid <> pg_backend_pid() AND query LIKE '%" +
      address.table + "%'");
  EXPECT_EQ(collection.ask({}, like).front().found.size(), 10);
}

TEST_F(PostgresEngineTest, IsAskedByManyThreads) {
  push();
  const Collection collection = elsewhere();
  const Question like = shared_question({.like = {"p1"}});
  const std::string best = collection.ask({}, like).front().found.front().image;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 25; ++j) {
        EXPECT_EQ(collection.ask({}, like).front().found.front().image, best);
      }
    });
  }
}

TEST_F(PostgresEngineTest, SeesAPushAtOnce) {
  push();
  const Collection collection = elsewhere();
  const AskedFields fields{.sentences = {"a dog"}, .k = 40};
  EXPECT_EQ(collection.ask(fields.sentences, shared_question(fields)).front().found.size(), 40);
  build(std::vector<int>{1, 2, 3});
  push();
  EXPECT_EQ(collection.ask(fields.sentences, shared_question(fields)).front().found.size(), 3);
  EXPECT_EQ(collection.facts().images, 3);
}

// Without a server.
TEST(Connection, SaysWhenThereIsNobody) {
  EXPECT_THROW(Connection("postgresql://127.0.0.1:1/db", {milliseconds(2000)}), ConnectionLost);
  EXPECT_THAT([] { Connection("postgresql://127.0.0.1:x/db", {}); },
              testing::Throws<std::runtime_error>());
  EXPECT_THAT([] { Connection("postgresql://127.0.0.1/db?nonsense=1", {}); },
              ThrowsMessage<InputError>(HasSubstr("nonsense")));
}

}  // namespace
}  // namespace hinny
