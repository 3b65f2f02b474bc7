#include "base/text_file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/read_file.h"

namespace hinny {
namespace {

using namespace std::string_view_literals;

// Without a mark, every other byte of Latin letters is 0.
bool every_other_is_zero(std::string_view start, std::size_t first) {
  return start.size() >= 4 && (start[first] == '\0') && (start[first + 2] == '\0') &&
         start[1 - first] != '\0' && start[3 - first] != '\0';
}

// What it is instead of UTF-8, or "".
std::string_view other_encoding(std::string_view start) {
  if (start.starts_with("\xFF\xFE\0\0"sv) || start.starts_with("\0\0\xFE\xFF"sv)) return "UTF-32";
  if (start.starts_with("\xFF\xFE"sv)) return "UTF-16";  // as Windows calls "Unicode"
  if (start.starts_with("\xFE\xFF"sv)) return "UTF-16";
  if (every_other_is_zero(start, 1)) return "UTF-16LE";
  return every_other_is_zero(start, 0) ? "UTF-16BE" : "";
}

}  // namespace

std::string_view without_mark(std::string_view start, const std::filesystem::path& file) {
  if (const std::string_view encoding = other_encoding(start); !encoding.empty()) {
    throw InputError(file, fmt::format("is {} text", encoding),
                     fmt::format("UTF-8; iconv -f {} -t UTF-8 converts it", encoding));
  }
  if (start.starts_with(kByteOrderMark)) start.remove_prefix(kByteOrderMark.size());
  return start;
}

std::string read_text(const std::filesystem::path& path, std::uint64_t most_bytes) {
  std::string text = read_file(path, most_bytes);
  text.erase(0, text.size() - without_mark(text, path).size());
  return text;
}

}  // namespace hinny
