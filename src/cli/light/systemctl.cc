#include "cli/light/systemctl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/terminal_text.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

struct ClosePipe {
  void operator()(FILE* pipe) const { ::pclose(pipe); }
};

std::string systemctl_line(const std::string& words) {
  return fmt::format("systemctl --user {}", words);
}

}  // namespace

bool has_systemctl() {
  const char* value = std::getenv("PATH");
  std::string path = value == nullptr ? "" : value;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const fs::path program = fs::path(path.substr(0, end)) / "systemctl";
    std::error_code unknown;
    if (end > 0 && fs::is_regular_file(program, unknown)) return true;
    path.erase(0, end + 1);
  }
  return false;
}

Systemctl systemctl(const std::string& words) {
  std::unique_ptr<FILE, ClosePipe> pipe(::popen((systemctl_line(words) + " 2>&1").c_str(), "r"));
  if (!pipe) throw Failure::from_errno("cannot start systemctl");
  Systemctl done;
  std::array<char, 1024> bytes{};
  while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe.get())) {
    done.said.append(bytes.data(), count);
  }
  done.fine = ::pclose(pipe.release()) == 0;
  while (done.said.ends_with('\n')) done.said.pop_back();
  return done;
}

void run_systemctl(const std::vector<std::string>& lines, bool only_say) {
  if (only_say || !has_systemctl()) {
    print_line(stdout, "{}\n",
               only_say ? "now run:" : "no systemctl here; where there is one, run:");
    for (const std::string& line : lines) print_line(stdout, "  {}\n", systemctl_line(line));
    return;
  }
  for (const std::string& line : lines) {
    const Systemctl done = systemctl(line);
    if (done.fine) continue;
    throw Failure(fmt::format("`{}` failed: {}", systemctl_line(line), done.said));
  }
}

}  // namespace hinny
