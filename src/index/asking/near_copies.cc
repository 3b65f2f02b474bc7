#include "index/asking/near_copies.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numeric>

#include "base/threads.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kBlock = 256;  // images that are compared together
constexpr float kRounding = 1e-4F;   // a search adds up in another order
constexpr float kLeast = kNearCopies - kRounding;

// The product of two vectors of length 1 differs by so much at most from that of their numbers in
// int8: each number by half of its row's scale.
float most_off(std::size_t columns, float one, float other) {
  const float half = 0.5F * std::sqrt(static_cast<float>(columns));
  return half * one + half * other * (1 + half * one) + kRounding;
}

const std::int8_t* row_of(const Matrix& scan, std::size_t row) {
  return reinterpret_cast<const std::int8_t*>(scan.data) + row * scan.columns;
}

}  // namespace

Originals::Originals(const Index& index, std::string space)
    : index_(index), space_(std::move(space)), scan_(index.scan(space_)) {}

void Originals::add(std::size_t image) {
  // Its own numbers: without what stands behind them of an index that knows hubs.
  std::vector<float> row(scan_.columns);
  std::ranges::copy(index_.vector_view(image, space_), row.begin());
  numbers_.resize(numbers_.size() + row.size());
  scales_.push_back(to_int8(row, std::span(numbers_).last(row.size())));
  images_.push_back(image);
}

float Originals::cosine(std::size_t original, std::size_t image) const {
  const auto one = index_.vector_view(images_[original], space_);
  const auto other = index_.vector_view(image, space_);
  float product = 0;
  dot_kernels().f32(one.data(), 1, one.size(), other.data(), 1, &product);
  return product;
}

std::optional<std::size_t> Originals::original_of(std::size_t image) const {
  if (size() == 0) return std::nullopt;
  std::vector<std::int32_t> sums(size());
  dot_kernels().i8(numbers_.data(), size(), scan_.columns, row_of(scan_, image), 1, sums.data());
  const float scale = scan_.scales[image];
  for (std::size_t i = 0; i < size(); ++i) {
    const float about = static_cast<float>(sums[i]) * scale * scales_[i];
    if (about < kNearCopies - most_off(scan_.columns, scale, scales_[i])) continue;
    if (cosine(i, image) >= kNearCopies) return i;
  }
  return std::nullopt;
}

// A part of the collection, block by block.
class Originals::Pass {
 public:
  explicit Pass(const Originals& originals)
      : originals_(originals),
        scan_(originals.scan_),
        rows_(kBlock * scan_.columns),
        sums_(kBlock * originals.size()) {}

  void compare(std::span<const std::size_t> images, std::vector<std::size_t>& near) {
    float largest = 0;
    for (std::size_t r = 0; r < images.size(); ++r) {
      std::memcpy(&rows_[r * scan_.columns], row_of(scan_, images[r]), scan_.columns);
      largest = std::max(largest, scan_.scales[images[r]]);
    }
    dot_kernels().i8(rows_.data(), images.size(), scan_.columns, originals_.numbers_.data(),
                     originals_.size(), sums_.data());
    std::vector<bool> found(images.size());
    for (std::size_t i = 0; i < originals_.size(); ++i) {
      const float scale = originals_.scales_[i];
      const float off = most_off(scan_.columns, largest, scale);
      const std::span sums(&sums_[i * images.size()], images.size());
      // Mostly no image of the block is near, which its largest sum shows.
      if (static_cast<float>(std::ranges::max(sums)) * scale * largest < kLeast - off) continue;
      for (std::size_t r = 0; r < images.size(); ++r) {
        const float about = static_cast<float>(sums[r]) * scale * scan_.scales[images[r]];
        if (found[r] || about < kLeast - off) continue;
        found[r] = originals_.cosine(i, images[r]) >= kLeast;
      }
    }
    for (std::size_t r = 0; r < images.size(); ++r) {
      if (found[r]) near.push_back(images[r]);
    }
  }

 private:
  const Originals& originals_;
  const Matrix& scan_;
  std::vector<std::int8_t> rows_;
  std::vector<std::int32_t> sums_;
};

std::vector<std::size_t> Originals::near(const std::vector<std::size_t>* among) const {
  std::vector<std::size_t> all;
  if (among == nullptr) {
    all.resize(index_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    among = &all;
  }
  std::vector<std::size_t> images;
  if (size() == 0) return images;
  std::mutex lock;
  parallel_blocks(among->size(), [&](std::size_t begin, std::size_t end) {
    Pass pass(*this);
    std::vector<std::size_t> near;
    for (; begin < end; begin += kBlock) {
      pass.compare(std::span(*among).subspan(begin, std::min(kBlock, end - begin)), near);
    }
    const std::lock_guard guard(lock);
    images.insert(images.end(), near.begin(), near.end());
  });
  std::ranges::sort(images);
  return images;
}

}  // namespace hinny
