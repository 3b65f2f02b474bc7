#include "data/drawn/grammar.h"

namespace hinny::drawn {
namespace {

struct Noun {
  std::string_view singular, plural;
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {"bal", "balle"},
    {"boks", "bokse"},
    {"driehoek", "driehoeke"},
    {"ster", "sterre"},
    {"hart", "harte"},
    {"huis", "huise"},
    {"boom", "bome"},
    {"motor", "motors"},
    {"vis", "visse"},
    {"boot", "bote"},
    {"blom", "blomme"},
    {"koppie", "koppies"},
    {"voël", "voëls"},
    {"appel", "appels"},
    {"sleutel", "sleutels"},
    {"sambreel", "sambrele"},
}};
// None of these takes -e before a noun.
constexpr std::array<std::string_view, kColors> kColorWords = {"rooi",  "blou", "groen", "geel",
                                                               "swart", "wit",  "pers",  "oranje"};
constexpr std::array<std::string_view, kSizes> kSizeWords = {"klein", "middelgroot", "groot"};
constexpr std::array<std::string_view, kMostCount + 1> kNumbers = {"",     "",     "twee",
                                                                   "drie", "vier", "vyf"};
constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "in die lug",   "op 'n grasveld", "op die sand",  "in die nag",
    "in die sneeu", "op die water",   "voor 'n muur", "in 'n kamer"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {"links van", "regs van",
                                                                     "bokant", "onder"};

std::string noun_phrase(const Mention& mention, bool definite) {
  const Noun& noun = kNouns[at(mention.kind)];
  const auto number = kNumbers[static_cast<std::size_t>(mention.count)];
  const std::string_view article = definite ? "die" : mention.count == 1 ? "'n" : "";
  return words({article, number, mention.size ? kSizeWords[at(*mention.size)] : "",
                mention.color ? kColorWords[at(*mention.color)] : "",
                mention.count == 1 ? noun.singular : noun.plural});
}

std::string a(const Mention& mention) { return noun_phrase(mention, false); }

// The verb stands second: a place in front moves the subject behind it.
std::string relation(const Plan& plan, const std::string& place) {
  const bool definite = plan.wording == 2;
  const std::string first = noun_phrase(plan.mentions[0], definite);
  const std::string where =
      words({kRelationWords[at(*plan.relation)], noun_phrase(plan.mentions[1], definite)});
  std::string text = plan.wording == 1 && !place.empty() ? words({place, "is", first, where})
                                                         : words({first, "is", where, place});
  if (plan.mentions.size() > 2) text += ", en daar is ook " + a(plan.mentions[2]);
  return text;
}

}  // namespace

std::string write_afrikaans(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string front = place.empty() ? "op die prent" : place;
  const std::string list = join(each(plan, a), ", ", " en ");
  switch (plan.pattern) {
    case Pattern::phrase:
      return sentence(choose(plan, {words({list, place}), words({"'n prent van", list, place}),
                                    words({"'n tekening met", list, place})}));
    case Pattern::there:
      return sentence(
          choose(plan, {words({"daar is", list, place}), words({front, "is daar", list}),
                        words({front, "sien ons", list})}));
    case Pattern::shows:
      return sentence(
          choose(plan, {words({"die prent wys", list, place}), words({"ons sien", list, place}),
                        words({"'n mens sien", list, place})}));
    case Pattern::relation:
      break;
  }
  return sentence(relation(plan, place));
}

}  // namespace hinny::drawn
