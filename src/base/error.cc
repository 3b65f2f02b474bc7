#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/terminal_text.h"

namespace hinny {
namespace {

std::string expecting(std::string_view expected) {
  return expected.empty() ? std::string() : fmt::format(" (expected {})", expected);
}

}  // namespace

InputError::InputError(std::string_view what, std::string_view expected)
    : std::runtime_error(terminal_text(fmt::format("{}{}", what, expecting(expected)))) {}

InputError::InputError(const std::filesystem::path& file, std::string_view what,
                       std::string_view expected)
    : std::runtime_error(
          terminal_text(fmt::format("{}: {}{}", file.string(), what, expecting(expected)))) {}

InputError::InputError(const std::filesystem::path& file, std::size_t line, std::string_view what,
                       std::string_view expected)
    : std::runtime_error(terminal_text(
          fmt::format("{}:{}: {}{}", file.string(), line, what, expecting(expected)))) {}

Failure Failure::from_errno(std::string_view what) {
  const int error = errno;  // before anything else can change it
  return Failure(terminal_text(fmt::format("{}: {}", what, std::strerror(error))));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace hinny
