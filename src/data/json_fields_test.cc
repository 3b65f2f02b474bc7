#include "data/json_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "base/error.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(JsonFields, StringsNumbersAndListsAreReadByTheirPlaces) {
  JsonFields fields("f.jsonl", {"text", "size"}, {"names"});
  fields.read(R"({"other": [{"size": 1}], "names": ["a", ""], "size": -7, "text": "x"})", 1);
  EXPECT_EQ(fields.required(0), "x");
  EXPECT_EQ(fields.integer(1), -7);
  EXPECT_TRUE(fields.is_integer(1));
  EXPECT_THAT(fields.strings(2), ElementsAre("a", ""));
  fields.read(R"({"size": 9223372036854775807, "names": [], "text": ""})", 2);
  EXPECT_EQ(fields.integer(1), INT64_MAX);
  EXPECT_TRUE(fields.has(2));
  EXPECT_THAT(fields.strings(2), IsEmpty());
  EXPECT_TRUE(fields.has(0));
  EXPECT_EQ(fields.optional(0), "");
  fields.read(R"({"size": null})", 3);
  for (const std::size_t key : {0U, 1U, 2U}) EXPECT_FALSE(fields.has(key));
  EXPECT_EQ(fields.optional(0), "");
  EXPECT_THAT(fields.strings(2), IsEmpty());
}

TEST(JsonFields, ValuesOfOtherKindsAreNamedWithTheirLine) {
  JsonFields fields("f.jsonl", {"text", "size"}, {"names"});
  const auto refused = [&](const char* line, auto&& read, const char* message) {
    fields.read(line, 4);
    EXPECT_THAT([&] { read(); }, ThrowsMessage<InputError>(HasSubstr(message))) << line;
  };
  const auto integer = [&] { fields.integer(1); };
  const auto strings = [&] { fields.strings(2); };
  for (const char* line : {R"({"size": 1.0})", R"({"size": "1"})", R"({"size": true})",
                           R"({"size": 9223372036854775808})", R"({"size": [1]})"}) {
    refused(line, integer, "f.jsonl:4: value of 'size' is not a whole number");
  }
  refused(R"({"sise": 1})", integer, "missing key 'size'; the line has 'sise'");
  for (const char* line :
       {R"({"names": "a"})", R"({"names": ["a", 1]})", R"({"names": [1, "a"]})",
        R"({"names": ["a", null]})", R"({"names": [["a"]]})", R"({"names": {"a": "b"}})"}) {
    refused(line, strings, "value of 'names' is not a list of strings");
  }
  refused(R"({"text": ["a"]})", [&] { fields.optional(0); }, "value of 'text' is not a string");
  EXPECT_THAT([&] { fields.read(R"({"names": ["a"], "names": []})", 5); },
              ThrowsMessage<InputError>(HasSubstr("f.jsonl:5: key 'names' twice")));
}

}  // namespace
}  // namespace hinny
