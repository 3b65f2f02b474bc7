#include "cli/learn/engine.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <cblas.h>
#include <fmt/format.h>

#include "base/error.h"
#include "base/threads.h"
#include "nn/caching_allocator.h"

namespace hinny {

c10::Device set_up_engine(const std::string& device) {
  use_caching_allocator();
  // at::get_num_threads() starts at 1 in Debian's libtorch; OpenBLAS has threads of its own.
  at::set_num_threads(thread_count());
  openblas_set_num_threads(thread_count());
  if (device == "cpu") return c10::Device(c10::kCPU);
  if (device != "cuda" && !device.starts_with("cuda:")) {
    throw InputError(fmt::format("no device '{}'", device), "cpu, cuda or cuda:N");
  }
  if (!at::hasCUDA()) throw InputError("this libtorch finds no CUDA device", "--device cpu");
  return c10::Device(device);
}

}  // namespace hinny
