// Captions of different lengths laid out for recurrent nets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hinny {

// Captions sorted by falling length and laid time-major: step t holds the t-th word of every
// caption that has one, so nothing is computed for captions that have ended. They are dealt out to
// shards of about equal work; each shard is laid out by itself, end to end, so that one thread can
// run it from the first step to the last without waiting for others.
struct Packing {
  struct Shard {
    std::int64_t first_caption = 0;    // in `captions`
    std::int64_t captions = 0;         // those without words included
    std::vector<std::int64_t> starts;  // [steps + 1] packed row at which each step starts
    std::int64_t steps() const { return static_cast<std::int64_t>(starts.size()) - 1; }
    std::int64_t active(std::int64_t step) const {
      return starts[static_cast<std::size_t>(step) + 1] - starts[static_cast<std::size_t>(step)];
    }
    std::int64_t start(std::int64_t step) const { return starts[static_cast<std::size_t>(step)]; }
  };
  std::vector<Shard> shards;
  std::vector<std::int64_t> captions;  // [captions] the caption at each sorted place
  std::vector<std::int64_t> tokens;    // [tokens] position, captions end to end, of each packed row
};

// `lengths` >= 0. At most `shards` shards, fewer when there are few captions. With `backwards`
// the words of each caption come last first.
Packing pack(std::span<const std::int64_t> lengths, std::size_t shards, bool backwards = false);

}  // namespace hinny
