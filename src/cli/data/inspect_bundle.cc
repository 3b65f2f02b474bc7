#include "cli/data/inspect_kinds.h"
#include "index/bundle/bundle.h"
#include "index/bundle/bundle_card.h"

namespace hinny {
namespace fs = std::filesystem;
using nlohmann::ordered_json;

ordered_json inspect_bundle(const fs::path& folder) {
  const PictureModel bundle = PictureModel::open(folder, {});
  const BundleRecord& record = bundle.record();
  check_files(folder, record);
  ordered_json networks = ordered_json::object();
  for (const fs::path& file : bundle.networks()) {
    const NetworkCard card = network_card(file);
    networks[card.name] = {{"pixels", card.side}, {"bytes", card.bytes}, {"hash", card.hash}};
  }
  const ModelConfig& config = bundle.model().config();
  ordered_json result = {{"kind", "bundle"},
                         {"license", record.license},
                         {"network license", record.network_license},
                         {"languages", config.languages},
                         {"features", config.features.names},
                         {"bytes", bytes_of_bundle(folder)},
                         {"parameters to search", config.search_parameters},
                         {"hash", bundle.hash()}};
  if (record.recall) {
    result["recall"] = {{"split", record.recall->split},
                        {"images", record.recall->images},
                        {"average", record.recall->average}};
  }
  result["networks"] = networks;
  result["model"] = describe_model(bundle.model());
  return result;
}

}  // namespace hinny
