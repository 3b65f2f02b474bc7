#include "nn/caching_allocator.h"

#include <ATen/ops/empty.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace hinny {
namespace {

TEST(CachingAllocator, ThousandStepsOfChangingSizesStopGrowing) {
  use_caching_allocator();
  Random random(1);
  std::size_t after_warm_up = 0;
  for (int step = 0; step < 1000; ++step) {
    // What a batch takes: a few large tensors whose size goes with its tokens.
    const auto tokens = static_cast<std::int64_t>(random.uniform(1600, 2000));
    const auto gates = at::empty({tokens, 256}), cells = at::empty({tokens, 64});
    const auto states = at::empty({tokens, 64});
    if (step == 50) after_warm_up = caching_allocator_bytes();
  }
  EXPECT_GT(after_warm_up, 0U);
  EXPECT_EQ(caching_allocator_bytes(), after_warm_up);
}

}  // namespace
}  // namespace hinny
