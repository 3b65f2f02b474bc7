#include "base/threads.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace hinny {
namespace {

TEST(ParallelBlocks, CoversEveryItemOnce) {
  set_thread_count(3);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{100}}) {
    std::vector<int> visits(size, 0);
    parallel_blocks(size, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    EXPECT_EQ(visits, std::vector<int>(size, 1));
  }
}

TEST(ParallelBlocks, RethrowsWhatAWorkerThrew) {
  set_thread_count(2);
  EXPECT_THROW(parallel_blocks(8,
                               [](std::size_t begin, std::size_t) {
                                 if (begin > 0) throw std::runtime_error("worker");
                               }),
               std::runtime_error);
}

TEST(ParallelBlocks, InsideAnotherIsOneBlock) {
  set_thread_count(2);
  EXPECT_FALSE(in_parallel_blocks());
  parallel_blocks(2, [](std::size_t, std::size_t) {
    EXPECT_TRUE(in_parallel_blocks());
    int blocks = 0;
    parallel_blocks(8, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(end - begin, 8U);
      ++blocks;
    });
    EXPECT_EQ(blocks, 1);
  });
  EXPECT_FALSE(in_parallel_blocks());
}

}  // namespace
}  // namespace hinny
