#include "index/asking/near_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/every_processor.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kRegister = 64;   // bytes: the kernels' widest
constexpr float kPairRounding = 1e-4F;  // of what is computed in float here

float length(const std::int8_t* numbers, std::size_t count) {
  std::int32_t squares = 0;
  dot_kernels().i8(numbers, 1, count, numbers, 1, &squares);
  return std::sqrt(static_cast<float>(squares));
}

// How many of these rows may be near copies of an original: mostly none.
[[gnu::always_inline]] inline int open_rows(const std::int32_t* sums, const float* rests,
                                            const float* inverses, std::size_t count, float rest,
                                            float off, float least) {
  int open = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const float most = static_cast<float>(sums[r]) + rest * rests[r] + off;
    open += most >= least * inverses[r] ? 1 : 0;
  }
  return open;
}

}  // namespace

NearPairs::NearPairs(std::span<const Originals* const> of) : of_(of) {
  const Originals& some = *of.front();
  columns_ = some.scan_.columns();
  dim_ = some.dim_;
  start_ = (dim_ / 4 + kRegister - 1) / kRegister * kRegister;
  if (2 * start_ > dim_) start_ = dim_;
  const float half = 0.5F * std::sqrt(static_cast<float>(columns_));
  for (std::size_t group = 0; group < of.size(); ++group) {
    for (std::size_t i = 0; i < of[group]->size(); ++i) {
      const std::int8_t* numbers = &of[group]->numbers_[i * columns_];
      const float scale = of[group]->scales_[i];
      // Each number of a row is rounded by half of its scale at most, and the vectors are of
      // length 1.
      originals_.push_back({group, static_cast<std::uint32_t>(i), numbers, scale,
                            length(numbers + start_, dim_ - start_),
                            kNearCopies - half * scale - kPairRounding, half * (1 + half * scale)});
      starts_.insert(starts_.end(), numbers, numbers + start_);
    }
  }
  if (!some.scan_.space) return;
  std::vector<float> rows;
  for (const Originals* group : of)
    rows.insert(rows.end(), group->rows_.begin(), group->rows_.end());
  const auto all = std::span<const float>(rows);
  for (std::size_t at = 0; at < all.size(); at += kTogether * columns_) {
    bounds_.emplace_back(some.scan_,
                         all.subspan(at, std::min(kTogether * columns_, all.size() - at)));
  }
}

void NearPairs::compare_codes(const RowBlocks::Block& block, Memory& memory) const {
  memory.first.assign(of_.size() * block.count, kNone);
  for (std::size_t i = 0; i < originals_.size(); ++i) {
    if (i % kTogether == 0) bounds_[i / kTogether].at_most(block, memory.most);
    const Original& one = originals_[i];
    const float* most = &memory.most[i % kTogether * block.count];
    for (std::size_t r = 0; r < block.count; ++r) {
      std::uint32_t& first = memory.first[one.group * block.count + r];
      if (first != kNone || !(most[r] >= kNearCopies)) continue;
      if (of_[one.group]->cosine(one.place, block.rows[r]) >= kNearCopies) first = one.place;
    }
  }
}

void NearPairs::start(const RowBlocks::Block& block, Memory& memory) const {
  memory.first.assign(of_.size() * block.count, kNone);
  memory.starts.resize(block.count * start_);
  memory.rests.resize(block.count);
  memory.inverses.resize(block.count);
  memory.sums.resize(block.count * kTogether);
  for (std::size_t r = 0; r < block.count; ++r) {
    const std::int8_t* row = block.numbers + r * columns_;
    std::memcpy(&memory.starts[r * start_], row, start_);
    memory.rests[r] = length(row + start_, dim_ - start_);
    memory.inverses[r] = 1 / block.scales[r];
  }
}

void NearPairs::compare(const RowBlocks::Block& block, Memory& memory) const {
  if (!bounds_.empty()) return compare_codes(block, memory);
  start(block, memory);
  for (std::size_t at = 0; at < originals_.size(); at += kTogether) {
    const std::size_t count = std::min(kTogether, originals_.size() - at);
    dot_kernels().i8(memory.starts.data(), block.count, start_, &starts_[at * start_], count,
                     memory.sums.data());
    for (std::size_t i = 0; i < count; ++i) {
      const Original& one = originals_[at + i];
      const std::span sums(&memory.sums[i * block.count], block.count);
      const int open = on_this_processor<open_rows>(
          static_cast<const std::int32_t*>(sums.data()),
          static_cast<const float*>(memory.rests.data()),
          static_cast<const float*>(memory.inverses.data()), block.count, one.rest,
          one.off / one.scale, one.least / one.scale);
      if (open > 0) look_at(block, one, sums, static_cast<std::size_t>(open), memory);
    }
  }
}

// Row by row, or where many are open, all at once.
void NearPairs::look_at(const RowBlocks::Block& block, const Original& one,
                        std::span<const std::int32_t> sums, std::size_t open,
                        Memory& memory) const {
  constexpr std::size_t kFew = 8;
  const bool at_once = start_ < dim_ && open * kFew > block.count;
  if (at_once) {
    memory.whole.resize(block.count);
    dot_kernels().i8(block.numbers, block.count, columns_, one.numbers, 1, memory.whole.data());
  }
  const Originals& group = *of_[one.group];
  for (std::size_t r = 0; r < block.count; ++r) {
    std::uint32_t& first = memory.first[one.group * block.count + r];
    if (first != kNone) continue;
    const float most = static_cast<float>(sums[r]) + one.rest * memory.rests[r];
    const float scale = one.scale * block.scales[r];
    const float least = one.least - one.off * block.scales[r];
    if (!(most * scale >= least)) continue;
    if (start_ < dim_) {
      std::int32_t sum = 0;
      if (at_once) {
        sum = memory.whole[r];
      } else {
        dot_kernels().i8(block.numbers + r * columns_, 1, columns_, one.numbers, 1, &sum);
      }
      if (!(static_cast<float>(sum) * scale >= least)) continue;
    }
    if (group.cosine(one.place, block.rows[r]) >= kNearCopies) first = one.place;
  }
}

}  // namespace hinny
