#include "cli/light/doctor_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "base/cgroup.h"
#include "base/confine.h"
#include "base/processor.h"
#include "base/thread_choice.h"
#include "base/threads.h"
#include "cli/blas_kernel.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr double kGigabyte = 1 << 30;

// The rest of the first line of `file` that starts with `key`, without ": \t" in front.
std::string value_of(const char* file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const auto start = line.find_first_not_of(": \t", key.size());
    return start == std::string::npos ? "" : line.substr(start);
  }
  return {};
}

double number_in(std::string_view text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

double gigabytes(std::string_view key) {  // of /proc/meminfo, which counts in kB
  return number_in(value_of("/proc/meminfo", key)) / (1 << 20);
}

std::string simd_text() {
#if defined(__x86_64__)
  switch (simd_of_cpu()) {
    case Simd::avx512:
      return fmt::format("AVX-512{}{}", __builtin_cpu_supports("avx512vnni") ? ", VNNI" : "",
                         __builtin_cpu_supports("avx512bf16") ? ", BF16" : "");
    case Simd::avx2:
      return "AVX2";
    case Simd::avx:
      return "AVX";
    case Simd::sse:
      return "SSE";
  }
#elif defined(__aarch64__)
  return processors().back() == Processor::dotprod ? "NEON, dot products" : "NEON";
#endif
  return "vector instructions not looked at";
}

// A thread count in the environment that is none.
std::optional<std::string> odd_thread_wish(const char* variable) {
  const char* wish = std::getenv(variable);
  if (wish == nullptr || read_thread_count(wish)) return {};
  return fmt::format("{}='{}' is ignored (expected 1 to 1024, or unset)", variable, wish);
}

}  // namespace

Check check_cpu() {
  std::string model = value_of("/proc/cpuinfo", "model name");
  if (model.empty()) model = value_of("/proc/device-tree/model", "");  // of small arm64 machines
  if (const auto end = model.find('\0'); end != std::string::npos) model.resize(end);
  if (model.empty()) model = "unknown model";
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
#if defined(__x86_64__)
  const Mark mark = simd_of_cpu() < Simd::avx2 ? Mark::kWarn : Mark::kOk;
#else
  const Mark mark = Mark::kOk;
#endif
  return {mark, "cpu",
          fmt::format(
              "{}; {} of {} cores in use; {}{}", model,
              std::min<unsigned>(static_cast<unsigned>(thread_count()), cores), cores, simd_text(),
              mark == Mark::kWarn ? "; without AVX2 everything takes several times longer" : "")};
}

Check check_memory() {
  double total = gigabytes("MemTotal");
  double free = gigabytes("MemAvailable");
  if (const auto limit = memory_limit()) {
    total = std::min(total, static_cast<double>(*limit) / kGigabyte);
    free = std::min(free, total);
  }
  const std::string found = fmt::format("{:.1f} GB, {:.1f} GB of it free", total, free);
  if (free >= 2) return {Mark::kOk, "memory", found};
  return {Mark::kWarn, "memory", found + "; training and building want 2 GB free"};
}

Check check_disk() {
  std::error_code problem;
  const fs::space_info space = fs::space(".", problem);
  if (problem) return {Mark::kFail, "disk", "cannot read this folder: " + problem.message()};
  const double free = static_cast<double>(space.available) / kGigabyte;
  const std::string found = fmt::format("{:.1f} GB free in this folder", free);
  if (free < 0.1) return {Mark::kFail, "disk", found + "; free some space"};
  if (free < 2) return {Mark::kWarn, "disk", found + "; a feature file may take more"};
  return {Mark::kOk, "disk", found};
}

Check check_threads() {
  std::vector<std::string> odd;
  for (const char* variable : {"HINNY_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) {
    if (const auto wish = odd_thread_wish(variable)) odd.push_back(*wish);
  }
  const ThreadChoice choice = thread_choice();
  const int count = thread_count();
  const std::string found = fmt::format("{} thread{}: {}", count, count == 1 ? "" : "s",
                                        count == choice.count ? choice.why : "--threads");
  if (!odd.empty()) {
    return {Mark::kWarn, "threads", fmt::format("{}; {}", found, fmt::join(odd, "; "))};
  }
  if (static_cast<unsigned>(count) > std::thread::hardware_concurrency()) {
    return {Mark::kWarn, "threads", found + "; more than there are cores, which slows all of them"};
  }
  return {Mark::kOk, "threads", found + "; --threads or HINNY_THREADS changes it"};
}

Check check_programs() {
  std::error_code problem;
  const fs::path folder = fs::read_symlink("/proc/self/exe", problem).parent_path();
  std::vector<std::string> absent;
  const auto stands = [&](const char* name) {
    return ::access((folder / name).c_str(), X_OK) == 0;
  };
  for (const char* name : {"hinny-data", "hinny-vision"}) {
    if (!stands(name)) absent.emplace_back(name);
  }
  if (absent.empty()) {
    const bool learns = stands("hinny-learn");
    return {Mark::kOk, "programs",
            learns
                ? "hinny-data, hinny-vision and hinny-learn stand beside hinny"
                : "hinny-data and hinny-vision stand beside hinny; without hinny-learn nothing is "
                  "trained or measured here"};
  }
  return {Mark::kFail, "programs",
          fmt::format("no {} in {}: their verbs cannot run; `make build` builds them",
                      fmt::join(absent, ", "), folder.string())};
}

Check check_decoders() {
  if (can_confine()) {
    return {Mark::kOk, "decoders",
            "what decodes pictures and films is confined by a filter of system calls"};
  }
  return {Mark::kWarn, "decoders",
          "what decodes pictures and films is bounded in memory and time alone: there is no filter "
          "of system calls (seccomp) here"};
}

Check check_networks() {
  return {Mark::kOk, "networks",
          "networks that see pictures (.onnx) run in " HINNY_NETWORK_RUNTIME};
}

}  // namespace hinny
