// Apart from dot_products.cc, so that what asks does not load BLAS.
#include <algorithm>
#include <vector>

#include "base/phases.h"
#include "base/threads.h"
#include "retrieval/dot_kernels.h"
#include "retrieval/dot_products.h"

namespace hinny {
namespace {

constexpr std::size_t kTile = 64;  // rows of each: of 512 numbers, a quarter of a megabyte
constexpr std::size_t kWorthThreads = 1U << 22U;  // products: less than a tenth of a millisecond

}  // namespace

void dot_products_alone(const float* a, std::size_t rows, const float* b, std::size_t columns,
                        std::size_t dim, float* out) {
  const InPhase phase(Phase::products);
  const std::size_t across = (columns + kTile - 1) / kTile;
  const auto tiles = [&](std::size_t begin, std::size_t end) {
    std::vector<float> products(across > 1 ? kTile * kTile : 0);
    for (std::size_t tile = begin; tile < end; ++tile) {
      const std::size_t row = tile / across * kTile, column = tile % across * kTile;
      const std::size_t down = std::min(kTile, rows - row);
      const std::size_t wide = std::min(kTile, columns - column);
      float* const place = across == 1 ? out + row * columns : products.data();
      dot_kernels().f32(b + column * dim, wide, dim, a + row * dim, down, place);
      if (across == 1) continue;
      for (std::size_t i = 0; i < down; ++i) {
        std::copy_n(products.data() + i * wide, wide, out + (row + i) * columns + column);
      }
    }
  };
  const std::size_t count = (rows + kTile - 1) / kTile * across;
  if (rows * columns * dim < kWorthThreads) {
    tiles(0, count);
  } else {
    parallel_blocks(count, tiles);
  }
}

}  // namespace hinny
