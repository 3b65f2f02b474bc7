// A language of the drawn set is one function from a plan to a sentence. Each lives in a file of
// its own, with its words in tables; this header holds what the languages share.
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/drawn/plan.h"

namespace hinny::drawn {

struct Language {
  std::string_view code;
  std::string (*write)(const Plan& plan);
};

// The ten languages, in the order in which captions are written.
std::span<const Language> languages();

std::string write_english(const Plan& plan);
std::string write_german(const Plan& plan);
std::string write_french(const Plan& plan);
std::string write_czech(const Plan& plan);
std::string write_chinese(const Plan& plan);
std::string write_japanese(const Plan& plan);
std::string write_arabic(const Plan& plan);
std::string write_afrikaans(const Plan& plan);
std::string write_korean(const Plan& plan);
std::string write_russian(const Plan& plan);

// For the grammars:

// The parts that are not empty, with single spaces between them.
std::string words(std::initializer_list<std::string_view> parts);
// "a, b and c" for separator ", " and last " and ".
std::string join(const std::vector<std::string>& items, std::string_view separator,
                 std::string_view last);
// First letter in upper case (the second word's after the Afrikaans article), full stop.
std::string sentence(std::string_view text);

// The wording that the plan asks for.
inline const std::string& choose(const Plan& plan, std::initializer_list<std::string> wordings) {
  return wordings.begin()[static_cast<std::size_t>(plan.wording)];
}

// One noun phrase per mention.
template <typename NounPhrase>
std::vector<std::string> each(const Plan& plan, const NounPhrase& noun_phrase) {
  std::vector<std::string> phrases;
  for (const Mention& mention : plan.mentions) phrases.push_back(noun_phrase(mention));
  return phrases;
}

// The background's entry in a table, or "" when the plan does not say it.
inline std::string background_words(const Plan& plan,
                                    const std::array<std::string_view, kBackgrounds>& table) {
  return plan.background ? std::string(table[at(*plan.background)]) : std::string();
}

}  // namespace hinny::drawn
