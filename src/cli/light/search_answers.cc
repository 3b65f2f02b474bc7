#include "cli/light/search_answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "base/path_text.h"
#include "base/terminal_text.h"
#include "index/asking/found_json.h"
#include "index/tree/film_frames.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

// "walks/lake.mp4 at 0:42" of a frame.
std::string file_text(const Found& found) {
  const auto at = frame_moment(found.image, found.file);
  return at ? fmt::format("{} at {}", found.file, clock_text(*at)) : found.file;
}

ordered_json result_json(const Found& found) {
  ordered_json json = {{"image", found.image}, {"file", path_text(found.file)}};
  if (!found.below.empty()) json["relative_file"] = path_text(found.below);
  put_facts(found, json);
  for (const Found& copy : found.copies) json["copies"].push_back(result_json(copy));
  if (found.explanation) json["explanation"] = as_json(*found.explanation);
  return json;
}

// "  dog 41% (region 6)  ball 30% (region 10)  ...": the words in order, and where each looked.
void print_explanation(const Explanation& explanation) {
  for (const Explanation::Word& word : explanation.words) {
    print_line(stdout, "  {} {:.0f}%", word.text.empty() ? "-" : word.text, 100 * word.share);
    if (word.regions.empty()) continue;
    const auto best = std::ranges::max_element(word.regions) - word.regions.begin();
    print_line(stdout, " (region {})", best + 1);
  }
  const auto best = std::ranges::max_element(explanation.regions);
  print_line(stdout, "\n");
  print_line(stdout, "  region {} carried most, {:.0f}%\n", best - explanation.regions.begin() + 1,
             100 * *best);
}

}  // namespace

void tell_how_understood(const Answer& answer, const AskedFields& asked) {
  for (const Heard& heard : answer.heard) {
    const std::string what =
        heard.taken
            ? fmt::format("taken from {} to {}", first_day(*heard.taken), last_day(*heard.taken))
        : !heard.town.empty()   ? fmt::format("of '{}'", heard.town)
        : !heard.camera.empty() ? fmt::format("by a camera '{}'", heard.camera)
                                : fmt::format("in '{}'", heard.folder);
    print_line(stderr, "only pictures {} ('{}'; --literal reads it as it is)\n", what, heard.text);
  }
  for (const Understood& text : answer.texts) {
    const std::string about = answer.texts.size() > 1 || asked.sentences.size() > 1
                                  ? fmt::format("'{}': ", text.text)
                                  : "";
    if (asked.language.empty()) {
      print_line(stderr, "{}language {}{}\n", about, text.language,
                 text.equals.empty() ? std::string()
                                     : fmt::format(", or as well {} (--lang chooses)",
                                                   fmt::join(text.equals, ", ")));
    }
    if (asked.translate) print_line(stderr, "{}: {}\n", text.language, text.text);
    if (!text.unknown_words.empty()) {
      print_line(stderr, "{}unknown to the model: {}\n", about,
                 fmt::join(text.unknown_words, ", "));
    }
    for (const EncodedText::Guess& guess : text.guessed_words) {
      print_line(stderr, "{}unknown to the model: {}, read as the most similar words: {}\n", about,
                 guess.word, fmt::join(guess.like, ", "));
    }
  }
}

void print_answers(std::span<const Answer> all, const AskedFields& asked) {
  for (const Answer& one : all) {
    if (all.size() > 1) print_line(stdout, "{}:\n", one.sentence);
    for (const Found& found : one.found) {
      const std::string taken = asked.sort == "time" ? found.taken + "  " : "";
      print_line(stdout, "{:7.4f}  {}{}  {}\n", found.score, taken, found.image, file_text(found));
      for (const Found& copy : found.copies) {
        print_line(stdout, "   copy  {}  {}\n", copy.image, file_text(copy));
      }
      if (found.explanation) print_explanation(*found.explanation);
    }
  }
}

void tell_poor_fit(std::span<const Answer> all) {
  constexpr double kPoor = 0.3;  // docs/fit.md
  for (const Answer& one : all) {
    if (one.found.empty() || !one.found.front().fit) continue;
    const auto best = std::ranges::max_element(one.found, {}, &Found::fit);
    if (*best->fit >= kPoor) continue;
    const std::string about = all.size() > 1 ? one.sentence + ": " : "";
    print_line(stderr, "{}nothing fits well: the best with a chance of {:.0f} %\n", about,
               100 * *best->fit);
  }
}

void tell_why_empty(std::span<const Answer> all, const std::string& nothing_left) {
  for (const Answer& one : all) {
    if (!one.found.empty()) continue;
    const std::string about = all.size() > 1 ? one.sentence + ": " : "";
    print_line(stderr, "{}{}\n", about,
               nothing_left.empty() ? "no picture scores or fits that well" : nothing_left);
  }
}

ordered_json answer_json(const Answer& answer) {
  ordered_json json = {{"query", answer.sentence}};
  if (!answer.sentence.empty()) json["language"] = answer.texts.front().language;
  if (!answer.heard.empty()) json["heard"] = heard_json(answer);
  json["results"] = ordered_json::array();
  for (const Found& found : answer.found) json["results"].push_back(result_json(found));
  return json;
}

}  // namespace hinny
