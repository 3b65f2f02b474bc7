#include "data/drawn/grammar.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace hinny::drawn {
namespace {

Mention thing(int count, std::optional<Size> size, std::optional<Color> color, Kind kind) {
  return {kind, count, color, size};
}
Mention thing(int count, Color color, Kind kind) { return {kind, count, color, std::nullopt}; }

Plan plan(Pattern pattern, int wording, std::vector<Mention> mentions,
          std::optional<Background> background = std::nullopt) {
  return {pattern, std::move(mentions), std::nullopt, background, wording};
}
Plan related(int wording, Mention first, Relation relation, Mention second,
             std::optional<Background> background = std::nullopt) {
  return {Pattern::relation, {first, second}, relation, background, wording};
}

TEST(English, ArticlesNumbersAndVerbs) {
  EXPECT_EQ(write_english(plan(Pattern::phrase, 0,
                               {thing(1, Color::orange, Kind::key),
                                thing(1, std::nullopt, std::nullopt, Kind::umbrella),
                                thing(2, Size::small, Color::red, Kind::fish)},
                               Background::snow)),
            "An orange key, an umbrella and two small red fish in the snow.");
  EXPECT_EQ(write_english(related(2, thing(3, Color::blue, Kind::box), Relation::left_of,
                                  thing(1, Color::white, Kind::house))),
            "The three blue boxes are to the left of the white house.");
}

TEST(German, CasesGendersAndWeakEndings) {
  const std::vector<Mention> things = {
      thing(1, Size::large, Color::red, Kind::ball), thing(1, Color::orange, Kind::flower),
      thing(1, Color::blue, Kind::heart), thing(3, Color::green, Kind::house)};
  EXPECT_EQ(write_german(plan(Pattern::phrase, 0, things)),
            "Ein großer roter Ball, eine orangefarbene Blume, ein blaues Herz und drei grüne "
            "Häuser.");
  EXPECT_EQ(write_german(plan(Pattern::there, 1, things, Background::meadow)),
            "Auf einer Wiese gibt es einen großen roten Ball, eine orangefarbene Blume, ein "
            "blaues Herz und drei grüne Häuser.");
  EXPECT_EQ(write_german(plan(Pattern::phrase, 1, things)),
            "Ein Bild mit einem großen roten Ball, einer orangefarbenen Blume, einem blauen Herzen "
            "und drei grünen Häusern.");
  EXPECT_EQ(write_german(related(2, thing(2, Color::white, Kind::bird), Relation::above,
                                 thing(1, Color::black, Kind::car))),
            "Die zwei weißen Vögel befinden sich über dem schwarzen Auto.");
  EXPECT_EQ(write_german(related(1, thing(1, Color::yellow, Kind::key), Relation::right_of,
                                 thing(4, Color::purple, Kind::apple), Background::sand)),
            "Rechts von vier violetten Äpfeln sieht man im Sand einen gelben Schlüssel.");
  EXPECT_EQ(write_german(related(0, thing(1, Color::red, Kind::boat), Relation::below,
                                 thing(1, Color::green, Kind::tree), Background::water)),
            "Auf dem Wasser ist ein rotes Boot unter einem grünen Baum.");
}

TEST(French, AgreementElisionAndContraction) {
  EXPECT_EQ(
      write_french(plan(
          Pattern::phrase, 2,
          {thing(1, Color::white, Kind::boat), thing(1, Size::small, Color::white, Kind::star),
           thing(2, Color::orange, Kind::cup), thing(3, Size::large, Color::green, Kind::apple)})),
      "Un dessin d'un bateau blanc, d'une petite étoile blanche, de deux tasses orange et "
      "de trois grandes pommes vertes.");
  EXPECT_EQ(write_french(related(2, thing(1, Color::black, Kind::bird), Relation::left_of,
                                 thing(1, Size::large, Color::purple, Kind::tree))),
            "L'oiseau noir est à gauche du grand arbre violet.");
  EXPECT_EQ(write_french(related(2, thing(2, Color::blue, Kind::bird), Relation::above,
                                 thing(1, Color::green, Kind::tree))),
            "Les deux oiseaux bleus sont au-dessus de l'arbre vert.");
  EXPECT_EQ(
      write_french(related(1, thing(1, Size::medium, Color::red, Kind::heart), Relation::right_of,
                           thing(5, Color::blue, Kind::car), Background::snow)),
      "À droite des cinq voitures bleues, il y a un cœur rouge de taille moyenne dans la "
      "neige.");
}

TEST(Czech, CasesAndNumbers) {
  const std::vector<Mention> things = {
      thing(2, Color::blue, Kind::bird), thing(1, Size::large, Color::red, Kind::fish),
      thing(2, Color::green, Kind::car), thing(5, Color::white, Kind::heart)};
  EXPECT_EQ(write_czech(plan(Pattern::there, 0, things, Background::snow)),
            "Ve sněhu jsou dva modří ptáci, velká červená ryba, dvě zelená auta a pět bílých "
            "srdcí.");
  EXPECT_EQ(write_czech(plan(Pattern::shows, 0, things)),
            "Obrázek ukazuje dva modré ptáky, velkou červenou rybu, dvě zelená auta a pět bílých "
            "srdcí.");
  EXPECT_EQ(write_czech(plan(Pattern::phrase, 1, things)),
            "Obrázek se dvěma modrými ptáky, velkou červenou rybou, dvěma zelenými auty a pěti "
            "bílými srdci.");
  EXPECT_EQ(write_czech(related(0, thing(5, Color::yellow, Kind::fish), Relation::left_of,
                                thing(3, Color::black, Kind::key))),
            "Pět žlutých ryb je nalevo od tří černých klíčů.");
  EXPECT_EQ(write_czech(related(0, thing(4, Color::purple, Kind::house), Relation::above,
                                thing(1, Color::orange, Kind::boat))),
            "Čtyři fialové domy jsou nad oranžovou lodí.");
}

TEST(Russian, CasesAndNumbers) {
  const std::vector<Mention> things = {
      thing(2, Color::red, Kind::ball), thing(2, Color::red, Kind::boat),
      thing(5, Size::small, Color::blue, Kind::apple), thing(1, Color::blue, Kind::tree)};
  EXPECT_EQ(write_russian(plan(Pattern::phrase, 0, things)),
            "Два красных мяча, две красные лодки, пять маленьких синих яблок и синее дерево.");
  EXPECT_EQ(write_russian(plan(Pattern::phrase, 1, things, Background::meadow)),
            "Картинка с двумя красными мячами, двумя красными лодками, пятью маленькими синими "
            "яблоками и синим деревом на лугу.");
  EXPECT_EQ(write_russian(plan(
                Pattern::there, 2,
                {thing(3, Color::green, Kind::bird), thing(1, Size::large, Color::blue, Kind::car),
                 thing(3, Color::white, Kind::cup)},
                Background::snow)),
            "На снегу мы видим трёх зелёных птиц, большую синюю машину и три белые чашки.");
  EXPECT_EQ(write_russian(related(1, thing(1, Color::yellow, Kind::star), Relation::right_of,
                                  thing(4, Color::black, Kind::flower))),
            "Справа от четырёх чёрных цветков находится жёлтая звезда.");
  EXPECT_EQ(write_russian(plan(Pattern::phrase, 2,
                               {thing(1, std::nullopt, std::nullopt, Kind::star),
                                thing(1, Size::medium, Color::white, Kind::umbrella)})),
            "Рисунок со звездой и белым зонтом среднего размера.");
}

TEST(Arabic, GenderDualNumbersAndArticle) {
  EXPECT_EQ(write_arabic(plan(
                Pattern::phrase, 0,
                {thing(1, Size::large, Color::red, Kind::ball), thing(2, Color::red, Kind::ball),
                 thing(2, Color::blue, Kind::boat), thing(3, Color::green, Kind::ball)},
                Background::snow)),
            "كرة حمراء كبيرة وكرتان حمراوان وقاربان أزرقان وثلاث كرات خضراء على الثلج.");
  EXPECT_EQ(write_arabic(plan(Pattern::phrase, 1,
                              {thing(2, Size::medium, Color::purple, Kind::car),
                               thing(5, Color::black, Kind::key)})),
            "صورة لسيارتين بنفسجيتين متوسطتي الحجم وخمسة مفاتيح سوداء.");
  EXPECT_EQ(write_arabic(related(2, thing(2, Color::white, Kind::house), Relation::left_of,
                                 thing(4, Color::yellow, Kind::tree))),
            "البيتان الأبيضان على يسار الأشجار الأربع الصفراء.");
  EXPECT_EQ(write_arabic(related(0, thing(1, Size::small, Color::orange, Kind::bird),
                                 Relation::above, thing(2, Color::orange, Kind::cup))),
            "فوق الكوبين البرتقاليين طائر برتقالي صغير.");
}

TEST(Chinese, ClassifiersAndTwo) {
  EXPECT_EQ(
      write_chinese(plan(Pattern::there, 0,
                         {thing(2, Size::small, Color::blue, Kind::fish),
                          thing(1, Color::red, Kind::ball), thing(3, Color::black, Kind::umbrella)},
                         Background::meadow)),
      "草地上有两条蓝色小鱼、一个红色的球和三把黑色雨伞。");
  EXPECT_EQ(write_chinese(related(0, thing(1, Color::white, Kind::bird), Relation::above,
                                  thing(2, Color::green, Kind::car))),
            "两辆绿色汽车的上方有一只白色的鸟。");
}

TEST(Japanese, CountersAndLivingThings) {
  EXPECT_EQ(write_japanese(related(0, thing(2, Color::red, Kind::bird), Relation::left_of,
                                   thing(3, Color::purple, Kind::car))),
            "二羽の赤い鳥は三台の紫の車の左にいます。");
  EXPECT_EQ(
      write_japanese(related(1, thing(1, Size::large, Color::yellow, Kind::box), Relation::below,
                             thing(4, Color::white, Kind::fish), Background::water)),
      "水の上で、四匹の白い魚の下に大きな黄色い箱があります。");
}

TEST(Korean, ParticlesFollowTheLastSound) {
  EXPECT_EQ(
      write_korean(plan(Pattern::there, 0,
                        {thing(1, Color::red, Kind::ball), thing(1, Color::blue, Kind::key)})),
      "그림에 빨간 공과 파란 열쇠가 있습니다.");
  EXPECT_EQ(
      write_korean(plan(Pattern::there, 1,
                        {thing(2, Color::yellow, Kind::fish), thing(3, Color::black, Kind::boat)},
                        Background::water)),
      "물 위에 노란 물고기 두 마리와 검은 배 세 척이 보입니다.");
  EXPECT_EQ(write_korean(related(0, thing(1, Size::large, Color::green, Kind::house),
                                 Relation::right_of, thing(1, Color::white, Kind::car))),
            "큰 초록색 집은 하얀 자동차 오른쪽에 있습니다.");
}

TEST(Afrikaans, ArticleStaysSmallAndVerbComesSecond) {
  EXPECT_EQ(
      write_afrikaans(plan(Pattern::phrase, 0,
                           {thing(1, Color::red, Kind::house), thing(2, Color::blue, Kind::boat)})),
      "'n Rooi huis en twee blou bote.");
  EXPECT_EQ(write_afrikaans(related(1, thing(1, Color::green, Kind::bird), Relation::above,
                                    thing(3, Color::white, Kind::star), Background::snow)),
            "In die sneeu is 'n groen voël bokant drie wit sterre.");
}

// No combination leaves a hole: nothing empty, no doubled or trailing space, sound UTF-8.
TEST(Grammars, WriteEveryThingInEveryPattern) {
  for (const Language& language : languages()) {
    for (std::size_t i = 0; i < kKinds * kColors * kSizes * kMostCount; ++i) {
      const Mention first = {static_cast<Kind>(i % kKinds),
                             static_cast<int>(i / kKinds % kMostCount) + 1,
                             static_cast<Color>(i / kKinds / kMostCount % kColors),
                             static_cast<Size>(i / kKinds / kMostCount / kColors)};
      const Mention second = {static_cast<Kind>((i + 1) % kKinds), 1, Color::red, std::nullopt};
      Plan p = plan(static_cast<Pattern>(i % 4), static_cast<int>(i % kWordings), {first, second},
                    static_cast<Background>(i % kBackgrounds));
      if (p.pattern == Pattern::relation) p.relation = static_cast<Relation>(i / 4 % kRelations);
      const std::string text = language.write(p);
      ASSERT_TRUE(is_utf8(text)) << text;
      for (const std::string_view hole : {"  ", " .", " ,", "  ", "，，", "的的", "のの"}) {
        ASSERT_EQ(text.find(hole), std::string::npos) << language.code << ": " << text;
      }
      ASSERT_TRUE(text.ends_with(".") || text.ends_with("。")) << text;
      // The same plan with another colour, count or kind is another sentence.
      Plan other = p;
      other.mentions[0].color = static_cast<Color>((at(*first.color) + 1) % kColors);
      ASSERT_NE(language.write(other), text);
      other = p;
      other.mentions[0].count = first.count % kMostCount + 1;
      ASSERT_NE(language.write(other), text);
      other = p;
      other.mentions[0].kind = static_cast<Kind>((at(first.kind) + 5) % kKinds);
      ASSERT_NE(language.write(other), text);
    }
  }
}

}  // namespace
}  // namespace hinny::drawn
