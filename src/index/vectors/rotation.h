// A random rotation of vectors that costs as little as sorting them would: what a code of a few
// bits keeps of a vector is then the same share of every one, wherever its large numbers stand.
//
// Three times: numbers change places and signs at random, and each 64 that then stand beside each
// other are mixed by a Hadamard transform (as Ailon and Chazelle 2009; Andoni et al. 2015 take
// three). Lengths and products stay. Every step is an addition or a change of sign or of exponent,
// so the result is the same on every processor, to the last bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinny {

// Immutable; safe to share between threads.
class Rotation {
 public:
  static constexpr std::size_t kMixed = 64;  // numbers that are mixed at once

  // Of vectors of so many numbers: always the same one.
  explicit Rotation(std::size_t columns);

  // How many numbers a rotated vector has: `columns`, rounded up to a multiple of kMixed.
  static std::size_t size_of(std::size_t columns) {
    return (columns + kMixed - 1) / kMixed * kMixed;
  }
  std::size_t size() const { return size_; }
  // `row` [columns] into `out` [size()].
  void rotate(std::span<const float> row, std::span<float> out) const;

 private:
  struct Round {
    std::vector<std::uint32_t> from;  // of each place, where its number stood
    std::vector<float> signs;
  };
  std::size_t size_;
  std::array<Round, 3> rounds_;
};

}  // namespace hinny
