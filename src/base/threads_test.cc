#include "base/threads.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iterator>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
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

std::vector<std::pair<std::size_t, std::size_t>> split_of(std::size_t size) {
  std::mutex lock;
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  parallel_blocks(size, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard guard(lock);
    blocks.emplace_back(begin, end);
  });
  std::ranges::sort(blocks);
  return blocks;
}

TEST(ParallelBlocks, TheSplitFollowsTheThreadCountAlone) {
  using Split = std::vector<std::pair<std::size_t, std::size_t>>;
  const std::vector<std::pair<int, Split>> wanted = {
      {7, {{0, 1}, {1, 2}, {2, 4}, {4, 5}, {5, 7}, {7, 8}, {8, 10}}},
      {2, {{0, 5}, {5, 10}}},
      {3, {{0, 3}, {3, 6}, {6, 10}}},
      {1, {{0, 10}}}};
  for (const auto& [threads, split] : wanted) {
    set_thread_count(threads);
    EXPECT_EQ(split_of(10), split) << threads << " threads";
  }
}

TEST(ParallelBlocks, AllBlocksRunWhereOneThrows) {
  set_thread_count(4);
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> ran = 0;
    EXPECT_THROW(parallel_blocks(4,
                                 [&](std::size_t begin, std::size_t) {
                                   ++ran;
                                   if (begin % 2 == 1) throw std::runtime_error("block");
                                 }),
                 std::runtime_error);
    EXPECT_EQ(ran, 4);
    EXPECT_FALSE(in_parallel_blocks());
  }
}

// How many blocks ran at the same time, at most. They compute for a while and wait for nobody: that
// one begins before another has ended is up to the threads.
class AtOnce {
 public:
  void compute() {
    const int now = ++running_;
    for (int most = most_; most < now && !most_.compare_exchange_weak(most, now);) {
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
    while (std::chrono::steady_clock::now() < end) {
    }
    --running_;
  }
  int most() const { return most_; }
  // A busy machine may need several calls until it runs as many at once as it could.
  bool reaches(int wanted, const std::function<void()>& call) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (most() < wanted && std::chrono::steady_clock::now() < end) call();
    return most() == wanted;
  }

 private:
  std::atomic<int> running_ = 0, most_ = 0;
};

TEST(ParallelBlocks, BlocksRunBesideEachOther) {
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    AtOnce blocks;
    const auto call = [&] {
      parallel_blocks(6, [&](std::size_t, std::size_t) { blocks.compute(); });
    };
    call();
    EXPECT_TRUE(blocks.reaches(threads, call)) << blocks.most() << " of " << threads;
  }
}

TEST(ParallelBlocks, StartsItsThreadsOnce) {
  const auto threads_alive = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  set_thread_count(5);
  split_of(5);
  const auto before = threads_alive();
  for (int i = 0; i < 5000; ++i) parallel_blocks(5, [](std::size_t, std::size_t) {});
  EXPECT_EQ(threads_alive(), before);
}

TEST(ParallelBlocks, ACallNeedNotWaitForAnother) {
  set_thread_count(2);
  std::latch held(2), let_go(1);
  std::jthread other([&] {
    parallel_blocks(2, [&](std::size_t, std::size_t) {
      held.count_down();
      let_go.wait();
    });
  });
  held.wait();
  EXPECT_EQ(split_of(10).size(), 2U);
  let_go.count_down();
}

TEST(ParallelBlocks, AWorkerThatComesFreeJoinsACallThatWaits) {
  set_thread_count(2);
  AtOnce blocks;
  const auto call = [&] {
    std::latch held(2), let_go(1);
    std::jthread other([&] {
      parallel_blocks(2, [&](std::size_t, std::size_t) {
        held.count_down();
        let_go.wait();
      });
    });
    held.wait();
    parallel_blocks(2, [&](std::size_t begin, std::size_t) {
      if (begin == 0) let_go.count_down();
      blocks.compute();
    });
  };
  EXPECT_TRUE(blocks.reaches(2, call)) << blocks.most();
}

TEST(ParallelBlocks, ManyThreadsMayCallAtOnce) {
  set_thread_count(3);
  constexpr std::size_t kCallers = 8, kRounds = 500, kSize = 50;
  std::vector<std::size_t> wrong(kCallers, 0);
  {
    std::vector<std::jthread> callers;
    for (std::size_t caller = 0; caller < kCallers; ++caller) {
      callers.emplace_back([&, caller] {
        for (std::size_t round = 0; round < kRounds; ++round) {
          std::vector<std::size_t> squares(kSize, 0);
          const bool fails = round % 10 == caller;
          try {
            parallel_blocks(kSize, [&](std::size_t begin, std::size_t end) {
              for (std::size_t i = begin; i < end; ++i) squares[i] = i * i + caller;
              if (fails && begin > 0) throw std::runtime_error("block");
            });
            wrong[caller] += fails ? 1 : 0;
          } catch (const std::runtime_error&) {
            wrong[caller] += fails ? 0 : 1;
          }
          for (std::size_t i = 0; i < kSize; ++i) wrong[caller] += squares[i] != i * i + caller;
        }
      });
    }
  }
  EXPECT_EQ(wrong, std::vector<std::size_t>(kCallers, 0));
}

#ifndef __SANITIZE_THREAD__  // which forbids threads after fork
TEST(ParallelBlocks, WorksInAForkedChild) {
  set_thread_count(3);
  split_of(10);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(split_of(10).size() == 3 ? 7 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  EXPECT_EQ(split_of(10).size(), 3U);
}
#endif

}  // namespace
}  // namespace hinny
