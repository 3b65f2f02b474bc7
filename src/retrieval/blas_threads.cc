#include "retrieval/blas_threads.h"

#include <cblas.h>

#include <atomic>
#include <mutex>

#include "base/threads.h"
#include "retrieval/blas_memory.h"

namespace hinny {
namespace {

// `holders` leaves and reaches 0 under the lock alone, so that whoever finds it above 0 finds BLAS
// at one thread. Beyond that it is counted without the lock: products inside blocks are many.
struct State {
  std::mutex lock;
  std::atomic<int> holders = 0;
  int outside = 1;  // BLAS's threads while holders was 0
  int started = openblas_get_num_threads();

  void make_room_for(int threads) {
    if (threads <= started) return;
    expect_blas_memory(threads - started + 1);  // they have stacks, too
    started = threads;
  }
};

State& state() {
  static State all;
  return all;
}

void set(int threads) {
  if (openblas_get_num_threads() != threads) openblas_set_num_threads(threads);
}

// Adds `step` unless holders is, or would become, less than 1.
bool count_quickly(int step) {
  int holders = state().holders;
  while (holders > 0 && holders + step > 0) {
    if (state().holders.compare_exchange_weak(holders, holders + step)) return true;
  }
  return false;
}

}  // namespace

OneBlasThreadEach::OneBlasThreadEach() {
  if (count_quickly(1)) return;
  const std::lock_guard guard(state().lock);
  if (state().holders == 0) {
    state().outside = openblas_get_num_threads();
    set(1);
  }
  ++state().holders;
}

OneBlasThreadEach::~OneBlasThreadEach() {
  if (count_quickly(-1)) return;
  const std::lock_guard guard(state().lock);
  if (--state().holders == 0) set(state().outside);
}

void give_blas_its_threads() {
  const std::lock_guard guard(state().lock);
  state().make_room_for(thread_count());
  state().outside = thread_count();
  if (state().holders == 0) set(state().outside);
}

}  // namespace hinny
