#include "film/answer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <vector>

#include "base/confine.h"
#include "film/film_stream.h"
#include "film/written_film_fixture.h"
#include "tests/scratch.h"

namespace hinny::film {
namespace {

TEST(Confinement, IsThereBeforeAFilmIsRead) {
  if (!can_confine()) GTEST_SKIP() << "there is no filter here";
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

}  // namespace
}  // namespace hinny::film
