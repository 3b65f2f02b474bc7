#include "index/asking/near_copies.h"

#include <algorithm>
#include <iterator>
#include <mutex>

#include "base/threads.h"
#include "index/asking/near_pairs.h"
#include "retrieval/dot_kernels.h"

namespace hinny {

Originals::Originals(const Index& index, const std::string& space)
    : dim_(index.contents().dim), scan_(index.scan(space)), table_(index.vectors(space)) {}

void Originals::add(std::size_t image) {
  // Its own numbers: without what stands behind them of an index that knows hubs.
  std::vector<float> row(scan_.columns());
  std::copy_n(vector(image), dim_, row.begin());
  rows_.insert(rows_.end(), row.begin(), row.end());
  numbers_.resize(numbers_.size() + row.size());
  scales_.push_back(to_int8(row, std::span(numbers_).last(row.size())));
  images_.push_back(image);
}

const float* Originals::vector(std::size_t image) const { return table_.row(image); }

float Originals::cosine(std::size_t original, std::size_t image) const {
  float product = 0;
  dot_kernels().f32(vector(images_[original]), 1, dim_, vector(image), 1, &product);
  return product;
}

std::optional<std::size_t> Originals::original_of(std::size_t image, std::size_t first) const {
  for (std::size_t i = first; i < size(); ++i) {
    if (cosine(i, image) >= kNearCopies) return i;
  }
  return std::nullopt;
}

std::vector<NearCopy> Originals::copies_among(std::span<const std::size_t> images) const {
  if (size() == 0) return {};
  const Originals* const all = this;
  const NearPairs pairs({&all, 1});
  std::vector<std::uint32_t> first(images.size(), NearPairs::kNone);
  const auto some = [&](std::size_t begin, std::size_t end) {
    NearPairs::Memory memory;
    const std::size_t row = scan_.rows.columns;
    std::vector<std::int8_t> numbers(RowBlocks::kRows * row);
    std::vector<float> scales(RowBlocks::kRows);
    const auto* rows = reinterpret_cast<const std::int8_t*>(scan_.rows.data);
    for (; begin < end; begin += RowBlocks::kRows) {
      const std::size_t count = std::min(RowBlocks::kRows, end - begin);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t image = images[begin + i];
        std::copy_n(rows + image * row, row, &numbers[i * row]);
        scales[i] = scan_.rows.scales[image];
      }
      pairs.compare({count, &images[begin], numbers.data(), scales.data()}, memory);
      std::ranges::copy(memory.first, &first[begin]);
    }
  };
  constexpr std::size_t kWorthThreads = std::size_t{1} << 24;  // products: half a millisecond
  if (images.size() * size() * scan_.columns() < kWorthThreads) {
    some(0, images.size());
  } else {
    parallel_blocks(images.size(), some);
  }
  std::vector<NearCopy> copies;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (first[i] != NearPairs::kNone) copies.push_back({images[i], first[i]});
  }
  return copies;
}

std::vector<std::vector<NearCopy>> near_copies(std::span<const Originals* const> of,
                                               const RowMask* among) {
  std::vector<std::vector<NearCopy>> copies(of.size());
  std::size_t originals = 0;
  for (const Originals* some : of) originals += some->size();
  if (originals == 0) return copies;
  const NearPairs pairs(of);
  const RowBlocks blocks(of.front()->scan_.rows, among);
  std::mutex lock;
  blocks.in_parts(originals, [&](std::size_t begin, std::size_t end) {
    NearPairs::Memory memory;
    RowBlocks::Reader reader(blocks);
    std::vector<std::vector<NearCopy>> found(of.size());
    for (; begin < end; ++begin) {
      const RowBlocks::Block block = reader.read(begin);
      pairs.compare(block, memory);
      for (std::size_t i = 0; i < memory.first.size(); ++i) {
        if (memory.first[i] == NearPairs::kNone) continue;
        found[i / block.count].push_back({block.rows[i % block.count], memory.first[i]});
      }
    }
    const std::lock_guard guard(lock);
    for (std::size_t i = 0; i < of.size(); ++i)
      std::ranges::copy(found[i], std::back_inserter(copies[i]));
  });
  for (auto& some : copies) std::ranges::sort(some, {}, &NearCopy::image);
  return copies;
}

}  // namespace hinny
