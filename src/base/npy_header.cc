#include "base/npy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/error.h"

namespace hinny {
namespace {

using namespace std::string_view_literals;

constexpr auto kMagic = "\x93NUMPY"sv;
constexpr std::size_t kMostDimensions = 32;  // NumPy's own limit
constexpr std::size_t kAlignment = 64;
constexpr std::int64_t kLongestRow = std::int64_t{1} << 24;  // so that a row can be allocated
constexpr std::size_t kRowDigits = 21;  // room that NumPy, too, leaves for the first dimension

// The header's dictionary, a small subset of Python: {'descr': '<f4', 'fortran_order': False,
// 'shape': (3, 4), }, then spaces and a line end.
class DictionaryReader {
 public:
  DictionaryReader(const std::filesystem::path& path, std::string_view text)
      : path_(path), rest_(text) {}

  NpyHeader read() {
    expect('{');
    while (!take('}')) {
      entry();
      if (take(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (!rest_.empty()) fail("text after the dictionary", "spaces and a line end");
    if (!type_ || !fortran_order_ || !shape_) {
      fail("incomplete header", "the keys descr, fortran_order and shape");
    }
    if (*fortran_order_) fail("array in Fortran order", "C order: numpy.ascontiguousarray");
    return {*type_, std::move(*shape_), 0, 0};
  }

 private:
  [[noreturn]] void fail(std::string_view what, std::string_view expected) const {
    throw InputError(path_, what, expected);
  }

  void skip_spaces() {
    const std::size_t end = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
  }
  bool take(char symbol) {
    skip_spaces();
    if (!rest_.starts_with(symbol)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char symbol) {
    if (!take(symbol)) fail("damaged header", fmt::format("'{}' in its dictionary", symbol));
  }

  std::string_view quoted() {
    skip_spaces();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') fail("damaged header", "a quoted word");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("damaged header", "a closing quote");
    const std::string_view word = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return word;
  }

  void entry() {
    const std::string_view key = quoted();
    expect(':');
    if (key == "descr" && !type_) {
      type_ = type();
    } else if (key == "fortran_order" && !fortran_order_) {
      fortran_order_ = boolean();
    } else if (key == "shape" && !shape_) {
      shape_ = shape();
    } else {
      fail("unknown or repeated header key", "descr, fortran_order and shape, each once");
    }
  }

  NpyType type() {
    constexpr auto expected = "float16 or float32, little endian: '<f2' or '<f4'";
    skip_spaces();
    if (rest_.starts_with('[')) fail("a structured array", expected);
    const std::string_view name = quoted();
    if (name == "<f2") return NpyType::float16;
    if (name == "<f4") return NpyType::float32;
    // A long or odd name is not repeated in the message.
    const bool plain = name.size() <= 8 && name.find_first_not_of("<>=|?biufcmOSUV0123456789") ==
                                               std::string_view::npos;
    fail(plain ? fmt::format("array of type '{}'", name) : "array of an unknown type", expected);
  }

  bool boolean() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view name = value ? "True" : "False";
      if (!rest_.starts_with(name)) continue;
      rest_.remove_prefix(name.size());
      return value;
    }
    fail("damaged header", "True or False for fortran_order");
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> sizes;
    expect('(');
    while (!take(')')) {
      sizes.push_back(number());
      if (sizes.size() > kMostDimensions) fail("too many dimensions", "at most 32");
      if (take(',')) continue;
      expect(')');
      if (sizes.size() == 1)
        fail("damaged header", "a tuple as shape");  // Python's (3) is a number
      break;
    }
    return sizes;
  }

  std::int64_t number() {
    skip_spaces();
    std::int64_t value = 0;
    const char* const end = rest_.data() + rest_.size();
    const auto [stop, problem] = std::from_chars(rest_.data(), end, value);
    if (problem != std::errc() || value < 0) fail("damaged header", "a shape of whole numbers");
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return value;
  }

  const std::filesystem::path& path_;
  std::string_view rest_;
  std::optional<NpyType> type_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::int64_t>> shape_;
};

// Little endian, `count` bytes.
std::size_t read_size(std::string_view bytes, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Sets row_size, and compares what the shape promises with what the file holds.
void check_size(const std::filesystem::path& path, NpyHeader& header, std::size_t data_bytes) {
  if (header.shape.size() < 2) {
    throw InputError(path, fmt::format("array of {} dimension(s)", header.shape.size()),
                     "two or more: one row per item");
  }
  const std::string shape = fmt::format("[{}]", fmt::join(header.shape, ", "));
  header.row_size = 1;
  for (std::size_t i = 1; i < header.shape.size(); ++i) {
    if (header.shape[i] == 0) {
      throw InputError(path, "empty rows in an array of shape " + shape, "dimensions above 0");
    }
    if (__builtin_mul_overflow(header.row_size, header.shape[i], &header.row_size) ||
        header.row_size > kLongestRow) {
      throw InputError(path, "absurd shape " + shape, "rows of at most 16777216 numbers");
    }
  }
  std::uint64_t bytes = bytes_per_number(header.type);
  if (__builtin_mul_overflow(bytes, header.row_size, &bytes) ||
      __builtin_mul_overflow(bytes, header.shape[0], &bytes) || bytes > data_bytes) {
    throw InputError(path, fmt::format("truncated: {} bytes of numbers", data_bytes),
                     "an array of shape " + shape);
  }
  if (bytes < data_bytes) {
    throw InputError(path, fmt::format("{} bytes after the last number", data_bytes - bytes),
                     "an array of shape " + shape);
  }
}

}  // namespace

std::size_t bytes_per_number(NpyType type) { return type == NpyType::float16 ? 2 : 4; }

NpyHeader read_npy_header(const std::filesystem::path& path, std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic)) throw InputError(path, "not an npy file", "a NumPy array");
  if (text.size() < 8) throw InputError(path, "truncated header", "a NumPy array");
  const int major = static_cast<unsigned char>(text[6]);
  if (major < 1 || major > 3 || text[7] != 0) {
    throw InputError(path, "unknown npy format version", "1.0, 2.0 or 3.0");
  }
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t start = 8 + length_bytes;
  if (text.size() < start) throw InputError(path, "truncated header", "a NumPy array");
  const std::size_t length = read_size(text.substr(8), length_bytes);
  if (length > text.size() - start) throw InputError(path, "truncated header", "a NumPy array");

  NpyHeader header = DictionaryReader(path, text.substr(start, length)).read();
  header.data_offset = start + length;
  check_size(path, header, text.size() - header.data_offset);
  return header;
}

std::string npy_header(NpyType type, std::int64_t rows, std::span<const std::int64_t> row_shape) {
  if (row_shape.empty() || row_shape.size() >= kMostDimensions) {
    throw std::invalid_argument("an npy array has 2 to 32 dimensions");
  }
  for (const std::int64_t size : row_shape) {
    if (size < 1) throw std::invalid_argument("an npy row has dimensions above 0");
  }
  const std::string digits = std::to_string(rows);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}{:{}}",
                  type == NpyType::float16 ? "<f2" : "<f4", digits, fmt::join(row_shape, ", "), "",
                  kRowDigits - digits.size());
  const std::size_t start = kMagic.size() + 4;
  text.append(kAlignment - 1 - (start + text.size()) % kAlignment, ' ');
  text += '\n';

  std::string header(kMagic);
  header += '\1';
  header += '\0';
  header += static_cast<char>(text.size() & 0xFFU);
  header += static_cast<char>(text.size() >> 8U);
  return header + text;
}

}  // namespace hinny
