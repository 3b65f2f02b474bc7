// Which of many images are near copies of which originals: the comparison of all with all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/asking/near_copies.h"
#include "index/vectors/row_blocks.h"
#include "index/vectors/score_bounds.h"

namespace hinny {

// Of two vectors with the first parts o1 and x1 and the rests o2 and x2, the product is at most
// o1.x1 + |o2||x2|. For pictures that have nothing in common that is below kNearCopies as soon as
// the first part is a quarter of the numbers, so the rest need not be multiplied. That is so in
// int8; codes are compared whole.
class NearPairs {
 public:
  // They must outlive it, and are of one space of one index.
  explicit NearPairs(std::span<const Originals* const> of);

  struct Memory {  // of one thread
    std::vector<std::int8_t> starts;
    std::vector<float> rests, inverses, most;
    std::vector<std::int32_t> sums, whole;
    std::vector<std::uint32_t> first;
  };
  // For a block of RowBlocks::kRows rows at most: first[group * block.count + r] is the place of
  // the first original of a group that row r is a near copy of, or kNone.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kTogether = 64;  // originals: their products stay in a cache
  void compare(const RowBlocks::Block& block, Memory& memory) const;

 private:
  struct Original {
    std::size_t group;
    std::uint32_t place;
    const std::int8_t* numbers;
    float scale;
    float rest;  // |o2|
    // Twice what rounding may hide: product >= kNearCopies only if, of the numbers in int8,
    // their product x scale >= least - off x (the other's scale).
    float least, off;
  };
  void compare_codes(const RowBlocks::Block& block, Memory& memory) const;
  void start(const RowBlocks::Block& block, Memory& memory) const;
  void look_at(const RowBlocks::Block& block, const Original& one,
               std::span<const std::int32_t> sums, std::size_t open, Memory& memory) const;

  std::span<const Originals* const> of_;
  std::size_t columns_, dim_, start_;  // start_: how many numbers the first part has
  std::vector<Original> originals_;
  std::vector<std::int8_t> starts_;  // [originals, start_]
  std::vector<ScoreBounds> bounds_;  // of codes: of kTogether originals each
};

}  // namespace hinny
