#include "training/processes/launch.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <vector>

#include "base/error.h"

namespace hinny {
namespace {

// Names of one number, of which the first that is set counts: torchrun, Slurm, Open MPI, PMI.
using Names = std::vector<std::string>;
const Names kRank = {"RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"};
const Names kSize = {"WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
// Slurm and MPI give each process cores of its own; torchrun leaves that to the processes.
const Names kHere = {"LOCAL_WORLD_SIZE"};
constexpr const char* kHost = "MASTER_ADDR";
constexpr const char* kPort = "MASTER_PORT";

struct Found {
  std::string name;
  int value = 0;
};

int number(const std::string& name, const std::string& text, int least, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most) {
    return value;
  }
  throw InputError(fmt::format("{} is '{}' in the environment", name, text),
                   fmt::format("a whole number from {} to {}", least, most));
}

std::optional<Found> find(const Environment& environment, const Names& names, int least) {
  for (const std::string& name : names) {
    if (const auto text = environment(name)) return Found{name, number(name, *text, least, 65535)};
  }
  return std::nullopt;
}

}  // namespace

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
  };
}

std::optional<Launch> launch_from(const Environment& environment) {
  const auto size = find(environment, kSize, 1);
  if (!size || size->value == 1) return std::nullopt;
  const auto rank = find(environment, kRank, 0);
  if (!rank || rank->value >= size->value) {
    throw InputError(
        fmt::format("{} = {}, but {}", size->name, size->value,
                    rank ? fmt::format("{} = {}", rank->name, rank->value) : "no RANK"),
        fmt::format("{} from 0 to {}; or --processes 1 to train alone", rank ? rank->name : "RANK",
                    size->value - 1));
  }
  const auto host = environment(kHost);
  const auto port = environment(kPort);
  if (!host || !port) {
    throw InputError(
        fmt::format("{} = {}, but no {}", size->name, size->value, host ? kPort : kHost),
        "MASTER_ADDR and MASTER_PORT, where process 0 is to be found; or --processes 1 "
        "to train alone");
  }
  Launch launch{rank->value, size->value, 1, *host, 0};
  if (const auto here = find(environment, kHere, 1)) launch.here = here->value;
  const bool taken = environment("TORCHELASTIC_USE_AGENT_STORE") == "True";
  launch.port = static_cast<std::uint16_t>(number(kPort, *port, 1, 65534) + (taken ? 1 : 0));
  return launch;
}

void put_into_environment(const Launch& launch) {
  const auto put = [](const std::string& name, const std::string& value) {
    ::setenv(name.c_str(), value.c_str(), /*overwrite=*/1);
  };
  put(kRank.front(), std::to_string(launch.rank));
  put(kSize.front(), std::to_string(launch.size));
  put(kHere.front(), std::to_string(launch.here));
  put(kHost, launch.host);
  put(kPort, std::to_string(launch.port));
  ::unsetenv("TORCHELASTIC_USE_AGENT_STORE");
}

}  // namespace hinny
