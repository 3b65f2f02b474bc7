#include "retrieval/blas_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "base/confine.h"
#include "base/threads.h"
#include "retrieval/blas_threads.h"
#include "retrieval/dot_products.h"

namespace hinny {
namespace {

constexpr std::size_t kSide = 300;

template <typename Act>
bool finds_no_memory(const Act& act) {
  try {
    act();
  } catch (const std::bad_alloc&) {
    return true;
  }
  return false;
}

// In a process of its own: BLAS has taken nothing, and there is nothing more.
[[noreturn]] void ask_without_memory() {
  const std::vector<float> numbers(kSide * kSide, 1.0F);
  std::vector<float> product(kSide * kSide);
  set_thread_count(1);
  const rlimit none{4096, RLIM_INFINITY};
  if (::setrlimit(RLIMIT_DATA, &none) != 0) std::_Exit(3);
  ::alarm(20);  // OpenBLAS would wait for ever
  const auto multiply = [&] {
    dot_products(numbers.data(), kSide, numbers.data(), kSide, kSide, product.data());
  };
  const bool none_for_a_product = finds_no_memory(multiply);
  set_thread_count(64);
  const bool none_for_threads = finds_no_memory(give_blas_its_threads);
  set_thread_count(1);
  const rlimit enough{RLIM_INFINITY, RLIM_INFINITY};
  ::setrlimit(RLIMIT_DATA, &enough);
  multiply();
  std::_Exit(none_for_a_product && none_for_threads && product.front() == kSide ? 0 : 2);
}

TEST(BlasMemory, AProductWithoutMemoryIsAnErrorAndNoEndlessWait) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer needs memory of its own";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(ask_without_memory(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace hinny
