#include "base/batches.h"

#include <gtest/gtest.h>

#include <latch>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace hinny {
namespace {

using Numbers = std::vector<int>;

// Twice each number, and how large each batch was.
struct Doubling {
  std::vector<std::size_t> sizes;  // written by one batch at a time
  std::vector<int> operator()(const Numbers& numbers) {
    sizes.push_back(numbers.size());
    std::vector<int> twice;
    for (const int number : numbers) twice.push_back(2 * number);
    return twice;
  }
};

TEST(Batches, EachItemHasItsResultInOrder) {
  Doubling doubling;
  Batches<int, int> batches(3, std::ref(doubling));
  EXPECT_EQ(batches.run({1, 2, 3, 4, 5, 6, 7}), (Numbers{2, 4, 6, 8, 10, 12, 14}));
  EXPECT_EQ(doubling.sizes, (std::vector<std::size_t>{3, 3, 1}));
  EXPECT_EQ(batches.run({}), Numbers{});
  EXPECT_EQ(doubling.sizes.size(), 3U);
}

TEST(Batches, WhatComesWhileOneRunsIsDoneTogether) {
  Doubling doubling;
  std::latch begun(1), others(1);
  bool first = true;
  Batches<int, int> batches(64, [&](const Numbers& numbers) {
    if (std::exchange(first, false)) {
      begun.count_down();
      others.wait();
    }
    return doubling(numbers);
  });
  std::vector<std::jthread> threads;
  threads.emplace_back([&] { EXPECT_EQ(batches.run({0}), Numbers{0}); });
  begun.wait();
  for (int i = 1; i <= 8; ++i) {
    threads.emplace_back([&, i] { EXPECT_EQ(batches.run({i}), Numbers{2 * i}); });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  others.count_down();
  threads.clear();
  // All eight are there long before the first one is let go; a machine at its limits may differ.
  EXPECT_LT(doubling.sizes.size(), 9U);
}

TEST(Batches, ManyThreadsGetTheirOwn) {
  Doubling doubling;
  Batches<int, int> batches(5, std::ref(doubling));
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&batches, t] {
      for (int i = 0; i < 500; ++i) {
        ASSERT_EQ(batches.run({t, i, t + i}), (Numbers{2 * t, 2 * i, 2 * (t + i)}));
      }
    });
  }
  threads.clear();
  for (const std::size_t size : doubling.sizes) ASSERT_LE(size, 5U);
}

TEST(Batches, AFailureReachesThoseOfItsBatchAlone) {
  Batches<int, int> batches(2, [](const Numbers& numbers) {
    for (const int number : numbers) {
      if (number < 0) throw std::runtime_error("below zero");
    }
    return numbers;
  });
  EXPECT_THROW(batches.run({1, 2, -3, 4, 5, 6}), std::runtime_error);
  EXPECT_EQ(batches.run({1, 2, 3}), (Numbers{1, 2, 3}));
}

// For which there is no memory in a batch, once.
struct Large {
  static inline int fails = 0;
  int number;

  explicit Large(int n) : number(n) {}
  Large(Large&& other) : number(other.number) {  // NOLINT(performance-noexcept-move-constructor)
    if (number == fails) throw std::bad_alloc();
  }
};

TEST(Batches, WhereThereIsNoMemoryForOneTheNextIsDone) {
  Batches<Large, int> batches(3, [](const std::vector<Large>& items) {
    std::vector<int> numbers;
    for (const Large& item : items) numbers.push_back(item.number);
    return numbers;
  });
  const auto run = [&](int first, int last) {
    std::vector<Large> items;
    items.reserve(static_cast<std::size_t>(last - first + 1));
    Large::fails = 0;
    for (int i = first; i <= last; ++i) items.emplace_back(i);
    Large::fails = 4;
    return batches.run(std::move(items));
  };
  EXPECT_THROW(run(1, 9), std::bad_alloc);
  EXPECT_THROW(run(4, 4), std::bad_alloc);
  EXPECT_EQ(run(5, 9), (Numbers{5, 6, 7, 8, 9}));
}

}  // namespace
}  // namespace hinny
