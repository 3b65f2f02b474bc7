#include "postgres/address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(PostgresAddress, GivesTheTableToHinnyAndTheRestToLibpq) {
  const auto plain = parse_postgres_address("postgresql://me@host:5433/db?table=photos");
  EXPECT_EQ(plain.connection, "postgresql://me@host:5433/db");
  EXPECT_EQ(plain.table, "photos");
  const auto among = parse_postgres_address(
      "postgresql://host/db?sslmode=require&table=a.photos&application_name=x");
  EXPECT_EQ(among.connection, "postgresql://host/db?sslmode=require&application_name=x");
  EXPECT_EQ(among.table, "a.photos");
  EXPECT_EQ(parse_postgres_address("postgres://host/db").table, "");
}

TEST(PostgresAddress, IsKnownByItsBeginning) {
  EXPECT_TRUE(is_postgres_address("postgresql://host/db"));
  EXPECT_TRUE(is_postgres_address("postgres://host"));
  EXPECT_FALSE(is_postgres_address("holiday/postgresql"));
}

TEST(PostgresAddress, RefusesNamesThatAreMoreThanNames) {
  for (const char* name :
       {"photos; DROP TABLE x", "pho\"tos", "a.b.c", "", ".", "1st", "photos--", "ph%6Ftos",
        "f\xC3\xBC", "a_name_of_more_than_forty_letters_and_digits"}) {
    EXPECT_THAT([&] { check_table_name(name); },
                ThrowsMessage<InputError>(HasSubstr("NAME or SCHEMA.NAME")))
        << name;
  }
  EXPECT_THROW(parse_postgres_address("postgresql://host/db?table=x;--"), InputError);
  EXPECT_THROW(parse_postgres_address("postgresql://host/db?table=a&table=b"), InputError);
  EXPECT_NO_THROW(check_table_name("Album_2024.photos_1"));
}

}  // namespace
}  // namespace hinny
