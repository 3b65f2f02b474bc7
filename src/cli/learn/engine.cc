#include "cli/learn/engine.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/out_of_memory.h"
#include "base/threads.h"
#include "nn/caching_allocator.h"
#include "retrieval/blas_memory.h"
#include "retrieval/blas_threads.h"

namespace hinny {

c10::Device set_up_engine(const std::string& device) {
  use_caching_allocator();
  give_blas_its_threads();
  take_blas_memory();
  // pthreadpool, which is made anew by each thread that asks it first, and OpenMP, which has
  // threads for each of ours, wait for ever for one that cannot start.
  expect_memory_of_threads(8 * thread_count());
  // at::get_num_threads() starts at 1 in Debian's libtorch, which leaves products to BLAS.
  at::set_num_threads(thread_count());
  if (device == "cpu") return c10::Device(c10::kCPU);
  if (device != "cuda" && !device.starts_with("cuda:")) {
    throw InputError(fmt::format("no device '{}'", device), "cpu, cuda or cuda:N");
  }
  if (!at::hasCUDA()) throw InputError("this libtorch finds no CUDA device", "--device cpu");
  return c10::Device(device);
}

}  // namespace hinny
