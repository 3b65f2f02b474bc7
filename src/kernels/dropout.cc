#include "kernels/dropout.h"

#include <algorithm>

#include "base/every_processor.h"
#include "base/random.h"
#include "base/threads.h"

namespace hinny {
namespace {

constexpr std::uint64_t kBlock = 1 << 14;  // places for one thread

// What a block's mask is made of.
struct Mask {
  std::uint32_t before, between;  // keys
  std::uint32_t least;            // draws below it are dropped
};

// The finaliser of MurmurHash3 in two halves: multiplications of 32 bits, which every processor's
// vectors have.
[[gnu::always_inline]] inline std::uint32_t draw(const Mask& mask, std::uint32_t place) {
  std::uint32_t x = place * 0x9E3779B1U + mask.before;
  x = (x ^ (x >> 16U)) * 0x85EBCA6BU;
  x = (x ^ (x >> 13U)) * 0xC2B2AE35U;
  x = (x ^ (x >> 16U)) + mask.between;
  x = (x ^ (x >> 16U)) * 0x85EBCA6BU;
  x = (x ^ (x >> 13U)) * 0xC2B2AE35U;
  return x ^ (x >> 16U);
}

template <typename T>
[[gnu::always_inline]] inline void drop_block(const Mask& mask, std::uint32_t first, const T* x,
                                              std::uint32_t count, T scale, T* out) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const T value = x[i] * scale;
    out[i] = draw(mask, first + i) >= mask.least ? value : T{0};
  }
}

}  // namespace

template <typename T>
void drop(const Dropout& dropout, std::uint64_t first, std::span<const T> x, T* out) {
  if (x.empty()) return;
  constexpr double kDraws = 4294967296.0;
  const auto least = static_cast<std::uint32_t>(std::min(dropout.share * kDraws, kDraws - 1));
  const auto scale = static_cast<T>(1 / (1 - dropout.share));
  const std::uint64_t begin = first / kBlock, end = (first + x.size() - 1) / kBlock + 1;
  parallel_blocks(end - begin, [&](std::size_t from, std::size_t to) {
    for (std::uint64_t block = begin + from; block < begin + to; ++block) {
      const std::uint64_t keys = mix_seed({dropout.seed, block});
      const Mask mask{static_cast<std::uint32_t>(keys), static_cast<std::uint32_t>(keys >> 32U),
                      least};
      const std::uint64_t low = std::max(first, block * kBlock);
      const std::uint64_t high = std::min(first + x.size(), (block + 1) * kBlock);
      on_this_processor<drop_block<T>>(
          mask, static_cast<std::uint32_t>(low - block * kBlock), x.data() + (low - first),
          static_cast<std::uint32_t>(high - low), scale, out + (low - first));
    }
  });
}

template void drop(const Dropout&, std::uint64_t, std::span<const float>, float*);
template void drop(const Dropout&, std::uint64_t, std::span<const double>, double*);

}  // namespace hinny
