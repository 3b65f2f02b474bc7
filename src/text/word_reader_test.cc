#include "text/word_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "text/han_scripts.h"

namespace hinny {
namespace {

using testing::ElementsAre;

// A vocabulary of these words in their order, the first the most frequent, and its reader.
class Read {
 public:
  Read(const std::string& language, const std::vector<std::string>& known, bool stems = false)
      : language_(language) {
    Tokenizer tokenizer(language, {false, 0, stems});
    std::int64_t count = 1000;
    for (const std::string& text : known) {
      for (std::string& word : tokenizer.words(text)) {
        if (!words_.contains(word)) words_.add(std::move(word), count--);
      }
    }
    const auto plain = [this]() -> const PlainWords& {
      if (!plain_) plain_.emplace(words_, language_);
      return *plain_;
    };
    reader_.emplace(language, TokenizerOptions{false, 0, stems}, words_, plain);
  }

  std::vector<ReadWord> operator()(const std::string& text) { return reader_->read(text); }
  std::vector<std::int32_t> ids(const std::string& text) {
    std::vector<std::int32_t> ids;
    for (const ReadWord& word : (*this)(text)) ids.push_back(word.id);
    return ids;
  }
  bool looked_for_plain() const { return plain_.has_value(); }

 private:
  std::string language_;
  Vocabulary words_;
  std::optional<PlainWords> plain_;
  std::optional<WordReader> reader_;
};

void expect_same(Read& read, const std::string& one, const std::string& other) {
  const auto ids = read.ids(one);
  EXPECT_THAT(ids, testing::Each(testing::Ne(kUnknown))) << one;
  EXPECT_EQ(read.ids(other), ids) << other;
}

TEST(WordReader, TakesTheExactWordFirst) {
  Read read("fr", {"forêt", "foret", "vélo"});
  const auto words = read("foret velo");
  EXPECT_EQ(words[0].word, "foret");
  EXPECT_TRUE(words[0].exact);
  EXPECT_EQ(words[1].word, "vélo");
  EXPECT_EQ(words[1].typed, "velo");
  EXPECT_FALSE(words[1].exact);
}

// The captions that were learnt from leave marks out here and there.
TEST(WordReader, TakesAFarMoreFrequentWordWithMarks) {
  for (const auto& [count, word] : {std::pair{9, "agua"}, std::pair{10, "água"}}) {
    Vocabulary words;
    words.add("água", count);
    words.add("agua", 1);
    const PlainWords plain(words, "pt");
    WordReader reader("pt", {}, words, [&]() -> const PlainWords& { return plain; });
    EXPECT_EQ(reader.read("agua").front().word, word);
    EXPECT_EQ(reader.read("água").front().word, "água");
  }
  Vocabulary words;
  words.add("esta", 100);
  words.add("está", 1);
  const PlainWords plain(words, "pt");
  WordReader reader("pt", {}, words, [&]() -> const PlainWords& { return plain; });
  EXPECT_EQ(reader.read("está").front().word, "está");  // typed with its mark
}

TEST(WordReader, LooksNoFurtherWhereAllIsKnown) {
  Read read("fr", {"vélo", "un"});
  read("un vélo");
  EXPECT_FALSE(read.looked_for_plain());
}

TEST(WordReader, ForgivesPlainLettersOfManyLanguages) {
  struct Case {
    const char *language, *text;
    std::vector<std::string> typed;
  };
  const std::vector<Case> cases = {
      {"de",
       "ein Mädchen springt über die grüne Straße",
       {"ein Maedchen springt ueber die gruene Strasse",
        "ein Madchen springt uber die grune Strasse"}},
      {"fr",
       "un garçon à vélo près de la forêt, une fille montée, un bébé répété",
       {"un garcon a velo pres de la foret, une fille montee, un bebe repete"}},
      {"cs", "malá holčička skáče přes žlutý déšť", {"mala holcicka skace pres zluty dest"}},
      {"pt",
       "um cão e uma criança com emoções e coração",
       {"um cao e uma crianca com emocoes e coracao"}},
      {"es", "un niño en una habitación con balón", {"un nino en una habitacion con balon"}},
      {"tr", "kırmızı ışıkta iki küçük çocuk", {"kirmizi isikta iki kucuk cocuk"}},
      {"vi", "một người đàn ông đi xe đạp trên đường", {"mot nguoi dan ong di xe dap tren duong"}},
      {"pl", "chłopiec i łódź na żółtej łące", {"chlopiec i lodz na zoltej lace"}},
      {"sv",
       "en pojke åker båt på sjön, färg",
       {"en pojke aker bat pa sjon, farg", "en pojke aaker baat paa sjoen, faerg"}},
      {"no",
       "en jente i blå kjole spiser smør på en ås",
       {"en jente i blaa kjole spiser smoer paa en aas"}},
      {"ro", "o fetiță și un câine în pădure", {"o fetita si un caine in padure"}},
      {"hr", "đak s čašom", {"djak s casom", "dak s casom"}},
      {"ar", "أحمر مدرسة", {"احمر مدرسه"}},
      {"ru", "ёлка", {"елка"}}};
  for (const Case& one : cases) {
    for (const bool stems : {false, true}) {
      SCOPED_TRACE(std::string(one.language) + (stems ? ", stems" : ""));
      Read read(one.language, {one.text}, stems);
      for (const std::string& typed : one.typed) expect_same(read, one.text, typed);
    }
  }
}

TEST(WordReader, NamesWhatWasTyped) {
  Read read("en", {"a dog"}, true);
  const auto words = read("Quaggas");
  EXPECT_EQ(words.front().typed, "quaggas");
  EXPECT_EQ(words.front().id, kUnknown);
  EXPECT_EQ(words.front().word, "quagga");
}

TEST(WordReader, ReadsBothScriptsOfChinese) {
  const std::string simplified = "戴眼镜的女人骑马", traditional = "戴眼鏡的女人騎馬";
  EXPECT_EQ(in_han_script(traditional, HanScript::simplified), simplified);
  EXPECT_EQ(in_han_script(simplified, HanScript::traditional), traditional);
  for (const bool stems : {false, true}) {
    for (const char* language : {"zh", "zh-Hant-TW"}) {
      Read knows_simplified(language, {simplified}, stems),
          knows_other(language, {traditional}, stems);
      expect_same(knows_simplified, simplified, traditional);
      expect_same(knows_other, traditional, simplified);
    }
  }
  Read read("zh", {"女人骑马"});
  const auto words = read("女人騎車");
  EXPECT_EQ(words.back().id, kUnknown);
  EXPECT_EQ(words.back().typed, "騎車");
  // Of Japanese the characters are its own.
  Read japanese("ja", {"马"});
  EXPECT_THAT(japanese.ids("馬"), ElementsAre(kUnknown));
}

TEST(WordReader, TakesAnyText) {
  Read read("de", {"ein Hund"}, true);
  EXPECT_EQ(read("").size(), 0U);
  EXPECT_EQ(read(std::string(100000, 'u')).size(), 1U);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "aeoeueaeoeue ";
  EXPECT_EQ(read(many).size(), 1000U);
  EXPECT_EQ(read("\u0301 \u0308").size(), read("\u0301 \u0308").size());
}

}  // namespace
}  // namespace hinny
