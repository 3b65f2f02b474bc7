// What only hinny-learn can say: hinny itself loads neither libtorch nor oneDNN.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/blas_kernel.h"
#include "cli/light/doctor_checks.h"

namespace hinny {
namespace {

struct Close {
  void operator()(FILE* pipe) const { ::pclose(pipe); }
};

// "ok\tproducts\toneDNN; ..." -> a check
Check parse(std::string line) {
  if (line.ends_with('\n')) line.pop_back();
  const auto first = line.find('\t'), second = line.find('\t', first + 1);
  if (second == std::string::npos) return {Mark::kFail, "learn", line};
  const Mark mark = line.starts_with("ok\t") ? Mark::kOk : Mark::kWarn;
  return {mark, line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

}  // namespace

std::vector<Check> checks_by_learn() {
  std::error_code problem;
  const auto program =
      std::filesystem::read_symlink("/proc/self/exe", problem).parent_path() / "hinny-learn";
  if (problem || !std::filesystem::exists(program)) return {};  // check_programs says so
  prefer_better_kernel();
  const std::unique_ptr<FILE, Close> pipe(
      ::popen(("'" + program.string() + "' doctor 2>&1").c_str(), "r"));
  if (!pipe) return {{Mark::kFail, "learn", "cannot start " + program.string()}};
  std::vector<Check> checks;
  char line[1024];
  while (std::fgets(line, sizeof line, pipe.get()) != nullptr) checks.push_back(parse(line));
  if (checks.empty()) checks.push_back({Mark::kFail, "learn", program.string() + " does not run"});
  return checks;
}

}  // namespace hinny
