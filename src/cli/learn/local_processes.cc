#include "cli/learn/local_processes.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/terminal_text.h"
#include "training/processes/launch.h"

namespace hinny {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kWrongInput = 2;
constexpr auto kToNotice = std::chrono::seconds(20);
constexpr const char* kHere = "127.0.0.1";

// One that nobody listens at now.
std::uint16_t free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  const bool ok =
      socket >= 0 && ::bind(socket, plain, size) == 0 && ::getsockname(socket, plain, &size) == 0;
  if (socket >= 0) ::close(socket);
  if (!ok) throw Failure::from_errno("no free port");
  return ntohs(address.sin_port);
}

// The words of this process's own command line.
std::vector<std::string> own_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\0', begin);
    words.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return words;
}

pid_t start(std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw Failure::from_errno("cannot start a process");
  if (child > 0) return child;
  // Of its own group, so that Ctrl-C reaches it once: from the parent.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  ::execv("/proc/self/exe", argv.data());
  ::_exit(127);
}

class Children {
 public:
  explicit Children(int count) : count_(count) {
    std::vector<std::string> words = own_words();
    Launch launch{0, count, count, kHere, free_port()};
    for (; launch.rank < count; ++launch.rank) {
      put_into_environment(launch);
      running_[start(words)] = launch.rank;
    }
  }

  int wait() {
    bool told = false;
    while (!running_.empty()) {
      int status = 0;
      const pid_t ended = ::waitpid(-1, &status, WNOHANG);
      if (ended > 0) note_end(ended, status);
      if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (interrupted() && !told) {
        told = true;
        signal_all(SIGTERM);
      }
      if (code_ != 0 && Clock::now() > failed_ + kToNotice) signal_all(SIGKILL);
    }
    return code_;
  }

 private:
  void note_end(pid_t child, int status) {
    const auto found = running_.find(child);
    if (found == running_.end()) return;
    const int rank = found->second;
    running_.erase(found);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (code == 0 || code_ != 0) return;
    code_ = code;
    failed_ = Clock::now();
    if (code == kWrongInput) end_the_rest();
    if (WIFSIGNALED(status)) {
      print_line(stderr, "error: process {} of {} was ended by signal {} ({})\n", rank, count_,
                 WTERMSIG(status), ::strsignal(WTERMSIG(status)));
    }
  }

  // What one was refused, all are: the others wait for it. Process 0 may have something to put
  // away.
  void end_the_rest() {
    for (const auto& [child, rank] : running_) ::kill(child, rank == 0 ? SIGTERM : SIGKILL);
  }

  void signal_all(int signal) {
    for (const auto& [child, rank] : running_) ::kill(child, signal);
  }

  int count_;
  std::map<pid_t, int> running_;  // -> rank
  int code_ = 0;
  Clock::time_point failed_;
};

}  // namespace

int run_processes(int count) { return Children(count).wait(); }

}  // namespace hinny
