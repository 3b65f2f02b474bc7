// METEOR's alignment of two sentences: word by word, in as few chunks as possible.
#pragma once

#include <cstdint>
#include <vector>

namespace hinny {

struct Alignment {
  std::int64_t matches = 0;
  std::int64_t chunks = 0;
};

// Words are numbers that match where they are equal, each one word at most. The alignment has the
// most matches there can be and, among those, the fewest chunks that a beam of 100 alignments,
// extended from left to right, finds: all but always the fewest there are. Chunks are runs of
// matches that are neighbours in both sentences. The time grows with the square of a word's
// repetitions; Interrupted leaves it on Ctrl-C. Safe to call from several threads.
Alignment align(const std::vector<std::size_t>& hypothesis,
                const std::vector<std::size_t>& reference);

}  // namespace hinny
