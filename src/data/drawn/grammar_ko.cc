#include <unicode/unistr.h>

#include "data/drawn/grammar.h"
#include "text/utf16.h"

namespace hinny::drawn {
namespace {

struct Noun {
  std::string_view word, counter;
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {"공", "개"},
    {"상자", "개"},
    {"삼각형", "개"},
    {"별", "개"},
    {"하트", "개"},
    {"집", "채"},
    {"나무", "그루"},
    {"자동차", "대"},
    {"물고기", "마리"},
    {"배", "척"},
    {"꽃", "송이"},
    {"컵", "개"},
    {"새", "마리"},
    {"사과", "개"},
    {"열쇠", "개"},
    {"우산", "개"},
}};
constexpr std::array<std::string_view, kColors> kColorWords = {"빨간", "파란", "초록색", "노란",
                                                               "검은", "하얀", "보라색", "주황색"};
constexpr std::array<std::string_view, kSizes> kSizeWords = {"작은", "중간 크기의", "큰"};
constexpr std::array<std::string_view, kMostCount + 1> kNumbers = {"",   "",   "두",
                                                                   "세", "네", "다섯"};
constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "하늘", "풀밭", "모래 위", "밤하늘", "눈 위", "물 위", "벽 앞", "방 안"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {"왼쪽", "오른쪽", "위",
                                                                     "아래"};

// True when the last syllable ends in a consonant: Hangul syllables are coded as
// 0xAC00 + (initial * 21 + vowel) * 28 + final, where final 0 is none.
bool ends_in_consonant(std::string_view text) {
  const icu::UnicodeString letters = to_utf16(text);
  const char16_t syllable = letters[letters.length() - 1];
  return (syllable - 0xAC00) % 28 != 0;
}

std::string particle(const std::string& text, std::string_view after_consonant,
                     std::string_view after_vowel) {
  return text + std::string(ends_in_consonant(text) ? after_consonant : after_vowel);
}
std::string subject(const std::string& text) { return particle(text, "이", "가"); }
std::string topic(const std::string& text) { return particle(text, "은", "는"); }
std::string object(const std::string& text) { return particle(text, "을", "를"); }

// Size, colour, noun, number with counter: 작은 파란 물고기 두 마리.
std::string noun_phrase(const Mention& mention) {
  const Noun& noun = kNouns[at(mention.kind)];
  return words({mention.size ? kSizeWords[at(*mention.size)] : "",
                mention.color ? kColorWords[at(*mention.color)] : "", noun.word,
                kNumbers[static_cast<std::size_t>(mention.count)],
                mention.count > 1 ? noun.counter : ""});
}

// "A, B와 C": the conjunction hangs on the last but one.
std::string list(const Plan& plan) {
  auto phrases = each(plan, noun_phrase);
  std::string& last_but_one = phrases[phrases.size() - 2];
  last_but_one = particle(last_but_one, "과", "와");
  return join(phrases, ", ", " ");
}

std::string relation(const Plan& plan, const std::string& place) {
  const std::string first = noun_phrase(plan.mentions[0]);
  const std::string side =
      noun_phrase(plan.mentions[1]) + " " + std::string(kRelationWords[at(*plan.relation)]) + "에";
  const std::string there = place.empty() ? "" : place + "에 있는";
  const std::string front = place.empty() ? "" : place + "에는";
  const bool more = plan.mentions.size() > 2;
  const std::string_view is = more ? "있고," : "있습니다";
  std::string text = choose(
      plan, {words({there, topic(first), side, is}), words({front, side, subject(first), is}),
             words({"그림에서", there, topic(first), side, is})});
  if (more) text = words({text, noun_phrase(plan.mentions[2]) + "도", "있습니다"});
  return text;
}

}  // namespace

std::string write_korean(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string of_place = place.empty() ? "" : place + "의";
  const std::string at_place = place.empty() ? "" : place + "에";
  const std::string there = place.empty() ? "" : place + "에 있는";
  const std::string front = place.empty() ? "그림에" : place + "에";
  const std::string all = list(plan);
  switch (plan.pattern) {
    case Pattern::phrase:
      return sentence(
          choose(plan, {words({of_place, all}), words({at_place, subject(all), "있는 그림"}),
                        words({at_place, subject(all), "그려진 그림"})}));
    case Pattern::there:
      return sentence(choose(
          plan, {words({front, subject(all), "있습니다"}), words({front, subject(all), "보입니다"}),
                 words({front + "는", subject(all), "있습니다"})}));
    case Pattern::shows:
      return sentence(choose(plan, {words({"이 그림은", there, object(all), "보여 줍니다"}),
                                    words({"이 그림에는", there, subject(all), "있습니다"}),
                                    words({"그림에서", there, object(all), "볼 수 있습니다"})}));
    case Pattern::relation:
      break;
  }
  return sentence(relation(plan, place));
}

}  // namespace hinny::drawn
