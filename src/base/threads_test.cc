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

}  // namespace
}  // namespace hinny
