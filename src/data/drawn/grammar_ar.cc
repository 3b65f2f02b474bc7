#include "data/drawn/grammar.h"

namespace hinny::drawn {
namespace {

// Without vowel signs, as Arabic is written: the accusative is avoided, and nominative and
// genitive differ only in the dual.
enum Case { kNominative, kGenitive };

struct Noun {
  bool feminine;
  std::string_view singular, plural;
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {true, "كرة", "كرات"},
    {false, "صندوق", "صناديق"},
    {false, "مثلث", "مثلثات"},
    {true, "نجمة", "نجمات"},
    {false, "قلب", "قلوب"},
    {false, "بيت", "بيوت"},
    {true, "شجرة", "أشجار"},
    {true, "سيارة", "سيارات"},
    {true, "سمكة", "سمكات"},
    {false, "قارب", "قوارب"},
    {true, "زهرة", "زهرات"},
    {false, "كوب", "أكواب"},
    {false, "طائر", "طيور"},
    {true, "تفاحة", "تفاحات"},
    {false, "مفتاح", "مفاتيح"},
    {true, "مظلة", "مظلات"},
}};

struct Adjective {
  std::string_view masculine, feminine;
};
constexpr std::array<Adjective, kColors> kColorWords = {{{"أحمر", "حمراء"},
                                                         {"أزرق", "زرقاء"},
                                                         {"أخضر", "خضراء"},
                                                         {"أصفر", "صفراء"},
                                                         {"أسود", "سوداء"},
                                                         {"أبيض", "بيضاء"},
                                                         {"بنفسجي", "بنفسجية"},
                                                         {"برتقالي", "برتقالية"}}};
constexpr std::array<Adjective, kSizes> kSizeWords = {
    {{"صغير", "صغيرة"}, {"متوسط", "متوسطة"}, {"كبير", "كبيرة"}}};
constexpr std::string_view kOfSize = "الحجم";  // follows "medium": medium of size
// [count - 3]; the number takes the gender opposite to its noun's.
constexpr std::string_view kNumbersOfFeminine[3] = {"ثلاث", "أربع", "خمس"};
constexpr std::string_view kNumbersOfMasculine[3] = {"ثلاثة", "أربعة", "خمسة"};
constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "في السماء", "على العشب", "على الرمل",   "في الليل",
    "على الثلج", "على الماء", "أمام الجدار", "في الغرفة"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {"على يسار", "على يمين", "فوق",
                                                                     "تحت"};

// The dual of a noun or adjective; in construct ("medium of size") it loses its n.
std::string dual(std::string_view singular, Case grammatical_case, bool construct = false) {
  constexpr std::string_view kTaMarbuta = "ة", kHamza = "ء";
  std::string form(singular);
  if (singular.ends_with(kTaMarbuta)) {
    form.replace(form.size() - kTaMarbuta.size(), kTaMarbuta.size(), "ت");
  } else if (singular.ends_with(kHamza)) {
    form.replace(form.size() - kHamza.size(), kHamza.size(), "و");
  }
  form += grammatical_case == kNominative ? "ا" : "ي";
  if (!construct) form += "ن";
  return form;
}

std::string noun_phrase(const Mention& mention, Case grammatical_case, bool definite = false) {
  const Noun& noun = kNouns[at(mention.kind)];
  const bool two = mention.count == 2;
  const bool many = mention.count > 2;
  const std::string_view article = definite ? "ال" : "";
  const auto agree = [&](const Adjective& adjective, bool construct = false) {
    // The plural of things is a feminine singular to its adjectives.
    const std::string_view form = noun.feminine || many ? adjective.feminine : adjective.masculine;
    return std::string(article) +
           (two ? dual(form, grammatical_case, construct) : std::string(form));
  };
  std::string number;
  if (many) {
    const auto row = static_cast<std::size_t>(mention.count - 3);
    number = noun.feminine ? kNumbersOfFeminine[row] : kNumbersOfMasculine[row];
  }
  std::string head(many ? noun.plural : noun.singular);
  if (two) head = dual(head, grammatical_case);
  std::string size;
  if (mention.size) {
    const bool medium = *mention.size == Size::medium;
    size = words({agree(kSizeWords[at(*mention.size)], medium), medium ? kOfSize : ""});
  }
  const std::string color = mention.color ? agree(kColorWords[at(*mention.color)]) : "";
  // "three balls", but "the balls, the three".
  if (many && definite) {
    return words({std::string(article) + head, std::string(article) + number, color, size});
  }
  return words({number, std::string(article) + head, color, size});
}

// "و" is written onto the word that follows.
std::string list(const Plan& plan, Case grammatical_case) {
  return join(each(plan, [&](const Mention& m) { return noun_phrase(m, grammatical_case); }), " و",
              " و");
}

// An indefinite subject follows its predicate; a definite one precedes it.
std::string relation(const Plan& plan, const std::string& place) {
  const std::string_view side = kRelationWords[at(*plan.relation)];
  const std::string where = words({side, noun_phrase(plan.mentions[1], kGenitive, true)});
  const std::string first = noun_phrase(plan.mentions[0], kNominative);
  std::string text =
      choose(plan, {words({where, first, place}), words({place, "هناك", first, where}),
                    words({noun_phrase(plan.mentions[0], kNominative, true), where, place})});
  if (plan.mentions.size() > 2) {
    text += "، وهناك أيضا " + noun_phrase(plan.mentions[2], kNominative);
  }
  return text;
}

}  // namespace

std::string write_arabic(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string front = place.empty() ? "في الصورة" : place;
  const std::string subjects = list(plan, kNominative);
  const std::string of_them = "ل" + list(plan, kGenitive);
  switch (plan.pattern) {
    case Pattern::phrase:
      return sentence(choose(plan, {words({subjects, place}), words({"صورة", of_them, place}),
                                    words({"رسم", of_them, place})}));
    case Pattern::there:
      return sentence(choose(plan, {words({front, subjects}), words({front, "هناك", subjects}),
                                    words({"هناك", subjects, place})}));
    case Pattern::shows:
      return sentence(
          choose(plan, {words({"في الصورة", subjects, place}), words({"هذه صورة", of_them, place}),
                        words({"تحتوي الصورة على", list(plan, kGenitive), place})}));
    case Pattern::relation:
      break;
  }
  return sentence(relation(plan, place));
}

}  // namespace hinny::drawn
