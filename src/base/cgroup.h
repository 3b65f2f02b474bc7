// What the control groups of Linux, versions 1 and 2, let this process have: containers and batch
// systems limit with them, and the number of cores and the free memory do not show it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace hinny {

// CPUs that our group, or one above it, may use at once, 1.5 say; nothing where there is no limit
// or none can be read. `root` has proc/self and the mounted hierarchies below it. Never throws.
std::optional<double> cpu_quota(const std::filesystem::path& root = "/");
// Bytes of memory, likewise.
std::optional<std::uint64_t> memory_limit(const std::filesystem::path& root = "/");

}  // namespace hinny
