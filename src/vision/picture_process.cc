#include "vision/picture_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "base/error.h"

namespace hinny {
namespace {

using picture_stream::Answer;
using picture_stream::Ask;
using picture_stream::kPatience;
using picture_stream::Request;
using picture_stream::Said;

constexpr std::chrono::milliseconds kTick{500};
constexpr const char* kAstray = "its decoder went astray";

std::chrono::nanoseconds processor_time(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

PictureProcess::PictureProcess(const std::filesystem::path& program, std::chrono::milliseconds time)
    : time_(time) {
  try {
    start(program);
  } catch (...) {
    end();
    throw;
  }
}

PictureProcess::~PictureProcess() { end(); }

void PictureProcess::start(const std::filesystem::path& program) {
  std::array<int, 2> sockets{-1, -1};
  // It never becomes shorter: what is mapped is there.
  long_ = behind_standard_ones(::memfd_create("hinny-picture", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (long_ < 0 || ::fcntl(long_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0 ||
      ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    throw Failure::from_errno(fmt::format("cannot start {}", program.string()));
  }
  socket_ = sockets[0];
  const int theirs = behind_standard_ones(sockets[1]);
  const std::array<ChildProgram::Descriptor, 2> descriptors = {
      {{theirs, picture_stream::kSocket}, {long_, picture_stream::kLong}}};
  try {
    child_.emplace(program, std::vector<std::string>(), descriptors);
  } catch (...) {
    ::close(theirs);
    throw;
  }
  ::close(theirs);
  Answer answer;
  try {
    answer = receive();
  } catch (const PictureProcessEnded&) {
    throw Failure(fmt::format("cannot start {}: it ended", program.string()));
  }
  if (answer.said != Said::ready || answer.first != picture_stream::kVersion) {
    throw Failure(fmt::format("{} is of another version; start again", program.string()));
  }
}

void PictureProcess::end() {
  unmap();
  if (socket_ >= 0) ::close(socket_);
  if (long_ >= 0) ::close(long_);
  socket_ = long_ = -1;
  child_.reset();
}

void PictureProcess::send(const Request& request, int descriptor) {
  Request copy = request;
  iovec part{&copy, sizeof copy};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  if (descriptor >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  }
  waited_ = {};
  while (::sendmsg(socket_, &message, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) give_up();
  }
}

Answer PictureProcess::receive() {
  for (;;) {
    pollfd ready{socket_, POLLIN, 0};
    const int polled = ::poll(&ready, 1, static_cast<int>(kTick.count()));
    if (polled == 0) check_time();
    if (polled <= 0) continue;
    Answer answer;
    const ssize_t count = ::recv(socket_, &answer, sizeof answer, MSG_DONTWAIT);
    if (count == sizeof answer) return answer;
    if (count > 0) throw PictureProcessEnded(kAstray);
    if (count == 0 || (errno != EINTR && errno != EAGAIN)) give_up();
  }
}

// By ticks, not by the clock: while this process is stopped, too, no time passes.
void PictureProcess::check_time() {
  waited_ += kTick;
  if (waited_ < kPatience * time_ && processor_time(child_->id()) - began_ < time_) return;
  throw PictureProcessEnded(fmt::format("its decoder took longer than {} s",
                                        std::chrono::ceil<std::chrono::seconds>(time_).count()));
}

void PictureProcess::give_up() {
  ::close(socket_);  // without it the program ends, if it has not yet
  socket_ = -1;
  for (std::chrono::milliseconds waited{0}; waited < std::chrono::seconds(10);) {
    constexpr std::chrono::milliseconds kShort{2};
    if (const auto status = child_->ended()) {
      if (!WIFSIGNALED(*status)) throw PictureProcessEnded("its decoder broke off");
      throw PictureProcessEnded(fmt::format("its decoder crashed (signal {})", WTERMSIG(*status)));
    }
    ::poll(nullptr, 0, static_cast<int>(kShort.count()));
    waited += kShort;
  }
  throw PictureProcessEnded(kAstray);
}

Answer PictureProcess::ask(const Request& request, int descriptor,
                           const std::function<bool(std::uint64_t bytes)>& needs) {
  ++asked_;
  began_ = processor_time(child_->id());
  send(request, descriptor);
  Answer answer = receive();
  const bool decodes = request.ask == Ask::picture || request.ask == Ask::scenes;
  if (answer.said == Said::needs && decodes && answer.first >= 0) {
    send({.ask = needs(static_cast<std::uint64_t>(answer.first)) ? Ask::go_on : Ask::give_up}, -1);
    answer = receive();
  }
  if (answer.said == Said::no_memory) {
    throw PictureProcessEnded("its decoder takes more memory than a picture may");
  }
  const std::uint64_t most =
      answer.said == Said::picture ? picture_stream::kMostAnswer : picture_stream::kMostText;
  if (answer.said == Said::ready || answer.said == Said::needs || answer.bytes > most) {
    throw PictureProcessEnded(kAstray);
  }
  return answer;
}

std::span<const std::uint8_t> PictureProcess::bytes(const Answer& answer) {
  struct stat status {};
  if (::fstat(long_, &status) != 0 || static_cast<std::uint64_t>(status.st_size) < answer.bytes) {
    throw PictureProcessEnded(kAstray);
  }
  if (answer.bytes > mapped_bytes_) {
    unmap();
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, long_, 0);
    if (mapped == MAP_FAILED) throw Failure::from_errno("cannot map a picture");
    mapped_ = mapped;
    mapped_bytes_ = size;
  }
  return {static_cast<const std::uint8_t*>(mapped_), static_cast<std::size_t>(answer.bytes)};
}

void PictureProcess::unmap() {
  if (mapped_ != nullptr) ::munmap(mapped_, mapped_bytes_);
  mapped_ = nullptr;
  mapped_bytes_ = 0;
}

void PictureProcess::forget() {
  constexpr auto kKept = static_cast<std::size_t>(picture_stream::kKept);
  if (mapped_bytes_ <= kKept) return;
  ::fallocate(long_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, off_t{kKept},
              static_cast<off_t>(mapped_bytes_ - kKept));
}

}  // namespace hinny
