#include "retrieval/blas_memory.h"

#include <cblas.h>

#include <atomic>
#include <vector>

#include "base/out_of_memory.h"

namespace hinny {
namespace {

constexpr std::size_t kEach = std::size_t{144} << 20U;  // with a thread's stack

std::atomic<int> running = 0;
std::atomic<int> taken = 0;  // as many products have run at the same time

}  // namespace

void expect_blas_memory(int products) { expect_memory(kEach * static_cast<std::size_t>(products)); }

BlasMemory::BlasMemory() {
  const int now = ++running;
  int most = taken;
  if (now <= most) return;
  try {
    expect_blas_memory(now - most);
  } catch (...) {
    --running;
    throw;
  }
  while (now > most && !taken.compare_exchange_weak(most, now)) {
  }
}

BlasMemory::~BlasMemory() { --running; }

void take_blas_memory() {
  const BlasMemory memory;
  constexpr blasint kSize = 256;  // smaller ones may need none
  const std::vector<float> numbers(kSize * kSize);
  std::vector<float> product(kSize * kSize);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1.0F, numbers.data(),
              kSize, numbers.data(), kSize, 0.0F, product.data(), kSize);
}

}  // namespace hinny
