#include "text/plain_letters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(PlainLetters, LeaveMarksOut) {
  const std::vector<std::pair<std::string, std::string>> words = {{"vélo", "velo"},
                                                                  {"mädchen", "madchen"},
                                                                  {"straße", "strasse"},
                                                                  {"příliš", "prilis"},
                                                                  {"coração", "coracao"},
                                                                  {"kırmızı", "kirmizi"},
                                                                  {"işık", "isik"},
                                                                  {"người", "nguoi"},
                                                                  {"đường", "duong"},
                                                                  {"łódź", "lodz"},
                                                                  {"smørrebrød", "smorrebrod"},
                                                                  {"cœur", "coeur"},
                                                                  {"færøerne", "faeroerne"},
                                                                  {"ёлка", "елка"},
                                                                  {"σκύλος", "σκυλος"},
                                                                  {"أحمر", "احمر"},
                                                                  {"مدرسة", "مدرسه"},
                                                                  {"می\u200Cروم", "ميروم"}};
  for (const auto& [word, plain] : words) EXPECT_EQ(plain_letters(word), plain);
}

TEST(PlainLetters, KeepWhatIsNoMark) {
  for (const char* word : {"dog", "马", "パン", "개가", "สุนัข", "किताब"}) {
    EXPECT_EQ(plain_letters(word), word);
  }
}

TEST(PlainLetters, AreWrittenOutByLanguage) {
  EXPECT_EQ(put_back("maedchen", written_out("de")), "madchen");
  EXPECT_EQ(put_back("feuerloescher", written_out("deu_Latn")), "feurloscher");
  EXPECT_EQ(put_back("blaabaer", written_out("nb")), "blabar");
  EXPECT_EQ(put_back("djak", written_out("hr")), "dak");
  EXPECT_TRUE(written_out("fr").empty());
  EXPECT_THAT(marked_letters("fr").at("e"), testing::IsSupersetOf({"é", "è", "ê", "ë"}));
  EXPECT_EQ(marked_letters("zh").size(), 0U);
}

TEST(PlainLetters, FindTheWordThatIsSeenMostOften) {
  Vocabulary words;
  words.add("schon", 7);
  words.add("schön", 9);
  words.add("grüße", 3);
  words.add("naive", 2);
  const PlainWords plain(words, "de");
  const auto found = [&](const char* word) {
    const std::int32_t id = plain.id(words, word);
    return id == kUnknown ? "" : words.word(id);
  };
  EXPECT_EQ(found("schòn"), "schön");
  EXPECT_EQ(found("schoen"), "schön");
  EXPECT_EQ(found("gruesse"), "grüße");
  EXPECT_EQ(found("grusse"), "grüße");
  EXPECT_EQ(found("naïve"), "naive");
  EXPECT_EQ(found("hund"), "");
}

}  // namespace
}  // namespace hinny
