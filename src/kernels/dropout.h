// Dropout whose mask is computed from a number's place instead of being drawn one after the other
// and kept: vectors and threads of it, and nothing to remember for the way back.
#pragma once

#include <cstdint>
#include <span>

namespace hinny {

struct Dropout {
  double share = 0;        // of numbers that become 0, in [0, 1)
  std::uint64_t seed = 0;  // another one, another mask
};

// out[i] = x[i] / (1 - share), or 0: what becomes of the number at place `first` + i of a mask that
// has no end. `out` may be x.data(). All threads work on it; the result does not depend on them.
template <typename T>
void drop(const Dropout& dropout, std::uint64_t first, std::span<const T> x, T* out);

}  // namespace hinny
