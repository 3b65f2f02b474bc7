#include "translation/chunks.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/interrupt.h"

namespace hinny {
namespace {

constexpr std::size_t kBeam = 100;
constexpr auto kNone = static_cast<std::size_t>(-1);

// What is left of one word's matches.
struct Word {
  std::vector<std::size_t> places;  // in the reference
  std::size_t ahead = 0;            // times in the hypothesis, from the word at work on
  std::size_t matches = 0;          // that the alignment must have
};

struct Partial {
  std::vector<bool> used;    // places of the reference
  std::size_t last = kNone;  // place of the hypothesis's last word
  std::int64_t chunks = 0;
};

struct Step {
  std::size_t from = 0;
  std::size_t place = kNone;  // kNone: no match for this word
  std::int64_t chunks = 0;
};

std::vector<Step> steps(const std::vector<Partial>& beam, const Word& word) {
  std::vector<Step> result;
  for (std::size_t from = 0; from < beam.size(); ++from) {
    const Partial& partial = beam[from];
    std::size_t matched = 0;
    std::size_t starts = 0;
    for (const std::size_t place : word.places) {
      if (partial.used[place]) {
        ++matched;
      } else if (partial.last != kNone && place == partial.last + 1) {
        result.push_back({from, place, partial.chunks});
      } else if (starts++ < kBeam) {  // no more of them could stay
        result.push_back({from, place, partial.chunks + 1});
      }
    }
    if (matched + word.ahead - 1 >= word.matches) {
      result.push_back({from, kNone, partial.chunks});
    }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Step& a, const Step& b) { return a.chunks < b.chunks; });
  return result;
}

// The same words of the reference are taken, and the same one last: what follows is the same too.
bool is_there(const std::vector<Partial>& beam, const Partial& partial) {
  return std::any_of(beam.begin(), beam.end(), [&](const Partial& other) {
    return other.last == partial.last && other.used == partial.used;
  });
}

std::vector<Partial> extend(const std::vector<Partial>& beam, const Word& word) {
  std::vector<Partial> result;
  for (const Step& step : steps(beam, word)) {
    if (result.size() == kBeam) break;
    Partial next{beam[step.from].used, step.place, step.chunks};
    if (step.place != kNone) next.used[step.place] = true;
    if (!is_there(result, next)) result.push_back(std::move(next));
  }
  return result;
}

}  // namespace

Alignment align(const std::vector<std::size_t>& hypothesis,
                const std::vector<std::size_t>& reference) {
  std::map<std::size_t, Word> words;
  for (const std::size_t word : hypothesis) ++words[word].ahead;
  for (std::size_t i = 0; i < reference.size(); ++i) words[reference[i]].places.push_back(i);
  Alignment alignment;
  for (auto& [number, word] : words) {
    word.matches = std::min(word.ahead, word.places.size());
    alignment.matches += static_cast<std::int64_t>(word.matches);
  }
  std::vector<Partial> beam(1);
  beam[0].used.resize(reference.size());
  for (const std::size_t number : hypothesis) {
    stop_if_interrupted();
    Word& word = words[number];
    beam = extend(beam, word);
    --word.ahead;
  }
  alignment.chunks = beam[0].chunks;
  return alignment;
}

}  // namespace hinny
