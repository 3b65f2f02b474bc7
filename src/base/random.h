// Random numbers that are the same on every platform: std distributions are not.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace hinny {

// One 64-bit seed from several numbers (seed, epoch, step): equal inputs, equal seed.
std::uint64_t mix_seed(std::initializer_list<std::uint64_t> parts);

// xoshiro256** (Blackman and Vigna 2018). Cheap to make: derive one per use with mix_seed, so
// that nothing needs its state saved.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t next();
  // Uniform in [0, bound); bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1).
  double uniform();
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // Normal with mean 0 and variance 1.
  double normal();

  template <typename T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }
  template <typename Container>
  const auto& pick(const Container& items) {
    return items[below(std::size(items))];
  }

 private:
  std::uint64_t state_[4];
};

}  // namespace hinny
