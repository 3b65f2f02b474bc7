#include "data/importers/tmx.h"

#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct TmxTest : ImportTest {
  // "line: language=text language=text" of each unit.
  std::vector<std::string> units(const std::filesystem::path& file) {
    std::vector<std::string> all;
    for_each_unit(file, [&](const std::vector<ImportWriter::Text>& texts, const Place& place) {
      std::string unit = std::to_string(place.line) + ":";
      for (const auto& text : texts) unit += " " + text.language + "=" + text.text;
      all.push_back(unit);
    });
    return all;
  }
  std::string error(const std::string& content) {
    try {
      units(put("a.tmx", content));
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "";
  }
};

TEST_F(TmxTest, UnitsWithTheirLanguagesAndWithoutFormatting) {
  const std::string text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\">\n"
      "<header srclang=\"en\"><note>no text</note></header><body>\n"
      "<tu tuid=\"1\"><prop>x</prop><tuv xml:lang=\"en-US\"><seg>A &lt;red&gt; <bpt i=\"1\">{\\b "
      "<sub>y</sub></bpt><hi>ball</hi><ept i=\"1\">}</ept>.</seg></tuv>\n"
      "<tuv lang=\"DE\"><seg>\n  Ein roter\n Ball<ph/>.\n</seg></tuv></tu>\n"
      "<tu><tuv xml:lang=\"fr\"><seg/></tuv></tu></body></tmx>\n";
  const auto expected = ElementsAre("5: en-US=A <red> ball. DE=Ein roter Ball.", "10: fr=");
  EXPECT_THAT(units(put("a.tmx", text)), expected);
  EXPECT_THAT(units(put("a.tmx.gz", text)), expected);
  std::string wide = "\xFF\xFE";
  for (const char c : text) wide += {c, '\0'};
  EXPECT_THAT(units(put("wide.tmx", wide)), expected);
  EXPECT_TRUE(is_xml(text));
  EXPECT_TRUE(is_xml(wide));
  EXPECT_TRUE(is_xml("\xEF\xBB\xBF<tmx>"));
  EXPECT_FALSE(is_xml("A dog\tEin Hund"));
}

TEST_F(TmxTest, WhatIsBrokenIsNamedByFileAndLine) {
  const std::string start = "<tmx>\n<body>\n<tu><tuv xml:lang=\"en\"><seg>a dog";
  EXPECT_THAT(error(start), HasSubstr("a.tmx:3: the file ends inside of <seg> (expected a whole"));
  EXPECT_THAT(error(start + "</seg></tu"), HasSubstr("a.tmx:3: the file ends inside of <tuv>"));
  EXPECT_THAT(error(start + "\xC3"), HasSubstr("a.tmx:3: the file ends inside of <seg>"));
  EXPECT_THAT(error(""), HasSubstr("a.tmx:1: the file ends before a first element"));
  EXPECT_THAT(error(start + "\n\xC3(</seg>"), HasSubstr("a.tmx:4: broken UTF-8"));
  EXPECT_THAT(error(start + "</tuv>"), HasSubstr("a.tmx:3: broken XML: mismatched tag"));
  EXPECT_THAT(error(start + " & </seg>"), HasSubstr("a.tmx:3: broken XML"));
  EXPECT_THAT(error(start + " &nbsp; </seg>"), HasSubstr("a.tmx:3: broken XML: undefined entity"));
  EXPECT_THAT(error("<!DOCTYPE tmx SYSTEM \"x\">\n" + start + " &nbsp; </seg>"),
              HasSubstr("a.tmx:4: an entity of its own, 'nbsp'"));
  EXPECT_THAT(error("<!DOCTYPE tmx [\n<!ENTITY a \"aa\">]>\n<tmx/>"),
              HasSubstr("a.tmx:2: an entity of its own, 'a'"));
  EXPECT_THAT(error("<?xml version=\"1.0\" encoding=\"windows-1252\"?><tmx/>"),
              HasSubstr("unknown encoding (expected UTF-8, UTF-16 or ISO-8859-1)"));
  EXPECT_THAT(error("<xliff/>"), HasSubstr("first element is <xliff> (expected <tmx>)"));
  EXPECT_THAT(error("<tmx>\n<tuv>"), HasSubstr("a.tmx:2: a <tuv> without a language"));
  std::string deep = "<tmx>";
  for (int i = 0; i < 100; ++i) deep += "<a>";
  EXPECT_THAT(error(deep), HasSubstr("nested too deeply"));
  EXPECT_EQ(error("<tmx><tuv lang=\"en\"><seg>a<tu/>b</seg></tuv></tmx>"), "");
}

// Of a file that a translation memory never is one text, or one element, does not fill memory.
TEST_F(TmxTest, OneUnitHasALimit) {
  std::string unit = "<tmx><tu><tuv lang=\"en\"><seg>" + std::string(17U << 20U, 'a');
  EXPECT_THAT(error(unit), HasSubstr("a <tu> too long"));
  unit = "<tmx>";
  for (int i = 0; i < 200000; ++i) unit += "<tuv lang=\"en\"/>";
  EXPECT_THAT(error(unit), HasSubstr("a <tu> too long"));
}

}  // namespace
}  // namespace hinny
