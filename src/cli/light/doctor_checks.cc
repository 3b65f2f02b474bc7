#include "cli/light/doctor_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

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

double gigabytes(std::string_view key) {  // of /proc/meminfo, which counts in kB
  return std::atof(value_of("/proc/meminfo", key).c_str()) / (1 << 20);
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
#endif
  return "not x86: vector instructions not looked at";
}

// A thread count in the environment that is no number, or more than there are cores.
std::optional<std::string> odd_thread_wish(const char* variable) {
  const char* wish = std::getenv(variable);
  if (wish == nullptr) return {};
  char* end = nullptr;
  const long count = std::strtol(wish, &end, 10);
  const auto cores = static_cast<long>(std::thread::hardware_concurrency());
  if (*wish != '\0' && *end == '\0' && count >= 1 && count <= cores) return {};
  return fmt::format("{}={} (expected 1 to {}, or unset)", variable, wish, cores);
}

}  // namespace

Check check_cpu() {
  std::string model = value_of("/proc/cpuinfo", "model name");
  if (model.empty()) model = "unknown model";
  const Simd simd = simd_of_cpu();
#if defined(__x86_64__)
  const Mark mark = simd < Simd::avx2 ? Mark::kWarn : Mark::kOk;
#else
  const Mark mark = Mark::kOk;
#endif
  return {mark, "cpu",
          fmt::format(
              "{}; {} of {} cores in use; {}{}", model, thread_count(),
              std::thread::hardware_concurrency(), simd_text(),
              mark == Mark::kWarn ? "; without AVX2 everything takes several times longer" : "")};
}

Check check_memory() {
  double total = gigabytes("MemTotal");
  double free = gigabytes("MemAvailable");
  std::string limit;  // containers: absent, "max" or bytes
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && limit != "max") {
    total = std::min(total, std::atof(limit.c_str()) / kGigabyte);
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
  if (!odd.empty()) return {Mark::kWarn, "threads", fmt::format("{}", fmt::join(odd, "; "))};
  return {Mark::kOk, "threads", fmt::format("{} by default; --threads changes it", thread_count())};
}

Check check_programs() {
  std::error_code problem;
  const fs::path folder = fs::read_symlink("/proc/self/exe", problem).parent_path();
  std::vector<std::string> absent;
  for (const char* name : {"hinny-vision", "hinny-learn"}) {
    if (::access((folder / name).c_str(), X_OK) != 0) absent.emplace_back(name);
  }
  if (absent.empty()) {
    return {Mark::kOk, "programs", "hinny-vision and hinny-learn stand beside hinny"};
  }
  return {Mark::kFail, "programs",
          fmt::format("no {} in {}: their verbs cannot run; `make build` builds all three",
                      fmt::join(absent, ", "), folder.string())};
}

Check check_networks() {
  return {Mark::kOk, "networks",
          "networks that see pictures (.onnx) run in " HINNY_NETWORK_RUNTIME};
}

}  // namespace hinny
