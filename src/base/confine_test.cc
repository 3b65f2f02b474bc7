#include "base/confine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <new>
#include <thread>
#include <vector>

namespace hinny {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 30U;

TEST(Confinement, IsThereOnX86) {
#if defined(__x86_64__)
  EXPECT_NE(can_confine(), kSanitized);
#endif
}

// What a process that is confined can do all the same, by what it says as it ends.
TEST(Confinement, LeavesNothingButMemoryAndWhatIsOpen) {
  if (!can_confine()) GTEST_SKIP() << "there is no filter here";
  const int kept = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(kept, 3);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(kept, STDIN_FILENO);
    limit_process({.memory = kMemory, .seconds = 5});
    if (::fcntl(kept, F_GETFD) != -1) ::_exit(1);
    confine_process();
    char byte = 0;
    if (::read(STDIN_FILENO, &byte, 1) != 1 || ::lseek(STDIN_FILENO, 0, SEEK_SET) != 0) ::_exit(2);
    std::vector<char> memory(std::size_t{64} << 20U, 'x');
    if (memory.back() != 'x') ::_exit(3);
    if (::open("/etc/hostname", O_RDONLY) >= 0 || errno != EPERM) ::_exit(4);
    if (::socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM) ::_exit(5);
    if (::fork() >= 0) ::_exit(6);
    if (::unlink("/tmp/nothing") == 0 || errno != EPERM) ::_exit(7);
    rlimit limit{};
    limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
    if (::setrlimit(RLIMIT_CPU, &limit) == 0) ::_exit(8);
    ::_exit(0);
  }
  ::close(kept);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Confinement, LeavesThreadsAndOpenSocketsWhereTheyAreNeeded) {
  if (!can_confine()) GTEST_SKIP() << "there is no filter here";
  std::array<int, 2> sockets{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(sockets[1], STDIN_FILENO);
    limit_process({.memory = kMemory, .ends_with_starter = false});
    confine_process(MayAlso::answer_again);
    int number = 0;
    std::thread([&] { number = ::fork() < 0 && errno == EPERM ? 1 : 2; }).join();
    if (number != 1) ::_exit(1);
    // The kernel refuses this thread, which would share nothing; the filter a process, whose stack
    // is at an address that reads as the flag of a thread.
    if (::syscall(__NR_clone, CLONE_THREAD, 0, 0, 0, 0) >= 0 || errno != EINVAL) ::_exit(6);
    if (::syscall(__NR_clone, SIGCHLD, CLONE_THREAD, 0, 0, 0) >= 0 || errno != EPERM) ::_exit(7);
    if (::send(STDIN_FILENO, &number, sizeof number, 0) != sizeof number) ::_exit(2);
    if (::socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM) ::_exit(3);
    if (::open("/etc/hostname", O_RDONLY) >= 0 || errno != EPERM) ::_exit(4);
    if (::execl("/bin/true", "true", nullptr) == 0 || errno != EPERM) ::_exit(5);
    ::_exit(0);
  }
  ::close(sockets[1]);
  int number = 0;
  EXPECT_EQ(::recv(sockets[0], &number, sizeof number, 0), sizeof number);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  ::close(sockets[0]);
}

TEST(Confinement, BoundsMemory) {
  if (kSanitized) GTEST_SKIP() << "there is no bound under sanitizers";
  constexpr int kIgnored = 77;
  const pid_t child = ::fork();
  if (child == 0) {
    limit_process({.memory = kMemory, .seconds = 5});
    rlimit bound{};
    ::getrlimit(RLIMIT_AS, &bound);
    if (bound.rlim_cur != kMemory) ::_exit(kIgnored);
    confine_process();
    try {
      const std::vector<char> memory(kMemory);
      ::_exit(memory.back() == 0 ? 1 : 2);
    } catch (const std::bad_alloc&) {
      ::_exit(0);
    }
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  if (WEXITSTATUS(status) == kIgnored) GTEST_SKIP() << "bounds are ignored here, as by qemu-user";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Confinement, EndsWhatTakesTooLong) {
  const pid_t child = ::fork();
  if (child == 0) {
    limit_process({.memory = kMemory, .seconds = 1});
    confine_process();
    while (std::clock() >= 0) {
    }
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGXCPU);
}

}  // namespace
}  // namespace hinny
