#include "training/loop/run_lock.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

TEST(RunLock, TheSecondWriterHearsWhoTheFirstIs) {
  const Scratch scratch;
  const fs::path run = scratch / "runs" / "a";
  auto first = std::make_unique<RunLock>(run);
  EXPECT_THAT([&] { RunLock second(run); },
              testing::ThrowsMessage<InputError>(testing::AllOf(
                  testing::HasSubstr(run.string()),
                  testing::HasSubstr("process " + std::to_string(::getpid()) + " on "))));
  first.reset();
  EXPECT_NO_THROW(RunLock{run});
}

TEST(RunLock, LeavesNothingUnlessSomethingWasWritten) {
  const Scratch scratch;
  { const RunLock lock(scratch / "runs" / "a"); }
  EXPECT_FALSE(fs::exists(scratch / "runs"));
  {
    const RunLock lock((scratch / "runs" / "a").string() + "/");
    write_file(scratch / "runs" / "a" / "x", "x");
  }
  EXPECT_TRUE(fs::exists(scratch / "runs" / "a" / "x"));
  EXPECT_FALSE(fs::exists(scratch / "runs" / "a" / ".lock"));
  fs::create_directories(scratch / "there");
  { const RunLock lock(scratch / "there"); }
  EXPECT_TRUE(fs::exists(scratch / "there"));
}

TEST(RunLock, OfAKilledProcessIsNone) {
  const Scratch scratch;
  const fs::path run = scratch / "a";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const RunLock lock(run);
    if (::write(ready[1], "x", 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_THROW(RunLock{run}, InputError);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_NO_THROW(RunLock{run});
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(RunLock, AFolderThatCannotBeMadeIsAFailure) {
  const Scratch scratch;
  write_file(scratch / "file", "");
  EXPECT_THROW(RunLock{scratch / "file" / "run"}, Failure);
}

}  // namespace
}  // namespace hinny
