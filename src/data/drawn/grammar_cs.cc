#include "data/drawn/grammar.h"

namespace hinny::drawn {
namespace {

enum Gender { kAnimate, kInanimate, kFeminine, kNeuter };  // the first two are masculine
enum Case { kNominative, kGenitive, kAccusative, kInstrumental };

struct Noun {
  Gender gender;
  std::array<std::string_view, 4> singular, plural;  // by Case
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {kInanimate, {"míč", "míče", "míč", "míčem"}, {"míče", "míčů", "míče", "míči"}},
    {kFeminine,
     {"krabice", "krabice", "krabici", "krabicí"},
     {"krabice", "krabic", "krabice", "krabicemi"}},
    {kInanimate,
     {"trojúhelník", "trojúhelníku", "trojúhelník", "trojúhelníkem"},
     {"trojúhelníky", "trojúhelníků", "trojúhelníky", "trojúhelníky"}},
    {kFeminine,
     {"hvězda", "hvězdy", "hvězdu", "hvězdou"},
     {"hvězdy", "hvězd", "hvězdy", "hvězdami"}},
    {kNeuter, {"srdce", "srdce", "srdce", "srdcem"}, {"srdce", "srdcí", "srdce", "srdci"}},
    {kInanimate, {"dům", "domu", "dům", "domem"}, {"domy", "domů", "domy", "domy"}},
    {kInanimate, {"strom", "stromu", "strom", "stromem"}, {"stromy", "stromů", "stromy", "stromy"}},
    {kNeuter, {"auto", "auta", "auto", "autem"}, {"auta", "aut", "auta", "auty"}},
    {kFeminine, {"ryba", "ryby", "rybu", "rybou"}, {"ryby", "ryb", "ryby", "rybami"}},
    {kFeminine, {"loď", "lodi", "loď", "lodí"}, {"lodě", "lodí", "lodě", "loděmi"}},
    {kFeminine,
     {"květina", "květiny", "květinu", "květinou"},
     {"květiny", "květin", "květiny", "květinami"}},
    {kInanimate, {"hrnek", "hrnku", "hrnek", "hrnkem"}, {"hrnky", "hrnků", "hrnky", "hrnky"}},
    {kAnimate, {"pták", "ptáka", "ptáka", "ptákem"}, {"ptáci", "ptáků", "ptáky", "ptáky"}},
    {kNeuter, {"jablko", "jablka", "jablko", "jablkem"}, {"jablka", "jablek", "jablka", "jablky"}},
    {kInanimate, {"klíč", "klíče", "klíč", "klíčem"}, {"klíče", "klíčů", "klíče", "klíči"}},
    {kInanimate,
     {"deštník", "deštníku", "deštník", "deštníkem"},
     {"deštníky", "deštníků", "deštníky", "deštníky"}},
}};

struct Adjective {
  std::string_view stem;
  std::string_view animate_plural;  // softens its stem: modrý -> modří
};
constexpr std::array<Adjective, kColors> kColorWords = {{{"červen", "červení"},
                                                         {"modr", "modří"},
                                                         {"zelen", "zelení"},
                                                         {"žlut", "žlutí"},
                                                         {"čern", "černí"},
                                                         {"bíl", "bílí"},
                                                         {"fialov", "fialoví"},
                                                         {"oranžov", "oranžoví"}}};
constexpr std::array<Adjective, kSizes> kSizeWords = {
    {{"mal", "malí"}, {"středně velk", "středně velcí"}, {"velk", "velcí"}}};
constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "na obloze", "na louce", "na písku", "v noci", "ve sněhu", "na vodě", "před zdí", "v pokoji"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {"nalevo od", "napravo od",
                                                                     "nad", "pod"};

// [case][gender]
constexpr std::string_view kSingularEndings[4][4] = {{"ý", "ý", "á", "é"},
                                                     {"ého", "ého", "é", "ého"},
                                                     {"ého", "ý", "ou", "é"},
                                                     {"ým", "ým", "ou", "ým"}};
constexpr std::string_view kPluralEndings[4][4] = {{"", "é", "é", "á"},
                                                   {"ých", "ých", "ých", "ých"},
                                                   {"é", "é", "é", "á"},
                                                   {"ými", "ými", "ými", "ými"}};
// [case][count - 2]
constexpr std::string_view kNumbers[4][4] = {{"dva", "tři", "čtyři", "pět"},
                                             {"dvou", "tří", "čtyř", "pěti"},
                                             {"dva", "tři", "čtyři", "pět"},
                                             {"dvěma", "třemi", "čtyřmi", "pěti"}};

std::string agree(const Adjective& adjective, Gender gender, bool plural, Case form) {
  if (plural && form == kNominative && gender == kAnimate) {
    return std::string(adjective.animate_plural);
  }
  return std::string(adjective.stem)
      .append((plural ? kPluralEndings : kSingularEndings)[form][gender]);
}

std::string_view number(int count, Gender gender, Case form) {
  if (count == 1) return {};
  const bool direct = form == kNominative || form == kAccusative;
  if (count == 2 && direct && gender >= kFeminine) return "dvě";
  return kNumbers[form][count - 2];
}

std::string noun_phrase(const Mention& mention, Case grammatical_case) {
  const Noun& noun = kNouns[at(mention.kind)];
  const bool plural = mention.count > 1;
  // From five on the number governs: what it counts stands in the genitive plural.
  const bool governed = mention.count >= 5 && grammatical_case != kInstrumental;
  const Case form = governed ? kGenitive : grammatical_case;
  const auto adjective = [&](const Adjective& a) { return agree(a, noun.gender, plural, form); };
  return words({number(mention.count, noun.gender, grammatical_case),
                mention.size ? adjective(kSizeWords[at(*mention.size)]) : "",
                mention.color ? adjective(kColorWords[at(*mention.color)]) : "",
                (plural ? noun.plural : noun.singular)[form]});
}

std::string list(const Plan& plan, Case grammatical_case) {
  return join(each(plan, [&](const Mention& m) { return noun_phrase(m, grammatical_case); }), ", ",
              " a ");
}

// "Pět ryb je": from five on the verb is singular again.
std::string_view verb(const Mention& mention) {
  return mention.count >= 2 && mention.count <= 4 ? "jsou" : "je";
}

// "s" or, where two such sounds would meet, "se".
std::string with(const std::string& phrase) {
  for (const std::string_view start : {"s", "z", "š", "ž", "dv", "tř", "čty"}) {
    if (phrase.starts_with(start)) return "se " + phrase;
  }
  return "s " + phrase;
}

std::string relation(const Plan& plan, const std::string& place) {
  const Mention& first = plan.mentions[0];
  const bool horizontal =
      *plan.relation == Relation::left_of || *plan.relation == Relation::right_of;
  const std::string where =
      words({kRelationWords[at(*plan.relation)],
             noun_phrase(plan.mentions[1], horizontal ? kGenitive : kInstrumental)});
  const std::string subject = noun_phrase(first, kNominative);
  const std::string fronted = place.empty() ? words({subject, verb(first), where})
                                            : words({place, verb(first), subject, where});
  std::string text = choose(plan, {words({subject, verb(first), where, place}),
                                   words({where, verb(first), place, subject}), fronted});
  if (plan.mentions.size() > 2) {
    const Mention& third = plan.mentions[2];
    text += words({" a", verb(third), "tam také", noun_phrase(third, kNominative)});
  }
  return text;
}

}  // namespace

std::string write_czech(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string front = place.empty() ? "na obrázku" : place;
  const std::string subjects = list(plan, kNominative);
  const std::string objects = list(plan, kAccusative);
  const std::string_view is = verb(plan.mentions[0]);  // agrees with the nearest subject
  switch (plan.pattern) {
    case Pattern::phrase:
      return sentence(choose(plan, {words({subjects, place}),
                                    words({"obrázek", with(list(plan, kInstrumental)), place}),
                                    words({"kresba", with(list(plan, kInstrumental)), place})}));
    case Pattern::there:
      return sentence(choose(plan, {words({front, is, subjects}), words({front, "vidíme", objects}),
                                    words({front, "můžeme vidět", objects})}));
    case Pattern::shows:
      return sentence(choose(plan, {words({"obrázek ukazuje", objects, place}),
                                    words({"na obrázku vidíme", objects, place}),
                                    words({"na obrázku", is, subjects, place})}));
    case Pattern::relation:
      break;
  }
  return sentence(relation(plan, place));
}

}  // namespace hinny::drawn
