// Which of several processes this one is, as the tools that start them say in the environment.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace hinny {

struct Launch {
  int rank = 0;  // of `size`, from 0
  int size = 1;
  int here = 1;        // processes that share this one's cores
  std::string host{};  // where process 0 is, and the port at which the others find it
  std::uint16_t port = 0;

  bool operator==(const Launch&) const = default;
};

// The value of a variable, or nothing.
using Environment = std::function<std::optional<std::string>(const std::string&)>;
Environment process_environment();

// RANK and WORLD_SIZE (torchrun), else Slurm's, Open MPI's or PMI's; MASTER_ADDR and MASTER_PORT.
// Nothing for one process. Under torchrun its agent holds MASTER_PORT for itself, and the port is
// the next one. InputError when the variables do not fit each other.
std::optional<Launch> launch_from(const Environment& environment);

// Sets the variables from which launch_from reads `launch`.
void put_into_environment(const Launch& launch);

}  // namespace hinny
