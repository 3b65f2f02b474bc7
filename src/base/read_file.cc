#include "base/read_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file_calls.h"

namespace hinny {
namespace fs = std::filesystem;

// Not by a map: a file that another program cuts short meanwhile would end this one.
std::string read_file(const fs::path& path, std::uint64_t most_bytes) {
  const OpenFile file(path);
  if (file.size() > most_bytes) {
    throw InputError(path, fmt::format("{} bytes", file.size()),
                     fmt::format("at most {}", most_bytes));
  }
  std::string bytes(file.size(), '\0');
  bytes.resize(file.read(bytes.data(), bytes.size()));
  return bytes;
}

}  // namespace hinny
