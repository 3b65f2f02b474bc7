// What a sentence says beside the picture: "dogs at the lake last summer, taken with the Nikon".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/day.h"

namespace hinny {

// One thing that was heard.
struct Heard {
  std::string text;                // as it stands in the sentence
  std::optional<Period> taken{};   // when
  std::string town{};              // as the sentence has it: "lissabon"
  std::string camera{}, folder{};  // words of a camera's name; a folder as the index has it
};

struct HeardSentence {
  std::string rest;  // without what was heard; the sentence itself where nothing else is in it
  std::vector<Heard> heard;
};

// What a sentence is compared with. Nothing of it is written to.
struct Surroundings {
  // Seconds on the clock of the pictures (base/day.h); without it no time is heard.
  std::optional<std::int64_t> now{};
  // Names; each is asked for where the sentence may speak of one.
  std::function<std::vector<std::string>()> cameras{}, folders{};
  // Whether a town is called so, by words of at most so many (folder_facts.h).
  std::function<bool(std::string_view words)> is_town{};
  std::size_t longest_town = 0;
  // Whether the sentence may be in this language: "hier" is yesterday in French and here in German.
  // Without it in any.
  std::function<bool(std::string_view language)> speaks{};
  // Whether it is a word that the model reads: "apple" is one, and no camera unless the sentence
  // says that it took the picture.
  std::function<bool(std::string_view)> is_word{};
};

// Hears what is plain: a year, a month or a season with its year, "last summer", "yesterday", a
// month after a word such as "in"; a camera of these after "with" or "taken with"; a folder of
// these after "folder"; a town of these after a word such as "in", where the model reads its name
// as nothing else or it has a capital letter. In English, German, French, Portuguese, Spanish,
// Czech and Arabic, and times of Chinese (spoken_words.h). "Last summer" is the one before that
// which is not over; a month without a year is its last one that has begun. Each kind once.
HeardSentence hear(std::string_view sentence, const Surroundings& around);

}  // namespace hinny
