// Text files, line by line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace hinny {

// Lines of a text file, streamed, plain or gzip (told by content, not by name). "\r\n" counts
// as one line end. A line longer than kLongestLine is an InputError that names the line, and so is
// broken UTF-8 unless any bytes are welcome.
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20U;  // bytes
enum class Encoding { utf8, any };
using UseLine = std::function<void(std::string_view text, std::size_t line)>;
void for_each_line(const std::filesystem::path& path, const UseLine& use,
                   Encoding encoding = Encoding::utf8);

// The same lines one by one, for what reads several files in step. Throws as for_each_line does.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path);
  LineReader(LineReader&&) noexcept;
  ~LineReader();
  // Good until the next call; nothing after the last line.
  std::optional<std::string_view> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same of standard input, each line as soon as it is there, at most `longest` bytes (whole
// MiB). Stops with Interrupted after Ctrl-C.
void for_each_input_line(const UseLine& use, std::size_t longest = kLongestLine);

}  // namespace hinny
