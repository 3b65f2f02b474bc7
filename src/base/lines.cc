#include <fmt/format.h>
#include <zlib.h>

#include <memory>

#include "base/error.h"
#include "base/files.h"

namespace hinny {
namespace {

constexpr std::size_t kLongestLine = std::size_t{16} << 20;

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

// Length of the well-formed sequence at the start of `text`, or 0.
std::size_t sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const unsigned first = at(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return is_continuation(at(1)) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    if (!is_continuation(at(1)) || !is_continuation(at(2))) return 0;
    if (first == 0xE0U && at(1) < 0xA0U) return 0;  // overlong
    if (first == 0xEDU && at(1) > 0x9FU) return 0;  // surrogate
    return 3;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    if (!is_continuation(at(1)) || !is_continuation(at(2)) || !is_continuation(at(3))) return 0;
    if (first == 0xF0U && at(1) < 0x90U) return 0;  // overlong
    if (first == 0xF4U && at(1) > 0x8FU) return 0;  // above U+10FFFF
    return 4;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void for_each_line(const std::filesystem::path& path,
                   const std::function<void(std::string_view, std::size_t)>& use,
                   Encoding encoding) {
  if (!std::filesystem::is_regular_file(path)) {
    throw InputError(path, std::filesystem::exists(path) ? "not a regular file" : "no such file",
                     "a text file");
  }
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) throw InputError(path, "cannot open", "a readable file");
  gzbuffer(file.get(), 1U << 18U);

  std::string line;
  std::string block(std::size_t{1} << 16, '\0');
  std::size_t number = 0;
  const auto finish = [&] {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (encoding == Encoding::utf8 && !is_utf8(line))
      throw InputError(path, number, "broken UTF-8", "UTF-8 text");
    use(line, number);
    line.clear();
  };
  for (;;) {
    const int count = gzread(file.get(), block.data(), static_cast<unsigned>(block.size()));
    if (count < 0) throw InputError(path, number + 1, "damaged gzip data", "a whole file");
    if (count == 0) break;
    std::string_view rest(block.data(), static_cast<std::size_t>(count));
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      line.append(rest.substr(0, end));
      finish();
      rest.remove_prefix(end + 1);
    }
    line.append(rest);
    if (line.size() > kLongestLine) {
      throw InputError(path, number + 1, "line too long", "at most 16 MiB");
    }
  }
  int problem = Z_OK;
  gzerror(file.get(), &problem);
  if (problem == Z_BUF_ERROR) throw InputError(path, "gzip data ends early", "a whole file");
  if (!line.empty()) finish();
}

}  // namespace hinny
