#include "retrieval/blas_threads.h"

#include <cblas.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "base/random.h"
#include "base/threads.h"
#include "retrieval/dot_products.h"

namespace hinny {
namespace {

class BlasThreads : public testing::Test {
 protected:
  void SetUp() override {
    set_thread_count(2);
    give_blas_its_threads();
  }
  void TearDown() override {
    set_thread_count(before_);
    give_blas_its_threads();
  }

 private:
  int before_ = thread_count();
};

TEST_F(BlasThreads, AreAsManyAsOursUntilSomebodyWantsOne) {
  EXPECT_EQ(openblas_get_num_threads(), 2);
  {
    const OneBlasThreadEach guard;
    EXPECT_EQ(openblas_get_num_threads(), 1);
    const OneBlasThreadEach inner;
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

TEST_F(BlasThreads, ComeBackWithTheLastWhoWantsOne) {
  auto first = std::make_unique<OneBlasThreadEach>();
  auto second = std::make_unique<OneBlasThreadEach>();
  first.reset();
  EXPECT_EQ(openblas_get_num_threads(), 1);
  set_thread_count(3);
  give_blas_its_threads();
  EXPECT_EQ(openblas_get_num_threads(), 1);
  second.reset();
  EXPECT_EQ(openblas_get_num_threads(), 3);
}

TEST_F(BlasThreads, StayAtOneForEveryThreadThatWantsIt) {
  std::vector<int> wrong(4, 0);
  {
    std::vector<std::jthread> threads;
    threads.reserve(wrong.size());
    for (int& count : wrong) {
      threads.emplace_back([&count] {
        for (int i = 0; i < 2000; ++i) {
          const OneBlasThreadEach guard;
          count += openblas_get_num_threads() != 1;
        }
      });
    }
  }
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

// Inside blocks the threads are taken. Products are computed as with one thread, to the last bit.
TEST_F(BlasThreads, AreOneInsideParallelBlocks) {
  constexpr std::size_t kRows = 2, kColumns = 512, kDim = 1000;
  Random random(1);
  std::vector<float> a(kRows * kDim), b(kColumns * kDim);
  for (float& number : a) number = static_cast<float>(random.normal());
  for (float& number : b) number = static_cast<float>(random.normal());
  std::vector<std::vector<float>> products(3, std::vector<float>(kRows * kColumns));
  const auto multiply = [&](std::vector<float>& out) {
    dot_products(a.data(), kRows, b.data(), kColumns, kDim, out.data());
  };
  parallel_blocks(2, [&](std::size_t begin, std::size_t) { multiply(products[begin]); });
  EXPECT_EQ(openblas_get_num_threads(), 2);
  set_thread_count(1);
  multiply(products[2]);
  EXPECT_EQ(products[0], products[2]);
  EXPECT_EQ(products[1], products[2]);
}

}  // namespace
}  // namespace hinny
