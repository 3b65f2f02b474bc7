// Which BLAS libtorch gets: the generic name libblas.so.3 leads to whatever the machine prefers.
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/blas_kernel.h"
#include "cli/light/doctor_checks.h"

namespace hinny {
namespace {

using Library = std::unique_ptr<void, decltype([](void* handle) { ::dlclose(handle); })>;

std::string file_of(void* handle) {
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return "?";
  std::error_code problem;
  const auto real = std::filesystem::canonical(map->l_name, problem);
  return problem ? map->l_name : real.string();
}

// Calls a `char* name()` of the library: OpenBLAS has such, others do not.
std::string ask(void* handle, const char* name) {
  using Function = char* (*)();
  const auto function = reinterpret_cast<Function>(::dlsym(handle, name));
  const char* answer = function == nullptr ? nullptr : function();
  return answer == nullptr ? "" : answer;
}

// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." -> "OpenBLAS 0.3.21"
std::string name_and_version(const std::string& config) {
  const auto second = config.find(' ', std::min(config.find(' '), config.size() - 1) + 1);
  return config.substr(0, second);
}

}  // namespace

Check check_blas() {
  const Library library(::dlopen("libblas.so.3", RTLD_LAZY | RTLD_LOCAL));
  if (!library) {
    return {Mark::kFail, "blas", "no libblas.so.3; `scripts/setup` installs libopenblas0-pthread"};
  }
  const std::string file = file_of(library.get());
  const std::string kernel = ask(library.get(), "openblas_get_corename");
  if (kernel.empty()) {
    if (file.find("/blas/") == std::string::npos) return {Mark::kOk, "blas", file};
    // Debian has it below the name of the machine: /usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    return {Mark::kWarn, "blas",
            fmt::format("{} is the reference BLAS, many times slower than OpenBLAS; "
                        "`update-alternatives --config libblas.so.3-{}` changes it",
                        file, folder.parent_path().filename().string())};
  }
  const std::string found = fmt::format(
      "{} with its {} kernel", name_and_version(ask(library.get(), "openblas_get_config")), kernel);
  const std::string better = better_kernel(kernel);
  if (better.empty()) return {Mark::kOk, "blas", found};
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) {
    return {Mark::kWarn, "blas",
            found + ", but this processor can do more: unset OPENBLAS_CORETYPE"};
  }
  return {Mark::kOk, "blas",
          fmt::format("{}, as it does not know this processor; hinny starts training with "
                      "OPENBLAS_CORETYPE={}",
                      found, better)};
}

}  // namespace hinny
