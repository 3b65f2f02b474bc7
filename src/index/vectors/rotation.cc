#include "index/vectors/rotation.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace hinny {
namespace {

constexpr std::uint64_t kRotationSeed = 53;  // a part of the format: codes are read with it

// The Walsh-Hadamard transform of kMixed numbers, which keeps their length.
void mix(float* numbers) {
  for (std::size_t half = 1; half < Rotation::kMixed; half *= 2) {
    for (std::size_t first = 0; first < Rotation::kMixed; first += 2 * half) {
      for (std::size_t i = first; i < first + half; ++i) {
        const float a = numbers[i];
        const float b = numbers[i + half];
        numbers[i] = a + b;
        numbers[i + half] = a - b;
      }
    }
  }
  constexpr float kKeepsLength = 0.125F;  // one through the root of kMixed
  for (std::size_t i = 0; i < Rotation::kMixed; ++i) numbers[i] *= kKeepsLength;
}

}  // namespace

Rotation::Rotation(std::size_t columns) : size_(size_of(columns)) {
  Random random(mix_seed({kRotationSeed, size_}));
  for (Round& round : rounds_) {
    round.from.resize(size_);
    std::iota(round.from.begin(), round.from.end(), std::uint32_t{0});
    random.shuffle(std::span(round.from));
    for (std::size_t i = 0; i < size_; ++i) round.signs.push_back(random.below(2) == 0 ? 1 : -1);
  }
}

void Rotation::rotate(std::span<const float> row, std::span<float> out) const {
  std::vector<float> before(size_);
  std::ranges::copy(row, before.begin());
  for (const Round& round : rounds_) {
    for (std::size_t i = 0; i < size_; ++i) out[i] = round.signs[i] * before[round.from[i]];
    for (std::size_t i = 0; i < size_; i += kMixed) mix(&out[i]);
    std::ranges::copy(out.first(size_), before.begin());
  }
}

}  // namespace hinny
