#include "nn/caching_allocator.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <sys/mman.h>
#include <torch/version.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

namespace hinny {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHugePage = std::size_t{2} << 20U;

// Sizes are rounded up to one of eight steps per power of two, so that blocks fit again.
std::size_t size_class(std::size_t bytes) {
  constexpr std::size_t kSmallest = 512;
  if (bytes <= kSmallest) return kSmallest;
  const std::size_t step = std::max(std::bit_floor(bytes - 1), kSmallest) / 8;
  return (bytes + step - 1) / step * step;
}

class CachingAllocator final : public c10::Allocator {
 public:
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
  c10::DataPtr allocate(std::size_t bytes) override { return make(bytes); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
#else
  c10::DataPtr allocate(std::size_t bytes) const override {
    return const_cast<CachingAllocator*>(this)->make(bytes);
  }
#endif
  c10::DeleterFnPtr raw_deleter() const override { return &give_back; }
  std::size_t taken() {
    const std::lock_guard guard(lock_);
    return taken_;
  }

 private:
  c10::DataPtr make(std::size_t bytes);
  void* reuse(std::size_t size);
  void* take(std::size_t size);
  static void give_back(void* block);

  std::mutex lock_;
  std::map<std::size_t, std::vector<void*>> free_;  // by size class
  std::unordered_map<void*, std::size_t> size_of_;
  std::size_t taken_ = 0;
};

CachingAllocator& instance() {
  static auto* allocator = new CachingAllocator;  // never destroyed: tensors may outlive main
  return *allocator;
}

c10::DataPtr CachingAllocator::make(std::size_t bytes) {
  const c10::Device cpu(c10::DeviceType::CPU);
  if (bytes == 0) return {nullptr, nullptr, &give_back, cpu};
  const std::size_t size = size_class(bytes);
  const std::lock_guard guard(lock_);
  void* block = reuse(size);
  if (block == nullptr) block = take(size);
  return {block, block, &give_back, cpu};
}

// A free block of this size or up to half as large again: batches differ in size, and a block
// for each of their sizes would add up.
void* CachingAllocator::reuse(std::size_t size) {
  for (auto blocks = free_.lower_bound(size);
       blocks != free_.end() && blocks->first <= size + size / 2; ++blocks) {
    if (blocks->second.empty()) continue;
    void* block = blocks->second.back();
    blocks->second.pop_back();
    return block;
  }
  return nullptr;
}

void* CachingAllocator::take(std::size_t size) {
  const bool large = size >= kHugePage;
  const std::size_t alignment = large ? kHugePage : kAlignment;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* block = std::aligned_alloc(alignment, whole);
  if (block == nullptr) throw std::bad_alloc();
  if (large) ::madvise(block, whole, MADV_HUGEPAGE);
  size_of_[block] = size;
  taken_ += whole;
  return block;
}

void CachingAllocator::give_back(void* block) {
  if (block == nullptr) return;
  CachingAllocator& self = instance();
  const std::lock_guard guard(self.lock_);
  self.free_[self.size_of_.at(block)].push_back(block);
}

}  // namespace

std::size_t caching_allocator_bytes() { return instance().taken(); }

void use_caching_allocator() { c10::SetCPUAllocator(&instance(), /*priority=*/100); }

}  // namespace hinny
