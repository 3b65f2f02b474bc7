#include "base/cgroup.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Nothing for "max" and "-1".
std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end == text.data()) return {};
  return value;
}

// mountinfo writes a blank as \040.
std::string without_escapes(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    unsigned code = 0;
    if (text.size() >= 4 && text[0] == '\\' &&
        std::from_chars(text.data() + 1, text.data() + 4, code, 8).ptr == text.data() + 4) {
      plain += static_cast<char>(code);
      text.remove_prefix(4);
    } else {
      plain += text.front();
      text.remove_prefix(1);
    }
  }
  return plain;
}

// A mounted hierarchy: where it lies, and which group its top is.
struct Mount {
  fs::path top, group;
};

// 36 35 98:0 /docker/x /sys/fs/cgroup/cpu rw,... shared:1 - cgroup cgroup rw,cpu,cpuacct
std::optional<Mount> mount_in(const std::string& line, std::string_view controller) {
  const std::vector<std::string> fields = split(line, ' ');
  const auto dash = std::ranges::find(fields, "-");
  if (fields.size() < 5 || fields.end() - dash < 4) return {};
  const bool fits = controller.empty()
                        ? dash[1] == "cgroup2"
                        : dash[1] == "cgroup" && holds(split(dash[3], ','), controller);
  if (!fits) return {};
  return Mount{without_escapes(fields[4]), without_escapes(fields[3])};
}

// The folders of our group and of those above it, of a controller of version 1 or, "", of version
// 2's hierarchy. Where our group lies outside of what is mounted, the mounted top.
std::vector<fs::path> groups(const fs::path& root, std::string_view controller) {
  std::optional<fs::path> own;
  std::ifstream cgroup(root / "proc/self/cgroup");
  for (std::string line; std::getline(cgroup, line);) {  // 4:cpu,cpuacct:/docker/x or 0::/x
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? names.empty() : holds(split(names, ','), controller)) {
      own = line.substr(second + 1);
    }
  }
  if (!own) return {};
  std::vector<fs::path> found;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    const auto mount = mount_in(line, controller);
    if (!mount) continue;
    const fs::path top = root / mount->top.relative_path();
    const fs::path below = own->lexically_normal().lexically_relative(mount->group);
    fs::path folder = top;
    found.push_back(folder);
    if (below.empty() || below == "." || *below.begin() == "..") continue;
    for (const fs::path& part : below) found.push_back(folder /= part);
  }
  return found;
}

template <typename Value>
void take_least(std::optional<Value>& least, std::optional<Value> other) {
  if (other && (!least || *other < *least)) least = other;
}

std::optional<double> cpus(std::optional<std::uint64_t> quota,
                           std::optional<std::uint64_t> period) {
  if (!quota || !period || *quota == 0 || *period == 0) return {};
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  for (const fs::path& group : groups(root, "cpu")) {
    take_least(least, cpus(number(first_line(group / "cpu.cfs_quota_us")),
                           number(first_line(group / "cpu.cfs_period_us"))));
  }
  for (const fs::path& group : groups(root, "")) {
    const std::vector<std::string> both = split(first_line(group / "cpu.max"), ' ');
    if (both.size() == 2) take_least(least, cpus(number(both[0]), number(both[1])));
  }
  return least;
}

std::optional<std::uint64_t> memory_limit(const fs::path& root) {
  constexpr std::uint64_t kNone = std::uint64_t{1} << 62U;  // version 1's "no limit" lies above
  std::optional<std::uint64_t> least;
  for (const fs::path& group : groups(root, "memory")) {
    take_least(least, number(first_line(group / "memory.limit_in_bytes")));
  }
  for (const fs::path& group : groups(root, "")) {
    take_least(least, number(first_line(group / "memory.max")));
  }
  return least && *least < kNone ? least : std::nullopt;
}

}  // namespace hinny
