// One running hinny-picture. Internal to this level.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>

#include "vision/child_program.h"
#include "vision/picture_stream.h"

namespace hinny {

// It ended, or had to be ended: what() says how.
class PictureProcessEnded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class PictureProcess {
 public:
  // Throws Failure where it does not start. `time`: of a processor, for one picture.
  PictureProcess(const std::filesystem::path& program, std::chrono::milliseconds time);
  // Ends it.
  ~PictureProcess();
  PictureProcess(const PictureProcess&) = delete;
  PictureProcess& operator=(const PictureProcess&) = delete;

  // Its last answer; `needs` says whether it may go on, with so many bytes. Throws
  // PictureProcessEnded: then no more can be asked of it.
  picture_stream::Answer ask(const picture_stream::Request& request, int descriptor,
                             const std::function<bool(std::uint64_t bytes)>& needs);
  // What came with the answer, until the next one; the program may still change it. Throws
  // PictureProcessEnded where it did not come.
  std::span<const std::uint8_t> bytes(const picture_stream::Answer& answer);
  // Was asked nothing yet.
  bool fresh() const { return asked_ == 0; }
  // Gives memory back that a large answer took, beyond what is kept for the next one.
  void forget();

 private:
  void start(const std::filesystem::path& program);
  void send(const picture_stream::Request& request, int descriptor);
  picture_stream::Answer receive();
  void check_time();
  [[noreturn]] void give_up();  // by what has become of it
  void unmap();
  void end();

  std::chrono::milliseconds time_;
  std::optional<ChildProgram> child_;
  int socket_ = -1, long_ = -1;
  void* mapped_ = nullptr;  // of long_
  std::size_t mapped_bytes_ = 0;
  std::uint64_t asked_ = 0;
  std::chrono::nanoseconds began_{0};  // of its processor time
  std::chrono::milliseconds waited_{0};
};

}  // namespace hinny
