#include "training/processes/launch.h"

#include <gmock/gmock.h>

#include <map>

#include "base/error.h"

namespace hinny {
namespace {

std::optional<Launch> launch_of(const std::map<std::string, std::string>& variables) {
  return launch_from([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

std::string error_of(const std::map<std::string, std::string>& variables) {
  try {
    launch_of(variables);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Launch, IsReadAsEachStarterSaysIt) {
  Launch wanted{1, 4, 2, "node7", 29500};
  EXPECT_EQ(launch_of({{"RANK", "1"},
                       {"WORLD_SIZE", "4"},
                       {"LOCAL_WORLD_SIZE", "2"},
                       {"MASTER_ADDR", "node7"},
                       {"MASTER_PORT", "29500"}}),
            wanted);
  wanted.here = 1;
  EXPECT_EQ(launch_of({{"SLURM_PROCID", "1"},
                       {"SLURM_NTASKS", "4"},
                       {"MASTER_ADDR", "node7"},
                       {"MASTER_PORT", "29500"}}),
            wanted);
  EXPECT_EQ(launch_of({{"OMPI_COMM_WORLD_RANK", "1"},
                       {"OMPI_COMM_WORLD_SIZE", "4"},
                       {"MASTER_ADDR", "node7"},
                       {"MASTER_PORT", "29500"}}),
            wanted);
  EXPECT_EQ(launch_of({{"PMI_RANK", "1"},
                       {"PMI_SIZE", "4"},
                       {"MASTER_ADDR", "node7"},
                       {"MASTER_PORT", "29500"}}),
            wanted);
}

TEST(Launch, TorchrunsAgentHasThePortForItself) {
  const auto launch = launch_of({{"RANK", "0"},
                                 {"WORLD_SIZE", "2"},
                                 {"MASTER_ADDR", "localhost"},
                                 {"MASTER_PORT", "29500"},
                                 {"TORCHELASTIC_USE_AGENT_STORE", "True"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->port, 29501);
}

TEST(Launch, OneProcessIsNoGroup) {
  EXPECT_FALSE(launch_of({}));
  EXPECT_FALSE(launch_of({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
  EXPECT_FALSE(launch_of({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "1"}}));
}

TEST(Launch, SaysWhichVariableIsWrong) {
  EXPECT_THAT(error_of({{"WORLD_SIZE", "2"}}), testing::HasSubstr("no RANK"));
  EXPECT_THAT(error_of({{"WORLD_SIZE", "two"}}), testing::HasSubstr("WORLD_SIZE is 'two'"));
  EXPECT_THAT(error_of({{"WORLD_SIZE", "2"}, {"RANK", "2"}}), testing::HasSubstr("RANK = 2"));
  EXPECT_THAT(error_of({{"SLURM_NTASKS", "2"}, {"SLURM_PROCID", "0"}}),
              testing::HasSubstr("no MASTER_ADDR"));
  EXPECT_THAT(error_of({{"WORLD_SIZE", "2"}, {"RANK", "0"}, {"MASTER_ADDR", "a"}}),
              testing::HasSubstr("no MASTER_PORT"));
  EXPECT_THAT(
      error_of(
          {{"WORLD_SIZE", "2"}, {"RANK", "0"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "70000"}}),
      testing::HasSubstr("MASTER_PORT is '70000'"));
}

TEST(Launch, WhatIsPutIntoTheEnvironmentIsFoundThere) {
  const Launch launch{1, 2, 2, "127.0.0.1", 40000};
  put_into_environment(launch);
  EXPECT_EQ(launch_from(process_environment()), launch);
  for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"})
    ::unsetenv(name);
}

}  // namespace
}  // namespace hinny
