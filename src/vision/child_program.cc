#include "vision/child_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"

namespace hinny {
namespace {

sigset_t signals_for_us() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    ::sigaddset(&signals, signal);
  }
  return signals;
}

class Spawning {
 public:
  explicit Spawning(std::span<const ChildProgram::Descriptor> descriptors) {
    ::posix_spawn_file_actions_init(&actions_);
    for (const auto& [ours, theirs] : descriptors) {
      ::posix_spawn_file_actions_adddup2(&actions_, ours, theirs);
    }
    ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    ::posix_spawnattr_init(&attributes_);
    const sigset_t blocked = signals_for_us();
    ::posix_spawnattr_setsigmask(&attributes_, &blocked);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  ~Spawning() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;

  // 0, or what went wrong.
  int start(const std::vector<std::string>& words, pid_t& child) const {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    return ::posix_spawn(&child, words.front().c_str(), &actions_, &attributes_, arguments.data(),
                         environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

ChildProgram::ChildProgram(const std::filesystem::path& program,
                           const std::vector<std::string>& words,
                           std::span<const Descriptor> descriptors) {
  std::vector<std::string> all = {program.string()};
  all.insert(all.end(), words.begin(), words.end());
  if (const int error = Spawning(descriptors).start(all, child_); error != 0) {
    throw Failure(fmt::format("cannot start {}: {}", program.string(), std::strerror(error)));
  }
}

ChildProgram::~ChildProgram() {
  if (ended()) return;
  ::kill(child_, SIGKILL);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> ChildProgram::ended() {
  if (status_) return status_;
  int status = 0;
  const pid_t found = ::waitpid(child_, &status, WNOHANG);
  if (found == child_) status_ = status;
  if (found < 0 && errno == ECHILD) status_ = 0;
  return status_;
}

int behind_standard_ones(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(descriptor);
  return copy;
}

}  // namespace hinny
