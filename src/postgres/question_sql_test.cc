#include "postgres/question_sql.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(Conditions, KeepWhatIsAskedAsParameters) {
  Conditions conditions({"[1,2]", "10"});
  EXPECT_EQ(conditions.text(), "true");
  Filter filter;
  filter.since = 1'718'447'400;
  filter.folder = "2024/it's";
  const std::vector<std::string> known = {R"(a"b\c)", "d"};
  conditions.add(filter, "/pictures", known);
  EXPECT_EQ(conditions.text(), "taken >= $3::timestamp AND file ^@ $4 AND id <> ALL ($5::text[])");
  EXPECT_EQ(conditions.parameters().at(2), "2024-06-15 10:30:00");
  EXPECT_EQ(conditions.parameters().at(3), "2024/it's/");
  EXPECT_EQ(conditions.parameters().at(4), R"({"a\"b\\c","d"})");
}

// Whatever form the table's names have.
TEST(Conditions, AFolderIsAskedForInComposedAndInDecomposedLetters) {
  for (const char* folder : {"\u00c9t\u00e9", "E\u0301te\u0301"}) {
    Conditions conditions({});
    Filter filter;
    filter.folder = folder;
    conditions.add(filter, "/pictures", {});
    EXPECT_EQ(conditions.text(), "(file ^@ $1 OR file ^@ $2)");
    EXPECT_NE(*conditions.parameters().at(0), *conditions.parameters().at(1));
  }
}

TEST(Conditions, SeeAFolderFromTheOneThatHoldsAll) {
  const auto below = [](const char* folder) {
    Conditions conditions({});
    Filter filter;
    filter.folder = folder;
    conditions.add(filter, "/pictures", {});
    return conditions.parameters().empty() ? conditions.text() : *conditions.parameters().front();
  };
  EXPECT_EQ(below("/pictures/2024"), "2024/");
  EXPECT_EQ(below("2024/../2023/"), "2023/");
  EXPECT_EQ(below("/pictures"), "file <> ''");
  EXPECT_EQ(below("/elsewhere"), "../elsewhere/");  // of which the table has none
}

TEST(VectorText, SaysEveryFloatAsItIs) {
  const std::vector<float> numbers = {0.1F, -2, 1e-9F};
  EXPECT_EQ(vector_text(numbers), "[0.1,-2,1e-09]");
  EXPECT_EQ(numbers_in("[0.1,-2,1e-09]"), numbers);
}

// Whatever a table holds, nothing behind its text is read.
TEST(VectorText, OfAnotherFormHasNoNumbers) {
  for (const std::string_view whole : {"[1,2]", "[1]"}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_TRUE(numbers_in(std::string(whole.substr(0, size))).empty()) << size;
    }
  }
  for (const char* text : {"[]", "[1,]", "[,1]", "[1 2]", "[1,2]3", "1,2]", "[x]", "[1e999]"}) {
    EXPECT_TRUE(numbers_in(text).empty()) << text;
  }
}

}  // namespace
}  // namespace hinny
