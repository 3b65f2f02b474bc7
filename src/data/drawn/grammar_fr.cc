#include "data/drawn/grammar.h"

namespace hinny::drawn {
namespace {

struct Noun {
  bool feminine;
  std::string_view singular, plural;
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {false, "ballon", "ballons"},
    {true, "boîte", "boîtes"},
    {false, "triangle", "triangles"},
    {true, "étoile", "étoiles"},
    {false, "cœur", "cœurs"},
    {true, "maison", "maisons"},
    {false, "arbre", "arbres"},
    {true, "voiture", "voitures"},
    {false, "poisson", "poissons"},
    {false, "bateau", "bateaux"},
    {true, "fleur", "fleurs"},
    {true, "tasse", "tasses"},
    {false, "oiseau", "oiseaux"},
    {true, "pomme", "pommes"},
    {true, "clé", "clés"},
    {false, "parapluie", "parapluies"},
}};

struct Adjective {
  std::string_view masculine, feminine;
  bool varies = true;  // colours named after things do not
};
constexpr std::array<Adjective, kColors> kColorWords = {{{"rouge", "rouge"},
                                                         {"bleu", "bleue"},
                                                         {"vert", "verte"},
                                                         {"jaune", "jaune"},
                                                         {"noir", "noire"},
                                                         {"blanc", "blanche"},
                                                         {"violet", "violette"},
                                                         {"orange", "orange", false}}};
constexpr Adjective kSmall = {"petit", "petite"};
constexpr Adjective kLarge = {"grand", "grande"};
constexpr std::array<std::string_view, kMostCount + 1> kNumbers = {"",      "",       "deux",
                                                                   "trois", "quatre", "cinq"};
constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "dans le ciel",  "dans un pré", "sur le sable",  "en pleine nuit",
    "dans la neige", "sur l'eau",   "devant un mur", "dans une pièce"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {"à gauche", "à droite",
                                                                     "au-dessus", "au-dessous"};

bool starts_with_vowel(std::string_view word) {
  for (const std::string_view vowel : {"a", "e", "i", "o", "u", "é"}) {
    if (word.starts_with(vowel)) return true;
  }
  return false;
}

std::string agree(const Adjective& adjective, const Mention& mention) {
  const bool feminine = kNouns[at(mention.kind)].feminine;
  std::string form(feminine ? adjective.feminine : adjective.masculine);
  if (mention.count > 1 && adjective.varies) form += 's';
  return form;
}

// Without article or number: "petit ballon rouge".
std::string bare(const Mention& mention) {
  const Noun& noun = kNouns[at(mention.kind)];
  std::string before;
  std::string_view after;
  if (mention.size == Size::small) before = agree(kSmall, mention);
  if (mention.size == Size::large) before = agree(kLarge, mention);
  if (mention.size == Size::medium) after = "de taille moyenne";
  return words({before, mention.count == 1 ? noun.singular : noun.plural,
                mention.color ? agree(kColorWords[at(*mention.color)], mention) : "", after});
}

std::string indefinite(const Mention& mention) {
  if (mention.count > 1)
    return words({kNumbers[static_cast<std::size_t>(mention.count)], bare(mention)});
  return words({kNouns[at(mention.kind)].feminine ? "une" : "un", bare(mention)});
}

std::string definite(const Mention& mention) {
  const std::string rest = bare(mention);
  if (mention.count > 1) {
    return words({"les", kNumbers[static_cast<std::size_t>(mention.count)], rest});
  }
  if (starts_with_vowel(rest)) return "l'" + rest;
  return words({kNouns[at(mention.kind)].feminine ? "la" : "le", rest});
}

// "de" before a noun phrase: d'un, du, des.
std::string of(const std::string& phrase) {
  if (phrase.starts_with("le ")) return "du " + phrase.substr(3);
  if (phrase.starts_with("les ")) return "des " + phrase.substr(4);
  return starts_with_vowel(phrase) ? "d'" + phrase : "de " + phrase;
}

std::string relation(const Plan& plan, const std::string& place) {
  const Mention& first = plan.mentions[0];
  const Mention& second = plan.mentions[1];
  const auto where = [&](const std::string& phrase) {
    return words({kRelationWords[at(*plan.relation)], of(phrase)});
  };
  const bool one = first.count == 1;
  std::string text = choose(
      plan, {words({indefinite(first), one ? "se trouve" : "se trouvent", where(indefinite(second)),
                    place}),
             words({where(definite(second)) + ",", "il y a", indefinite(first), place}),
             words({definite(first), one ? "est" : "sont", where(definite(second)), place})});
  if (plan.mentions.size() > 2) text += ", et il y a aussi " + indefinite(plan.mentions[2]);
  return text;
}

}  // namespace

std::string write_french(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string front = place.empty() ? "sur l'image," : place + ",";
  const std::string list = join(each(plan, indefinite), ", ", " et ");
  const auto of_each = [](const Mention& mention) { return of(indefinite(mention)); };
  switch (plan.pattern) {
    case Pattern::phrase:
      return sentence(
          choose(plan, {words({list, place}), words({"une image avec", list, place}),
                        words({"un dessin", join(each(plan, of_each), ", ", " et "), place})}));
    case Pattern::there:
      return sentence(choose(plan, {words({"il y a", list, place}), words({front, "il y a", list}),
                                    words({front, "on voit", list})}));
    case Pattern::shows:
      return sentence(
          choose(plan, {words({"l'image montre", list, place}), words({"on voit", list, place}),
                        words({"on peut voir", list, place})}));
    case Pattern::relation:
      break;
  }
  return sentence(relation(plan, place));
}

}  // namespace hinny::drawn
