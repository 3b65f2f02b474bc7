#include "tokenizer/text_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "tokenizer/html_entities.h"

namespace hinny {
namespace {

std::string after(const Step& step, std::string text, const std::string& characters = "") {
  make_text_step(step, {"t.json", CharacterMap(std::as_bytes(std::span(characters))), {}})(text);
  return text;
}

// A table of characters as SentencePiece's files bring it.
std::string character_table(const std::vector<std::pair<std::string, std::string>>& rules) {
  std::string texts;
  std::vector<std::pair<std::string, std::int32_t>> places;
  for (const auto& [from, to] : rules) {
    places.emplace_back(from, static_cast<std::int32_t>(texts.size()));
    texts += to + '\0';
  }
  const auto units = prefix_tree_units(places);
  const auto size = static_cast<std::uint32_t>(units.size() * sizeof(std::uint32_t));
  std::string table(sizeof size, '\0');
  std::memcpy(table.data(), &size, sizeof size);
  table.append(reinterpret_cast<const char*>(units.data()), size);
  return table + texts;
}

TEST(TextSteps, NormalForms) {
  EXPECT_EQ(after({"nfc", {}}, "e\u0301"), "é");
  EXPECT_EQ(after({"nfd", {}}, "é"), "e\u0301");
  EXPECT_EQ(after({"nfkc", {}}, "ﬁ①"), "fi1");
  EXPECT_EQ(after({"nfkd", {}}, "é½"), "e\u03011\u20442");
}

TEST(TextSteps, LowerCaseGoesLetterByLetter) {
  EXPECT_EQ(after({"lower-case", {}}, "ΟΔΟΣ İ ẞ A"), "οδοσ i\u0307 ß a");
}

TEST(TextSteps, WhatIsDropped) {
  EXPECT_EQ(after({"drop-marks", {}}, "e\u0301\u0903"), "e");
  EXPECT_EQ(after({"drop-punctuation", {}}, "a, b_c! «d» $"), "a bc «d» ");
  EXPECT_EQ(after({"join-spaces", {}}, "  a \t\u3000b\n"), "a b");
  EXPECT_EQ(after({"nmt", {}}, "a\u0001b\u200bc"), "ab c");
  EXPECT_EQ(after({"strip", {"yes", "no"}}, " \u00a0a "), "a ");
  EXPECT_EQ(after({"strip", {"no", "yes"}}, " a \n"), " a");
  EXPECT_EQ(after({"strip", {"yes", "yes"}}, " \n"), "");
}

TEST(TextSteps, Replacing) {
  EXPECT_EQ(after({"replace", {"aa", "b"}}, "aaaaa"), "bba");
  EXPECT_EQ(after({"replace-pattern", {R"(\s+)", " "}}, "a\u000b\u0085 b\u00a0"), "a b ");
  EXPECT_EQ(after({"replace-pattern", {R"([!"\#\-\]\\^_`{|}~])", ""}}, "a!b-c]d\\e{f}"), "abcdef");
  EXPECT_EQ(after({"prepend", {"x"}}, "a"), "xa");
  EXPECT_EQ(after({"prepend", {"x"}}, ""), "");
  EXPECT_EQ(after({"byte-letters", {}}, " é"), "ĠÃ©");
}

TEST(TextSteps, Bert) {
  const Step cased{"bert", {"yes", "yes", "no", "no"}};
  EXPECT_EQ(after(cased, std::string("a\0\ufffd\u200d\tÉ犬b", 16)), "a É 犬 b");
  const Step uncased{"bert", {"yes", "no", "yes", "yes"}};
  EXPECT_EQ(after(uncased, "ÉÀ犬"), "ea犬");
}

TEST(TextSteps, EntitiesOfHtml) {
  EXPECT_EQ(without_entities("&amp;&lt;&#39;&#x41;&eacute;&nbsp;x"), "&<'Aé\u00a0x");
  EXPECT_EQ(without_entities("a & b; &unknown; &#; &#xD800; &#0; &"),
            "a & b; &unknown; &#; \ufffd \ufffd &");
  EXPECT_EQ(without_entities(without_entities("&amp;lt;")), "<");
}

TEST(TextSteps, SentencePieceTakesTheLongestRule) {
  const std::string table = character_table({{"a", "x"}, {"ab", "y"}, {"\u3000", " "}});
  const Step step{"sentencepiece", {"yes", "yes", "yes", "no"}};
  EXPECT_EQ(after(step, "abac", table), "▁yxc");
  EXPECT_EQ(after(step, " \u3000 ab \u3000c  ", table), "▁y▁c");
  EXPECT_EQ(after(step, "  \u3000", table), "");
  const Step as_it_is{"sentencepiece", {"no", "no", "yes", "no"}};
  EXPECT_EQ(after(as_it_is, " b  c ", table), "▁b▁▁c▁");
  const Step suffix{"sentencepiece", {"yes", "yes", "yes", "yes"}};
  EXPECT_EQ(after(suffix, "b c", table), "b▁c▁");
}

TEST(TextSteps, RustTakesTheShortestRuleOfAShortGrapheme) {
  const std::string table = character_table({{"a", "x"}, {"ab", "y"}, {"²", "2"}});
  const Step step{"precompiled", {}};
  EXPECT_EQ(after(step, "abac", table), "xbxc");
  EXPECT_EQ(after(step, "²\u0301-²", table), "2-2");  // the mark goes with its letter
}

TEST(TextSteps, ATableThatIsCutOffMapsNothing) {
  const std::string table = character_table({{"a", "x"}});
  for (std::size_t size = 0; size < table.size(); size += 3) {
    const std::string text =
        after({"sentencepiece", {"no", "no", "no", "no"}}, "ab", table.substr(0, size));
    EXPECT_TRUE(text == "ab" || text == "b" || text == "xb") << size;
  }
}

TEST(TextSteps, UnknownOnesAreRefused) {
  EXPECT_THROW(make_text_step({"rot13", {}}, {"t.json", {}, {}}), InputError);
  EXPECT_THROW(make_text_step({"nfc", {"x"}}, {"t.json", {}, {}}), InputError);
  EXPECT_THAT(
      [] {
        make_text_step({"replace-pattern", {"(", ""}}, {"t.json", {}, {}});
      },
      testing::ThrowsMessage<InputError>(testing::HasSubstr("t.json: unsupported regular")));
}

TEST(TextSteps, AnEndlessExpressionIsGivenUp) {
  std::string text(60, 'a');
  const TextStep step = make_text_step({"replace-pattern", {"(a+)+b", ""}}, {"t.json", {}, {}});
  EXPECT_THROW(step(text), InputError);
}

}  // namespace
}  // namespace hinny
