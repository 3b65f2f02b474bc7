#include "postgres/push.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "postgres/connection.h"
#include "postgres/table_fixture.h"

namespace hinny {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class PushTest : public TableTest {
 protected:
  std::string count() const { return one("SELECT count(*) FROM " + quoted()); }
  std::string distinct() const { return one("SELECT count(DISTINCT id) FROM " + quoted()); }
};

TEST_F(PushTest, SendsDifferencesOnly) {
  const PushDone first = push();
  EXPECT_EQ(first.added, 40);
  EXPECT_EQ(first.sent, 40);
  EXPECT_EQ(count(), "40");
  EXPECT_EQ(push().sent, 0);

  std::vector<int> images = all_pictures();
  images.erase(images.begin() + 5, images.begin() + 8);
  rows[0] += 1;  // of p0
  build(images);
  const PushDone second = push();
  EXPECT_EQ(second.changed, 1);
  EXPECT_EQ(second.removed, 3);
  EXPECT_EQ(second.kept, 36);
  EXPECT_EQ(second.sent, 1);
  EXPECT_EQ(count(), "37");
  EXPECT_EQ(one("SELECT count(*) FROM " + quoted() + " WHERE id = 'p6'"), "0");
  EXPECT_EQ(one("SELECT images FROM hinny_collections WHERE name = '" + address.table + "'"), "37");

  build();
  const PushDone third = push();
  EXPECT_EQ(third.added, 3);
  EXPECT_EQ(third.sent, 3);
  EXPECT_EQ(count(), "40");
}

TEST_F(PushTest, ShowsAllOrNothingAndGoesOn) {
  EXPECT_THROW(push(with_template("--- index\nSELECT 1/0")), InputError);
  EXPECT_FALSE(is_visible());
  EXPECT_THAT([&] { elsewhere(); }, ThrowsMessage<InputError>(HasSubstr("no table")));
  rows[0] += 1;  // what was sent of p0 is no longer wanted
  build();
  const PushDone done = push();
  EXPECT_EQ(done.added, 40);
  EXPECT_EQ(done.sent, 1);
  EXPECT_EQ(count(), "40");
  EXPECT_EQ(distinct(), "40");
  EXPECT_EQ(push().sent, 0);
}

TEST_F(PushTest, ChangesNothingWhereAMergeFails) {
  push();
  rows[0] += 1;
  build(std::vector<int>{0, 1, 2});
  EXPECT_THROW(push(with_template("--- merge\nDELETE FROM {table};\nSELECT 1/0")), InputError);
  EXPECT_EQ(count(), "40");
  const PushDone done = push();
  EXPECT_EQ(done.sent, 0);  // it waited
  EXPECT_EQ(done.changed, 1);
  EXPECT_EQ(done.removed, 37);
  EXPECT_EQ(count(), "3");
}

TEST_F(PushTest, RefusesTablesOfAnotherModelOrType) {
  push();
  EXPECT_THAT(
      [&] { push({VectorType::halfvec}); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("holds vector(7)"), HasSubstr("halfvec(7)"))));
  model.tensors["image.out.bias"].numbers[0] += 1;
  model.write(folder / "run");
  build();
  EXPECT_THAT([&] { push(); }, ThrowsMessage<InputError>(HasSubstr("of another model")));
  EXPECT_EQ(count(), "40");
  EXPECT_THAT([&] { elsewhere().ask({}, shared_question({.like = {"p1"}})); },
              ThrowsMessage<InputError>(HasSubstr("of another model")));
}

TEST_F(PushTest, LeavesTablesOfOthersAlone) {
  connect().run("CREATE TABLE " + quoted() + " (id text)");
  EXPECT_THAT([&] { push(); }, ThrowsMessage<InputError>(HasSubstr("none of Hinny's")));
  EXPECT_THAT([&] { elsewhere(); }, ThrowsMessage<InputError>(HasSubstr("no table")));
}

TEST_F(PushTest, IsOneAtATime) {
  Connection other = connect();
  other.run("SELECT pg_advisory_lock(hashtextextended('hinny push " + quoted() + "', 0))");
  EXPECT_THAT([&] { push(); }, ThrowsMessage<InputError>(HasSubstr("under way")));
}

TEST_F(PushTest, SaysWhatAServerRefuses) {
  const auto refused = [&](const std::string& text, const char* why) {
    EXPECT_THAT([&] { push(with_template(text)); }, ThrowsMessage<InputError>(HasSubstr(why)));
    EXPECT_FALSE(is_visible());
    connect().run("DROP TABLE IF EXISTS \"" + address.table + "_push\"");
  };
  refused(
      "--- create\nCREATE TABLE {staging} (id text, file text, taken timestamp, penalty real, "
      "digest uuid, embedding {type}(3))",
      "expected 3 dimensions, not 7");
  refused("--- prepare\nCREATE EXTENSION vectors", "vectors");
  refused("--- copy\nSELECT 1", "COPY ... FROM STDIN");
}

}  // namespace
}  // namespace hinny
