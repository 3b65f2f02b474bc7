#include "training/experiment/run_hubs.h"

#include "base/run_files.h"
#include "model/model_config.h"

namespace hinny {

std::optional<HubBank> hubs_of_run(const std::filesystem::path& run) {
  if (!std::filesystem::exists(run / kHubsFile)) return std::nullopt;
  return read_hubs(run / kHubsFile, read_model_config(run / kConfigFile).dim);
}

}  // namespace hinny
