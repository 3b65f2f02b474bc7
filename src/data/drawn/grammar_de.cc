#include "data/drawn/grammar.h"

namespace hinny::drawn {
namespace {

enum Gender { kMasculine, kFeminine, kNeuter };
enum Case { kNominative, kAccusative, kDative };

struct Noun {
  Gender gender;
  std::string_view singular, plural, dative_plural;
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {kMasculine, "Ball", "Bälle", "Bällen"},
    {kFeminine, "Kiste", "Kisten", "Kisten"},
    {kNeuter, "Dreieck", "Dreiecke", "Dreiecken"},
    {kMasculine, "Stern", "Sterne", "Sternen"},
    {kNeuter, "Herz", "Herzen", "Herzen"},
    {kNeuter, "Haus", "Häuser", "Häusern"},
    {kMasculine, "Baum", "Bäume", "Bäumen"},
    {kNeuter, "Auto", "Autos", "Autos"},
    {kMasculine, "Fisch", "Fische", "Fischen"},
    {kNeuter, "Boot", "Boote", "Booten"},
    {kFeminine, "Blume", "Blumen", "Blumen"},
    {kFeminine, "Tasse", "Tassen", "Tassen"},
    {kMasculine, "Vogel", "Vögel", "Vögeln"},
    {kMasculine, "Apfel", "Äpfel", "Äpfeln"},
    {kMasculine, "Schlüssel", "Schlüssel", "Schlüsseln"},
    {kMasculine, "Regenschirm", "Regenschirme", "Regenschirmen"},
}};
// "orange" itself takes no endings in good German, so the word that does.
constexpr std::array<std::string_view, kColors> kColorWords = {
    "rot", "blau", "grün", "gelb", "schwarz", "weiß", "violett", "orangefarben"};
constexpr std::array<std::string_view, kSizes> kSizeWords = {"klein", "mittelgroß", "groß"};
constexpr std::array<std::string_view, kMostCount + 1> kNumbers = {"",     "",     "zwei",
                                                                   "drei", "vier", "fünf"};
constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "am Himmel", "auf einer Wiese", "im Sand",         "in der Nacht",
    "im Schnee", "auf dem Wasser",  "vor einer Mauer", "in einem Zimmer"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {"links von", "rechts von",
                                                                     "über", "unter"};

// [case][gender, then plural]
constexpr std::string_view kIndefinite[3][3] = {
    {"ein", "eine", "ein"}, {"einen", "eine", "ein"}, {"einem", "einer", "einem"}};
constexpr std::string_view kDefinite[3][4] = {
    {"der", "die", "das", "die"}, {"den", "die", "das", "die"}, {"dem", "der", "dem", "den"}};
constexpr std::string_view kEndings[3][4] = {
    {"er", "e", "es", "e"}, {"en", "e", "es", "e"}, {"en", "en", "en", "en"}};
constexpr std::string_view kEndingsAfterDefinite[3][4] = {
    {"e", "e", "e", "en"}, {"en", "e", "e", "en"}, {"en", "en", "en", "en"}};

std::string_view noun_form(const Mention& mention, Case grammatical_case) {
  const Noun& noun = kNouns[at(mention.kind)];
  if (mention.count > 1) return grammatical_case == kDative ? noun.dative_plural : noun.plural;
  if (mention.kind == Kind::heart && grammatical_case == kDative) return "Herzen";
  return noun.singular;
}

std::string noun_phrase(const Mention& mention, Case grammatical_case, bool definite = false) {
  const int column = mention.count > 1 ? 3 : kNouns[at(mention.kind)].gender;
  const std::string_view ending =
      (definite ? kEndingsAfterDefinite : kEndings)[grammatical_case][column];
  const auto adjective = [&](std::string_view stem) { return std::string(stem).append(ending); };
  std::string_view article;
  if (definite) {
    article = kDefinite[grammatical_case][column];
  } else if (mention.count == 1) {
    article = kIndefinite[grammatical_case][column];
  }
  return words({article, kNumbers[static_cast<std::size_t>(mention.count)],
                mention.size ? adjective(kSizeWords[at(*mention.size)]) : "",
                mention.color ? adjective(kColorWords[at(*mention.color)]) : "",
                noun_form(mention, grammatical_case)});
}

std::string list(const Plan& plan, Case grammatical_case) {
  return join(each(plan, [&](const Mention& m) { return noun_phrase(m, grammatical_case); }), ", ",
              " und ");
}

// The verb stands second, whatever comes first. "links von", "über" (where something is) and
// their opposites take the dative.
std::string relation(const Plan& plan, const std::string& place) {
  const Mention& first = plan.mentions[0];
  const std::string_view is = first.count == 1 ? "ist" : "sind";
  const std::string_view lies = first.count == 1 ? "befindet sich" : "befinden sich";
  const bool definite = plan.wording == 2;
  const std::string where =
      words({kRelationWords[at(*plan.relation)], noun_phrase(plan.mentions[1], kDative, definite)});
  const std::string subject = noun_phrase(first, kNominative, definite);
  const std::string plain =
      place.empty() ? words({subject, is, where}) : words({place, is, subject, where});
  std::string text =
      choose(plan, {plain, words({where, "sieht man", place, noun_phrase(first, kAccusative)}),
                    words({subject, lies, place, where})});
  if (plan.mentions.size() > 2) {
    text += ", und es gibt auch " + noun_phrase(plan.mentions[2], kAccusative);
  }
  return text;
}

}  // namespace

std::string write_german(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string front = place.empty() ? "auf dem Bild" : place;
  const std::string subjects = list(plan, kNominative);
  const std::string objects = list(plan, kAccusative);
  const std::string with = list(plan, kDative);
  switch (plan.pattern) {
    case Pattern::phrase:
      return sentence(choose(plan, {words({subjects, place}), words({"ein Bild mit", with, place}),
                                    words({"eine Zeichnung von", with, place})}));
    case Pattern::there:
      return sentence(
          choose(plan, {words({front, "sind", subjects}), words({front, "gibt es", objects}),
                        words({front, "sieht man", objects})}));
    case Pattern::shows:
      return sentence(choose(
          plan, {words({"das Bild zeigt", objects, place}), words({"man sieht", objects, place}),
                 words({"wir sehen", objects, place})}));
    case Pattern::relation:
      break;
  }
  return sentence(relation(plan, place));
}

}  // namespace hinny::drawn
