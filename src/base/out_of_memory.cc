#include "base/out_of_memory.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

namespace hinny {
namespace {

constexpr std::size_t kAside = std::size_t{1} << 20U;  // each part
std::array<std::atomic<void*>, 2> aside{};
std::atomic<bool> ran_out{false};
std::terminate_handler others = nullptr;

void give_back() {
  ran_out = true;
  if (void* const first = aside[0].exchange(nullptr)) return std::free(first);  // to try again
  std::free(aside[1].exchange(nullptr));
  throw std::bad_alloc();
}

void end_without_memory() {
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
    // Some of the C++ library's functions end like that where they must not throw.
    if (ran_out) throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kLine = "error: out of memory\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kLine.data(), kLine.size());
    ::_exit(EXIT_FAILURE);
  } catch (...) {  // as it would have been without this
  }
  others();
}

}  // namespace

void keep_memory_aside() noexcept {
  for (std::atomic<void*>& part : aside) {
    if (part != nullptr) continue;
    void* nothing = nullptr;
    void* const block = std::malloc(kAside);
    if (!part.compare_exchange_strong(nothing, block)) std::free(block);
  }
}

void expect_memory(std::size_t bytes) {
  void* const room =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, bytes);
}

void expect_memory_of_threads(int count) {
  pthread_attr_t usual;
  std::size_t stack = 0;
  ::pthread_getattr_default_np(&usual);
  ::pthread_attr_getstacksize(&usual, &stack);
  ::pthread_attr_destroy(&usual);
  expect_memory((stack + 65536) * static_cast<std::size_t>(count));
}

void prepare_for_no_memory() {
  keep_memory_aside();
  std::set_new_handler(give_back);
  others = std::set_terminate(end_without_memory);
}

}  // namespace hinny
