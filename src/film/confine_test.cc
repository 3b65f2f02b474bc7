#include "film/confine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <vector>

#include "film/answer.h"
#include "film/film_stream.h"
#include "film/written_film_fixture.h"
#include "tests/scratch.h"

namespace hinny::film {
namespace {

// What a process that is confined can do all the same, by what it says as it ends.
TEST(Confinement, LeavesNothingButMemoryAndWhatIsOpen) {
  if (kSanitized) GTEST_SKIP() << "there is no filter under sanitizers";
  const int kept = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(kept, 3);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(kept, STDIN_FILENO);
    limit_process(5);
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

TEST(Confinement, IsThereBeforeAFilmIsRead) {
  if (kSanitized) GTEST_SKIP() << "there is no filter under sanitizers";
  const Scratch folder;
  write_film(folder / "film", {{{60, 128, 128, 10}}});
  const int film = ::open((folder / "film").c_str(), O_RDONLY | O_CLOEXEC);
  for (const auto& words : std::vector<std::vector<std::string_view>>{
           {kFacts}, {kFrames, "4", "64"}, {kFrame, "0", "64"}}) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(film, STDIN_FILENO);
      ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
      if (answer(words) != 0) ::_exit(1);
      ::_exit(::open("/etc/hostname", O_RDONLY) >= 0 || errno != EPERM ? 2 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << status;
    EXPECT_EQ(WEXITSTATUS(status), 0) << words.front();
    ::lseek(film, 0, SEEK_SET);
  }
  ::close(film);
}

TEST(Confinement, EndsWhatTakesTooLong) {
  const pid_t child = ::fork();
  if (child == 0) {
    limit_process(1);
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
}  // namespace hinny::film
