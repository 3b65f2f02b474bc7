#include "data/drawn/grammar.h"

namespace hinny::drawn {
namespace {

struct Noun {
  std::string_view singular, plural;
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {"ball", "balls"},
    {"box", "boxes"},
    {"triangle", "triangles"},
    {"star", "stars"},
    {"heart", "hearts"},
    {"house", "houses"},
    {"tree", "trees"},
    {"car", "cars"},
    {"fish", "fish"},
    {"boat", "boats"},
    {"flower", "flowers"},
    {"cup", "cups"},
    {"bird", "birds"},
    {"apple", "apples"},
    {"key", "keys"},
    {"umbrella", "umbrellas"},
}};
constexpr std::array<std::string_view, kColors> kColorWords = {
    "red", "blue", "green", "yellow", "black", "white", "purple", "orange"};
constexpr std::array<std::string_view, kSizes> kSizeWords = {"small", "medium-sized", "large"};
constexpr std::array<std::string_view, kMostCount + 1> kNumbers = {"",      "",     "two",
                                                                   "three", "four", "five"};
constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "in the sky",  "in a meadow",  "on the sand",        "at night",
    "in the snow", "on the water", "in front of a wall", "in a room"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {
    "to the left of", "to the right of", "above", "below"};

std::string_view verb(const Mention& mention) { return mention.count == 1 ? "is" : "are"; }

std::string noun_phrase(const Mention& mention, bool definite) {
  const Noun& noun = kNouns[at(mention.kind)];
  const std::string rest = words({mention.size ? kSizeWords[at(*mention.size)] : "",
                                  mention.color ? kColorWords[at(*mention.color)] : "",
                                  mention.count == 1 ? noun.singular : noun.plural});
  const auto number = kNumbers[static_cast<std::size_t>(mention.count)];
  if (definite) return words({"the", number, rest});
  if (mention.count > 1) return words({number, rest});
  const bool vowel = std::string_view("aeiou").find(rest[0]) != std::string_view::npos;
  return words({vowel ? "an" : "a", rest});
}

std::string a(const Mention& mention) { return noun_phrase(mention, false); }

std::string relation(const Plan& plan, const std::string& place) {
  const bool definite = plan.wording == 2;
  const Mention& first = plan.mentions[0];
  std::string text =
      words({noun_phrase(first, definite), verb(first), kRelationWords[at(*plan.relation)],
             noun_phrase(plan.mentions[1], definite)});
  if (plan.wording == 1 && !place.empty()) {
    text = place + ", " + text;
  } else {
    text = words({text, place});
  }
  if (plan.mentions.size() > 2) {
    text += words({", and there", verb(plan.mentions[2]), "also", a(plan.mentions[2])});
  }
  return text;
}

}  // namespace

std::string write_english(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string front = place.empty() ? "" : place + ",";
  const std::string list = join(each(plan, a), ", ", " and ");
  const std::string_view is = verb(plan.mentions[0]);
  switch (plan.pattern) {
    case Pattern::phrase:
      return sentence(choose(plan, {words({list, place}), words({"a picture of", list, place}),
                                    words({"a drawing of", list, place})}));
    case Pattern::there:
      return sentence(
          choose(plan, {words({"there", is, list, place}), words({front, "there", is, list}),
                        words({front, "we can see", list})}));
    case Pattern::shows:
      return sentence(choose(plan, {words({"the picture shows", list, place}),
                                    words({"this is a picture with", list, place}),
                                    words({"you can see", list, place})}));
    case Pattern::relation:
      break;
  }
  return sentence(relation(plan, place));
}

}  // namespace hinny::drawn
