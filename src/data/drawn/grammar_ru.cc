#include "data/drawn/grammar.h"

namespace hinny::drawn {
namespace {

enum Gender { kMasculine, kFeminine, kNeuter };
enum Case { kNominative, kGenitive, kAccusative, kInstrumental };

// Every plural in a caption is counted, and counting takes the nominative plural of no noun.
struct Noun {
  Gender gender;
  bool animate;
  std::array<std::string_view, 4> singular;  // by Case
  std::string_view genitive_plural, instrumental_plural;
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {kMasculine, false, {"мяч", "мяча", "мяч", "мячом"}, "мячей", "мячами"},
    {kFeminine, false, {"коробка", "коробки", "коробку", "коробкой"}, "коробок", "коробками"},
    {kMasculine,
     false,
     {"треугольник", "треугольника", "треугольник", "треугольником"},
     "треугольников",
     "треугольниками"},
    {kFeminine, false, {"звезда", "звезды", "звезду", "звездой"}, "звёзд", "звёздами"},
    {kNeuter, false, {"сердце", "сердца", "сердце", "сердцем"}, "сердец", "сердцами"},
    {kMasculine, false, {"дом", "дома", "дом", "домом"}, "домов", "домами"},
    {kNeuter, false, {"дерево", "дерева", "дерево", "деревом"}, "деревьев", "деревьями"},
    {kFeminine, false, {"машина", "машины", "машину", "машиной"}, "машин", "машинами"},
    {kFeminine, true, {"рыба", "рыбы", "рыбу", "рыбой"}, "рыб", "рыбами"},
    {kFeminine, false, {"лодка", "лодки", "лодку", "лодкой"}, "лодок", "лодками"},
    {kMasculine, false, {"цветок", "цветка", "цветок", "цветком"}, "цветков", "цветками"},
    {kFeminine, false, {"чашка", "чашки", "чашку", "чашкой"}, "чашек", "чашками"},
    {kFeminine, true, {"птица", "птицы", "птицу", "птицей"}, "птиц", "птицами"},
    {kNeuter, false, {"яблоко", "яблока", "яблоко", "яблоком"}, "яблок", "яблоками"},
    {kMasculine, false, {"ключ", "ключа", "ключ", "ключом"}, "ключей", "ключами"},
    {kMasculine, false, {"зонт", "зонта", "зонт", "зонтом"}, "зонтов", "зонтами"},
}};

enum Declension { kHard, kSoft, kVelar, kStressed };
struct Adjective {
  std::string_view stem;
  Declension declension = kHard;
};
constexpr std::array<Adjective, kColors> kColorWords = {
    {{"красн"}, {"син", kSoft}, {"зелён"}, {"жёлт"}, {"чёрн"}, {"бел"}, {"фиолетов"}, {"оранжев"}}};
constexpr Adjective kSmall = {"маленьк", kVelar};
constexpr Adjective kLarge = {"больш", kStressed};

// Of things; animate ones stand only in the feminine here, whose singular is the same.
// [declension][case][gender]
constexpr std::string_view kSingularEndings[4][4][3] = {
    {{"ый", "ая", "ое"}, {"ого", "ой", "ого"}, {"ый", "ую", "ое"}, {"ым", "ой", "ым"}},
    {{"ий", "яя", "ее"}, {"его", "ей", "его"}, {"ий", "юю", "ее"}, {"им", "ей", "им"}},
    {{"ий", "ая", "ое"}, {"ого", "ой", "ого"}, {"ий", "ую", "ое"}, {"им", "ой", "им"}},
    {{"ой", "ая", "ое"}, {"ого", "ой", "ого"}, {"ой", "ую", "ое"}, {"им", "ой", "им"}}};
// [declension][nominative, genitive, (unused), instrumental]
constexpr std::string_view kPluralEndings[4][4] = {{"ые", "ых", "", "ыми"},
                                                   {"ие", "их", "", "ими"},
                                                   {"ие", "их", "", "ими"},
                                                   {"ие", "их", "", "ими"}};
// [count - 2]
constexpr std::string_view kDirectNumbers[4] = {"два", "три", "четыре", "пять"};
constexpr std::string_view kGenitiveNumbers[4] = {"двух", "трёх", "четырёх", "пяти"};
constexpr std::string_view kInstrumentalNumbers[4] = {"двумя", "тремя", "четырьмя", "пятью"};

constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "в небе", "на лугу", "на песке", "ночью", "на снегу", "на воде", "перед стеной", "в комнате"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {"слева от", "справа от", "над",
                                                                     "под"};

// Number, adjective's ending and noun's form depend on each other: "две красные рыбы", "два
// красных мяча", "пять красных мячей", but "слева от двух красных мячей".
struct Counted {
  std::string_view number;
  Case adjective;
  std::string_view noun;
};

Counted counted(const Noun& noun, int count, Case grammatical_case) {
  const int row = count - 2;
  const bool few_living = grammatical_case == kAccusative && noun.animate && count < 5;
  if (grammatical_case == kInstrumental) {
    return {kInstrumentalNumbers[row], kInstrumental, noun.instrumental_plural};
  }
  if (grammatical_case == kGenitive || few_living) {
    return {kGenitiveNumbers[row], kGenitive, noun.genitive_plural};
  }
  if (count >= 5) return {kDirectNumbers[row], kGenitive, noun.genitive_plural};
  const bool feminine = noun.gender == kFeminine;
  return {count == 2 && feminine ? "две" : kDirectNumbers[row], feminine ? kNominative : kGenitive,
          noun.singular[kGenitive]};
}

std::string noun_phrase(const Mention& mention, Case grammatical_case) {
  const Noun& noun = kNouns[at(mention.kind)];
  Counted form{{}, grammatical_case, noun.singular[grammatical_case]};
  if (mention.count > 1) form = counted(noun, mention.count, grammatical_case);
  const auto agree = [&](const Adjective& adjective) {
    const std::string_view ending =
        mention.count > 1 ? kPluralEndings[adjective.declension][form.adjective]
                          : kSingularEndings[adjective.declension][form.adjective][noun.gender];
    return std::string(adjective.stem).append(ending);
  };
  std::string size;
  if (mention.size == Size::small) size = agree(kSmall);
  if (mention.size == Size::large) size = agree(kLarge);
  return words({form.number, size, mention.color ? agree(kColorWords[at(*mention.color)]) : "",
                form.noun, mention.size == Size::medium ? "среднего размера" : ""});
}

std::string list(const Plan& plan, Case grammatical_case) {
  return join(each(plan, [&](const Mention& m) { return noun_phrase(m, grammatical_case); }), ", ",
              " и ");
}

std::string with(const std::string& phrase) {
  return (phrase.starts_with("зв") ? "со " : "с ") + phrase;
}

std::string relation(const Plan& plan, const std::string& place) {
  const Mention& first = plan.mentions[0];
  const bool horizontal =
      *plan.relation == Relation::left_of || *plan.relation == Relation::right_of;
  const std::string where =
      words({kRelationWords[at(*plan.relation)],
             noun_phrase(plan.mentions[1], horizontal ? kGenitive : kInstrumental)});
  const std::string subject = noun_phrase(first, kNominative);
  const std::string_view lies = first.count == 1 ? "находится" : "находятся";
  std::string text =
      choose(plan, {words({subject, lies, where, place}), words({where, lies, subject, place}),
                    words({place, subject, lies, where})});
  if (plan.mentions.size() > 2) {
    text += ", а ещё там есть " + noun_phrase(plan.mentions[2], kNominative);
  }
  return text;
}

}  // namespace

std::string write_russian(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string front = place.empty() ? "на картинке" : place;
  const std::string subjects = list(plan, kNominative);
  const std::string objects = list(plan, kAccusative);
  switch (plan.pattern) {
    case Pattern::phrase:
      return sentence(choose(plan, {words({subjects, place}),
                                    words({"картинка", with(list(plan, kInstrumental)), place}),
                                    words({"рисунок", with(list(plan, kInstrumental)), place})}));
    case Pattern::there:
      return sentence(
          choose(plan, {words({front, "есть", subjects}), words({front, "можно увидеть", objects}),
                        words({front, "мы видим", objects})}));
    case Pattern::shows:
      return sentence(choose(plan, {words({"на картинке изображены", subjects, place}),
                                    words({"мы видим", objects, place}),
                                    words({"на рисунке видны", subjects, place})}));
    case Pattern::relation:
      break;
  }
  return sentence(relation(plan, place));
}

}  // namespace hinny::drawn
