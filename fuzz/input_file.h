// The fuzzer's bytes as a file, for readers that take a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace hinny {

// The same file in memory for each input, with new content. Empty when that cannot be written.
inline std::filesystem::path input_file(const std::uint8_t* data, std::size_t size) {
  static const int descriptor = memfd_create("input", 0);
  if (ftruncate(descriptor, 0) != 0 ||
      pwrite(descriptor, data, size, 0) != static_cast<ssize_t>(size)) {
    return {};
  }
  return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace hinny
