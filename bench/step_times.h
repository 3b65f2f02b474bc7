// What the programs that time training steps beside PyTorch's share (bench/compare).
#pragma once

#include <ATen/Context.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <torch/cuda.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <vector>

#include "base/threads.h"
#include "kernels/gemm.h"
#include "recipe/choices.h"

namespace hinny {

template <typename Work>
double seconds(torch::Device device, const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  if (!device.is_cpu()) torch::cuda::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// One run before those that count, on a GPU three.
template <typename Step>
void warm_up(torch::Device device, const Step& step) {
  for (int i = 0; i < (device.is_cpu() ? 1 : 3); ++i) seconds(device, step);
}

template <typename Step>
double median_seconds(torch::Device device, int steps, const Step& step) {
  std::vector<double> times;
  for (int i = 0; i < steps; ++i) times.push_back(seconds(device, step));
  return median(times);
}

// The best of several products of the shape that a step is made of, on every thread at once.
template <typename T>
double cpu_peak_gflops() {
  constexpr std::int64_t kRows = 256, kInner = 1024, kColumns = 4096;
  constexpr int kTimes = 8;
  const std::vector<T> b(kInner * kColumns);
  const PackedMatrix<T> packed(kInner, kColumns, {b.data(), kColumns});
  const auto threads = static_cast<std::size_t>(thread_count());
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    parallel_blocks(threads, [&](std::size_t, std::size_t) {
      const std::vector<T> a(kRows * kInner);
      std::vector<float> c(kRows * kColumns);
      packed.multiply(kRows, a.data(), kInner, c.data(), kColumns);
      const double time = seconds(at::kCPU, [&] {
        for (int j = 0; j < kTimes; ++j) {
          packed.multiply(kRows, a.data(), kInner, c.data(), kColumns);
        }
      });
      static std::mutex lock;
      const std::lock_guard guard(lock);
      best = std::min(best, time);
    });
  }
  return 2.0 * kTimes * static_cast<double>(threads) * kRows * kInner * kColumns / best / 1e9;
}

// Of a large product by libtorch; in fp32 with the TF32 units, which cuDNN's recurrent nets use.
inline double gpu_peak_gflops(torch::Device device, Precision precision) {
  constexpr std::int64_t kSize = 8192;
  at::globalContext().setAllowTF32CuBLAS(true);
  const auto type = precision == Precision::bf16 ? at::kBFloat16 : at::kFloat;
  const torch::Tensor a = at::randn({kSize, kSize}, at::device(device)).to(type);
  double best = 1e9;
  for (int i = 0; i < 10; ++i) best = std::min(best, seconds(device, [&] { at::matmul(a, a); }));
  at::globalContext().setAllowTF32CuBLAS(false);
  return 2.0 * kSize * kSize * kSize / best / 1e9;
}

inline double peak_gflops(torch::Device device, Precision precision) {
  if (!device.is_cpu()) return gpu_peak_gflops(device, precision);
  return precision == Precision::bf16 ? cpu_peak_gflops<BFloat16>() : cpu_peak_gflops<float>();
}

}  // namespace hinny
