#include "base/lines.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/text_file.h"
#include "base/unpacked_file.h"
#include "base/utf8.h"

namespace hinny {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

// Blocks of bytes -> lines.
class LineSplitter {
 public:
  LineSplitter(std::filesystem::path name, const UseLine& use, std::size_t longest,
               Encoding encoding)
      : name_(std::move(name)), use_(use), longest_(longest), encoding_(encoding) {}

  std::size_t number() const { return number_; }  // lines so far
  void add(std::string_view block) {
    for (std::size_t end = block.find('\n'); end != std::string_view::npos;
         end = block.find('\n')) {
      if (line_.empty() && end <= longest_) {
        use_line(block.substr(0, end));
      } else {
        append(block.substr(0, end));
        use_line(line_);
      }
      block.remove_prefix(end + 1);
    }
    append(block);
  }
  // The last line may have no end.
  void finish() {
    refuse_returns_alone();
    if (number_ == 0 && line_ == kByteOrderMark) return;
    if (!line_.empty()) use_line(line_);
  }

 private:
  void append(std::string_view part) {
    if (line_.size() + part.size() > longest_) {
      refuse_returns_alone();
      throw InputError(name_, number_ + 1, "line too long",
                       fmt::format("at most {} MiB", longest_ >> 20U));
    }
    line_.append(part);
  }
  void use_line(std::string_view line) {
    ++number_;
    if (number_ == 1) line = without_mark(line, name_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (encoding_ == Encoding::utf8 && !is_utf8(line)) {
      throw InputError(name_, number_, "broken UTF-8", "UTF-8 text");
    }
    use_(line, number_);
    line_.clear();
  }
  // A file without any other end of line is not one line, whatever its readers would make of it.
  void refuse_returns_alone() const {
    if (number_ > 0) return;
    const std::size_t at = line_.find('\r');
    if (at == std::string::npos || at + 1 == line_.size()) return;
    throw InputError(name_, "lines that end in CR alone, as on old Macs",
                     "LF or CR LF; tr '\\r' '\\n' converts it");
  }

  std::filesystem::path name_;
  const UseLine& use_;
  std::size_t longest_;
  Encoding encoding_;
  std::string line_;
  std::size_t number_ = 0;
};

// A text file, block by block.
class SplitFile {
 public:
  SplitFile(const std::filesystem::path& path, const UseLine& use, Encoding encoding)
      : path_(path), file_(checked(path)), lines_(path, use, kLongestLine, encoding) {}

  // Uses the lines that end in the next block; false when that was the last.
  bool use_block() {
    const std::size_t count = file_.read(block_.data(), block_.size());
    lines_.add(std::string_view(block_).substr(0, count));
    if (count > 0) return true;
    if (file_.problem() != nullptr) {
      throw InputError(path_, lines_.number() + 1, file_.problem(), "a whole file");
    }
    lines_.finish();
    return false;
  }

 private:
  static const std::filesystem::path& checked(const std::filesystem::path& path) {
    if (std::filesystem::is_regular_file(path)) return path;
    throw InputError(path, std::filesystem::exists(path) ? "not a regular file" : "no such file",
                     "a text file");
  }

  std::filesystem::path path_;
  UnpackedFile file_;
  LineSplitter lines_;
  std::string block_ = std::string(kBlock, '\0');
};

}  // namespace

void for_each_line(const std::filesystem::path& path, const UseLine& use, Encoding encoding) {
  SplitFile file(path, use, encoding);
  while (file.use_block()) {
  }
}

struct LineReader::State {
  std::vector<std::string> lines;  // of the last block
  std::size_t next = 0;
  bool more = true;
  UseLine keep = [this](std::string_view line, std::size_t) { lines.emplace_back(line); };
  std::function<bool()> use_block;
};

LineReader::LineReader(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  state_->use_block = [file = std::make_shared<SplitFile>(path, state_->keep, Encoding::utf8)] {
    return file->use_block();
  };
}
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader::~LineReader() = default;

std::optional<std::string_view> LineReader::next() {
  State& state = *state_;
  while (state.next == state.lines.size() && state.more) {
    state.lines.clear();
    state.next = 0;
    state.more = state.use_block();
  }
  if (state.next == state.lines.size()) return {};
  return state.lines[state.next++];
}

void for_each_input_line(const UseLine& use, std::size_t longest) {
  LineSplitter lines("standard input", use, longest, Encoding::utf8);
  std::string block(kBlock, '\0');
  for (;;) {
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    const bool ready = ::poll(&input, 1, -1) >= 0;  // a signal ends it, but not read()
    stop_if_interrupted();
    const ssize_t count = ready ? ::read(STDIN_FILENO, block.data(), block.size()) : -1;
    if (count == 0) break;
    if (count > 0) {
      lines.add(std::string_view(block).substr(0, static_cast<std::size_t>(count)));
    } else if (errno != EINTR && errno != EAGAIN) {
      throw Failure::from_errno("cannot read standard input");
    }
  }
  lines.finish();
}

}  // namespace hinny
