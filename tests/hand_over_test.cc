// What `hinny` hands to the program that has the verb.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "tests/program.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// A copy of hinny whose neighbour says how OpenMP's threads are to wait.
class HandOver : public ::testing::Test {
 protected:
  HandOver() {
    fs::copy_file(HINNY_PROGRAM, folder_ / "hinny");
    const fs::path learn = folder_ / "hinny-learn";
    write_file(learn, "#!/bin/sh\necho \"$GOMP_SPINCOUNT $1 $2\"\n");
    fs::permissions(learn, fs::perms::owner_all);
  }
  Outcome run(const std::vector<std::string>& arguments) const {
    return run_program((folder_ / "hinny").c_str(), arguments);
  }

  Scratch folder_;
};

TEST_F(HandOver, LibtorchsThreadsLeaveTheCoresSoon) {
  EXPECT_EQ(run({"train", "bag"}).out, "1000 train bag\n");
}

TEST_F(HandOver, UnlessTheEnvironmentSaysHowTheyWait) {
  ::setenv("OMP_WAIT_POLICY", "active", 1);
  const Outcome outcome = run({"train", "bag"});
  ::unsetenv("OMP_WAIT_POLICY");
  EXPECT_EQ(outcome.out, " train bag\n");
}

}  // namespace
}  // namespace hinny
