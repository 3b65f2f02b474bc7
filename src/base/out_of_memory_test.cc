#include "base/out_of_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <thread>

#include "base/confine.h"

namespace hinny {
namespace {

std::byte* volatile last = nullptr;

// As much as is left, in blocks of this size; how many there were.
std::size_t take_all(std::size_t block) {
  std::size_t count = 0;
  try {
    for (;; ++count) last = new std::byte[block];
  } catch (const std::bad_alloc&) {
  }
  return count;
}

void bound_memory() {
  const rlimit limit{std::size_t{256} << 20U, std::size_t{256} << 20U};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(3);
}

class OutOfMemory : public testing::Test {
 protected:
  void SetUp() override {
    if (kSanitized) GTEST_SKIP() << "the sanitizer needs more addresses than any bound";
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
  }
};

TEST_F(OutOfMemory, SomeIsLeftForWhatIsUndone) {
  const auto undo = [] {
    prepare_for_no_memory();
    bound_memory();
    take_all(std::size_t{1} << 16U);
    // Without what was kept aside there would be less than one of those.
    std::_Exit(take_all(256) > (std::size_t{1} << 19U) / 256 ? 0 : 2);
  };
  EXPECT_EXIT(undo(), testing::ExitedWithCode(0), "");
}

TEST_F(OutOfMemory, AnEndWithoutMemoryIsALineAndAnExitCode) {
  const auto in_a_thread = [] {
    prepare_for_no_memory();
    std::thread([] { throw std::bad_alloc(); }).join();
  };
  EXPECT_EXIT(in_a_thread(), testing::ExitedWithCode(1), "^error: out of memory\n$");
  const auto another = [] {
    prepare_for_no_memory();
    std::thread([] { throw 1; }).join();
  };
  EXPECT_EXIT(another(), testing::KilledBySignal(SIGABRT), "terminate");
}

}  // namespace
}  // namespace hinny
