#include "vision/picture_program.h"

#include <sys/mman.h>
#include <unistd.h>

#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/request_error.h"
#include "base/threads.h"
#include "vision/decoding_memory.h"
#include "vision/picture_process.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using picture_stream::Answer;
using picture_stream::Ask;
using picture_stream::Said;

// Those that wait for the next picture.
class PictureProcesses {
 public:
  bool there() {
    const std::lock_guard guard(lock_);
    find();
    return !program_.empty();
  }
  // `fresh`: one that has read no picture yet.
  std::unique_ptr<PictureProcess> take(bool fresh) {
    std::unique_lock guard(lock_);
    if (!fresh && !waiting_.empty()) {
      auto process = std::move(waiting_.back());
      waiting_.pop_back();
      return process;
    }
    find();
    const fs::path program = program_;
    const std::chrono::milliseconds time = time_;
    guard.unlock();
    return std::make_unique<PictureProcess>(program, time);
  }
  void give(std::unique_ptr<PictureProcess> process) {
    const std::lock_guard guard(lock_);
    if (waiting_.size() < static_cast<std::size_t>(thread_count())) {
      waiting_.push_back(std::move(process));
    }
  }
  // For pixels: memory that an earlier picture had, as the kernel takes its time to give any.
  std::vector<std::uint8_t> buffer() {
    const std::lock_guard guard(lock_);
    if (buffers_.empty()) return {};
    auto buffer = std::move(buffers_.back());
    buffers_.pop_back();
    return buffer;
  }
  void give(std::vector<std::uint8_t> buffer) {
    const std::lock_guard guard(lock_);
    if (buffer.capacity() > 0 && buffer.capacity() <= picture_stream::kKept &&
        buffers_.size() < static_cast<std::size_t>(thread_count())) {
      buffers_.push_back(std::move(buffer));
    }
  }
  void release() {
    const std::lock_guard guard(lock_);
    waiting_.clear();
    buffers_.clear();
  }
  void set(const fs::path& program, std::chrono::milliseconds time) {
    release();
    const std::lock_guard guard(lock_);
    program_ = program;
    time_ = time;
    found_ = true;
  }

 private:
  void find() {
    if (found_) return;
    found_ = true;
    std::error_code error;
    program_ = fs::read_symlink("/proc/self/exe", error).parent_path() / picture_stream::kProgram;
    if (::access(program_.c_str(), X_OK) != 0) program_.clear();
  }

  std::mutex lock_;
  bool found_ = false;
  fs::path program_;
  std::chrono::milliseconds time_ = std::chrono::seconds(picture_stream::kMostSeconds);
  std::vector<std::unique_ptr<PictureProcess>> waiting_;
  std::vector<std::vector<std::uint8_t>> buffers_;
};

PictureProcesses& processes() {
  static PictureProcesses all;
  return all;
}

// What came of asking: of a picture, its pixels.
struct Outcome {
  Answer answer;
  std::string text;
  Picture picture;
};

Outcome read_outcome(PictureProcess& process, const Answer& answer) {
  Outcome outcome{answer, {}, {}};
  const std::span<const std::uint8_t> bytes = process.bytes(answer);
  std::size_t pixels = 0;
  if (answer.said == Said::picture) {
    constexpr auto kMost = static_cast<std::int64_t>(picture_stream::kMostAnswer / 3);
    const bool possible = answer.first > 0 && answer.second > 0 && answer.first <= kMost &&
                          answer.second <= kMost / answer.first;
    if (possible) pixels = static_cast<std::size_t>(3 * answer.first * answer.second);
    if (!possible || pixels > bytes.size() || bytes.size() - pixels > picture_stream::kMostText) {
      throw PictureProcessEnded("its decoder went astray");
    }
    outcome.picture = {static_cast<int>(answer.first), static_cast<int>(answer.second),
                       processes().buffer()};
    outcome.picture.pixels.assign(bytes.begin(),
                                  bytes.begin() + static_cast<std::ptrdiff_t>(pixels));
  }
  outcome.text.assign(bytes.begin() + static_cast<std::ptrdiff_t>(pixels), bytes.end());
  process.forget();
  return outcome;
}

// `held`: the memory that it counts for, until that is destroyed.
Outcome ask_apart(const picture_stream::Request& request, int descriptor, Said wanted,
                  std::optional<DecodingMemory>& held) {
  std::exception_ptr busy;
  const auto needs = [&](std::uint64_t bytes) {
    try {
      held.emplace(bytes);
    } catch (const DecodingBusy&) {
      busy = std::current_exception();
    }
    return busy == nullptr;
  };
  for (bool fresh = false;; fresh = true) {
    auto process = processes().take(fresh);
    fresh = process->fresh();
    try {
      Outcome outcome = read_outcome(*process, process->ask(request, descriptor, needs));
      const Said said = outcome.answer.said;
      const bool expected = said == wanted || said == Said::refused || said == Said::unreadable ||
                            (said == Said::gave_up && busy);
      if (!expected) throw PictureProcessEnded("its decoder went astray");
      processes().give(std::move(process));
      if (busy) std::rethrow_exception(busy);
      if (said == Said::refused) throw RequestError(outcome.text);
      if (said == Said::unreadable) throw CannotRead(static_cast<int>(outcome.answer.first));
      return outcome;
    } catch (const PictureProcessEnded& how) {  // an earlier picture may be to blame
      held.reset();
      if (fresh) throw RequestError(how.what());
    }
  }
}

Outcome ask_apart(Ask ask, int descriptor, Said wanted) {
  std::optional<DecodingMemory> held;
  return ask_apart({.ask = ask}, descriptor, wanted, held);
}

}  // namespace

bool decodes_apart() { return processes().there(); }

void set_picture_program(const fs::path& program, std::chrono::milliseconds time) {
  processes().set(program, time);
}

void release_picture_programs() { processes().release(); }

void decode_apart(int descriptor, const Enough& enough, const TakePicture& take, std::int64_t at) {
  std::optional<DecodingMemory> held;
  Outcome outcome =
      ask_apart({.ask = Ask::picture, .shorter = enough.shorter, .longer = enough.longer, .at = at},
                descriptor, Said::picture, held);
  outcome.picture.warning = std::move(outcome.text);
  take(std::move(outcome.picture));
  processes().give(std::move(outcome.picture.pixels));  // unless that was taken
}

std::vector<std::int64_t> scenes_apart(int descriptor, int most) {
  std::optional<DecodingMemory> held;
  const Outcome outcome =
      ask_apart({.ask = Ask::scenes, .most = most}, descriptor, Said::scenes, held);
  std::vector<std::int64_t> scenes;
  if (!picture_stream::read_scenes_text(outcome.text, most, scenes)) {
    throw RequestError("its decoder went astray");
  }
  return scenes;
}

PictureSize size_apart(int descriptor) {
  const Answer answer = ask_apart(Ask::size, descriptor, Said::size).answer;
  return {answer.first, answer.second};
}

PictureNotes notes_apart(int descriptor) {
  PictureNotes notes;
  const Outcome outcome = ask_apart(Ask::notes, descriptor, Said::notes);
  if (!picture_stream::read_notes_text(outcome.text, notes)) {
    throw RequestError("its decoder went astray");
  }
  return notes;
}

PassedBytes::PassedBytes(std::span<const std::byte> bytes)
    : descriptor_(::memfd_create("picture", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw Failure::from_errno("cannot hold a picture");
  if (write_all(descriptor_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()})) return;
  const Failure why = Failure::from_errno("cannot hold a picture");
  ::close(descriptor_);
  throw Failure(why);
}

PassedBytes::~PassedBytes() { ::close(descriptor_); }

}  // namespace hinny
