#include "text/vec_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/error.h"
#include "base/lines.h"

namespace hinny {
namespace {

constexpr std::size_t kMostDimensions = 1U << 16U;

struct Header {
  std::uint64_t words = 0;
  std::size_t dim = 0;
};

template <typename Number>
bool parse_whole(std::string_view text, Number& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

std::string_view without_space_at_end(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);  // fastText ends its lines with one
  return text;
}

// "2000000 300", and nothing else: a word with one value would be a vector of one dimension.
std::optional<Header> parse_header(std::string_view line) {
  const std::size_t space = line.find(' ');
  Header header;
  if (space == std::string_view::npos || !parse_whole(line.substr(0, space), header.words) ||
      !parse_whole(line.substr(space + 1), header.dim)) {
    return std::nullopt;
  }
  return header;
}

void check_dim(const std::filesystem::path& path, std::size_t dim) {
  if (dim == 0 || dim > kMostDimensions) {
    throw InputError(path, 1, fmt::format("vectors of {} numbers", dim),
                     fmt::format("1 to {}", kMostDimensions));
  }
}

}  // namespace

void VecLine::parse(std::span<float> out) const {
  std::string_view rest = numbers_;
  for (float& value : out) {
    const std::string_view number = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(number.size() + 1, rest.size()));
    double wide = 0.0;  // takes numbers too small for a float, which become 0
    if (!parse_whole(number, wide) || !std::isfinite(static_cast<float>(wide))) {
      throw InputError(file_, line_, fmt::format("'{}' in the vector of '{}'", number, word_),
                       "a finite number");
    }
    value = static_cast<float>(wide);
  }
}

void for_each_vec_line(const std::filesystem::path& path, Encoding encoding,
                       const std::function<void(const VecLine&, std::size_t)>& use) {
  std::optional<Header> header;
  std::size_t dim = 0;
  std::uint64_t words = 0;
  for_each_line(
      path,
      [&](std::string_view text, std::size_t line) {
        text = without_space_at_end(text);
        if (line == 1 && (header = parse_header(text))) {
          check_dim(path, dim = header->dim);
          return;
        }
        const auto values = static_cast<std::size_t>(std::ranges::count(text, ' '));
        if (dim == 0) check_dim(path, dim = values);
        const std::size_t space = std::min(text.find(' '), text.size());
        if (values != dim || space == 0) {
          throw InputError(path, line, fmt::format("a word with {} values", values),
                           fmt::format("a word and {} values, one space between", dim));
        }
        ++words;
        use(VecLine(path, line, text.substr(0, space), text.substr(space + 1)), dim);
      },
      encoding);
  if (header && header->words != words) {
    throw InputError(path, fmt::format("{} words", words),
                     fmt::format("{}, as its first line says", header->words));
  }
  if (words == 0) throw InputError(path, "no word vectors", "lines of a word and its numbers");
}

}  // namespace hinny
