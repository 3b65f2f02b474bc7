#include "vision/film_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file_calls.h"
#include "base/interrupt.h"
#include "film/film_stream.h"
#include "vision/child_program.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Larger than what any network sees; frames of one film are this much each on their way.
constexpr int kFrameSide = 1024;
constexpr const char* kExpected = "a film that FFmpeg reads";

struct OtherProgram {
  fs::path path;
  std::chrono::milliseconds time;
};
std::optional<OtherProgram>& other_program() {
  static std::optional<OtherProgram> program;
  return program;
}

fs::path film_program() {
  if (other_program()) return other_program()->path;
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / film::kProgram;
}

// hinny-film at work on a film: what it writes, until its time is over.
class FilmProcess {
 public:
  // `film` -1: none. `stops`: at Ctrl-C.
  FilmProcess(int film, const std::vector<std::string>& words, std::chrono::seconds time,
              bool stops)
      : stops_(stops), deadline_(Clock::now() + (other_program() ? other_program()->time : time)) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw Failure::from_errno("cannot make a pipe");
    output_ = pipe[0];
    const int theirs = behind_standard_ones(pipe[1]);
    std::vector<ChildProgram::Descriptor> descriptors;
    if (film >= 0) descriptors.push_back({film, STDIN_FILENO});  // first: it may be 1 here
    descriptors.push_back({theirs, STDOUT_FILENO});
    try {
      child_.emplace(film_program(), words, descriptors);
    } catch (...) {
      ::close(theirs);
      ::close(output_);
      throw;
    }
    ::close(theirs);
  }
  ~FilmProcess() { ::close(output_); }
  FilmProcess(const FilmProcess&) = delete;
  FilmProcess& operator=(const FilmProcess&) = delete;

  // A line without its end; nullopt where the output is over.
  std::optional<std::string> line() {
    for (;;) {
      if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
      }
      astray_ = buffer_.size() > film::kLongestLine;
      if (astray_ || !fill()) return std::nullopt;
    }
  }
  // False where the output ends before.
  bool read(std::span<std::uint8_t> bytes) {
    const std::size_t there = std::min(bytes.size(), buffer_.size());
    std::copy_n(buffer_.begin(), there, bytes.begin());
    buffer_.erase(0, there);
    for (bytes = bytes.subspan(there); !bytes.empty();) {
      const ssize_t count = read_some(bytes.data(), bytes.size());
      if (count <= 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }
  // Why it ended without saying so.
  std::string why_it_ended() {
    if (astray_) return "what reads it went astray";
    const std::optional<int> status = too_long_ ? std::nullopt : end();
    if (!status) return "it takes too long to read";
    if (!WIFSIGNALED(*status)) return "what reads it broke off";
    const int signal = WTERMSIG(*status);
    if (signal == SIGXCPU) return "it takes too long to read";
    return fmt::format("what reads it crashed (signal {})", signal);
  }

 private:
  bool fill() {
    std::array<char, 4096> bytes;  // NOLINT: filled by read
    const ssize_t count = read_some(bytes.data(), bytes.size());
    if (count > 0) buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }
  ssize_t read_some(void* bytes, std::size_t most) {
    for (;;) {
      if (stops_ && interrupted())
        throw Interrupted("stopped; the same command goes on where this was");
      if (Clock::now() > deadline_) {
        too_long_ = true;
        return -1;
      }
      pollfd ready{output_, POLLIN, 0};
      if (::poll(&ready, 1, 200) <= 0) continue;
      const ssize_t count = ::read(output_, bytes, most);
      if (count >= 0 || errno != EINTR) return count;
    }
  }

  // How it ended; nullopt where it does not, though it writes no more.
  std::optional<int> end() {
    while (Clock::now() < deadline_) {
      if (const auto status = child_->ended()) return status;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::nullopt;
  }

  bool stops_;
  Clock::time_point deadline_;
  std::optional<ChildProgram> child_;
  int output_ = -1;
  std::string buffer_;
  bool too_long_ = false, astray_ = false;
};

// The numbers of "frame MS WIDTH HEIGHT" behind its first word; false for anything else.
bool read_numbers(std::string_view text, std::span<std::int64_t> numbers) {
  for (std::int64_t& number : numbers) {
    if (!text.starts_with(' ')) return false;
    text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return text.empty();
}

bool take_word(std::string_view& line, std::string_view word) {
  if (!line.starts_with(word)) return false;
  line.remove_prefix(word.size());
  return true;
}

using TakeNote = std::function<void(std::string_view key, std::string_view text)>;

// What hinny-film answers to these words about a film, until it is done. It is not believed: what
// it writes may be a film's own work.
void ask_program(const fs::path& file, const std::vector<std::string>& words, int seconds, int side,
                 int most, const TakeNote& take_note, const TakeFrame& take_frame) {
  if (!reads_films()) {
    throw InputError(file, fmt::format("{} is not installed", film::kProgram), "");
  }
  const OpenFile film(file);
  FilmProcess process(film.descriptor(), words, std::chrono::seconds(film::kPatience * seconds),
                      words.front() != film::kFrame);
  int frames = 0;
  for (;;) {
    const auto line = process.line();
    if (!line) throw InputError(file, process.why_it_ended(), kExpected);
    std::string_view rest = *line;
    std::array<std::int64_t, 3> numbers{};
    if (rest == "end") return;
    if (take_word(rest, "error ")) throw InputError(file, rest, kExpected);
    if (take_word(rest, "fact ")) {
      const std::size_t blank = std::min(rest.find(' '), rest.size() - 1);
      take_note(rest.substr(0, blank), rest.substr(blank + 1));
    } else if (take_word(rest, "frame") && read_numbers(rest, numbers) && numbers[1] > 0 &&
               numbers[2] > 0 && std::max(numbers[1], numbers[2]) <= side && frames++ < most) {
      Picture frame{static_cast<int>(numbers[1]), static_cast<int>(numbers[2]), {}};
      frame.pixels.resize(static_cast<std::size_t>(3 * numbers[1] * numbers[2]));
      if (!process.read(frame.pixels)) throw InputError(file, process.why_it_ended(), kExpected);
      take_frame(numbers[0], frame);
    } else {
      throw InputError(file, "what reads it went astray", kExpected);
    }
  }
}

}  // namespace

void set_film_program(const fs::path& program, std::chrono::milliseconds time) {
  other_program() = OtherProgram{program, time};
}

bool reads_films() { return ::access(film_program().c_str(), X_OK) == 0; }

std::string film_reader_version() {
  if (!reads_films()) return "";
  FilmProcess process(-1, {film::kVersion}, std::chrono::seconds(film::kMostSecondsOfOneFrame),
                      true);
  const auto line = process.line();
  return line ? line->substr(line->rfind(' ') + 1) : "";
}

std::map<std::string, std::string> film_notes(const fs::path& film) {
  std::map<std::string, std::string> notes;
  ask_program(film, {film::kFacts}, film::kMostSecondsOfOneFrame, 0, 0,
              [&](std::string_view key, std::string_view text) { notes.emplace(key, text); }, {});
  return notes;
}

void read_film_frames(const fs::path& film, int most, const TakeFrame& take) {
  ask_program(
      film, {film::kFrames, std::to_string(most), std::to_string(kFrameSide)}, film::kMostSeconds,
      kFrameSide, most, [](auto, auto) {}, take);
}

Picture read_film_frame(const fs::path& film, std::int64_t at, int longest) {
  longest = std::min(longest, film::kMostSide);
  Picture frame;
  ask_program(
      film, {film::kFrame, std::to_string(at), std::to_string(longest)},
      film::kMostSecondsOfOneFrame, longest, 1, [](auto, auto) {},
      [&](std::int64_t, const Picture& read) { frame = read; });
  if (frame.width == 0) throw InputError(film, "no picture in it that can be decoded", kExpected);
  return frame;
}

}  // namespace hinny
