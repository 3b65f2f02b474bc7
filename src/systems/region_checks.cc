#include "systems/region_checks.h"

#include <fmt/ranges.h>

#include <set>

#include "base/error.h"

namespace hinny {
namespace {

void check_weights(const LossSettings& loss, const std::vector<std::string>& languages) {
  std::set<std::string> known;
  for (const std::string& language : languages) {
    known.insert(language);
    if (loss.types == CaptionTypes::sources) known.insert(machine_type(language));
    if (loss.language_weights.empty() || loss.language_weights.contains(language)) continue;
    throw InputError("loss.language_weights without '" + language + "'",
                     "a weight for each language, or none");
  }
  for (const auto& [name, weight] : loss.language_weights) {
    if (known.contains(name)) continue;
    throw InputError("loss.language_weights with '" + name + "'" + did_you_mean(name, known),
                     fmt::format("{}", fmt::join(known, ", ")));
  }
}

}  // namespace

std::string machine_type(const std::string& language) { return language + ":machine"; }

void check_region_data(const SystemOptions& options, const SystemInput& input) {
  if (input.regions < 2) {
    throw InputError(fmt::format("system '{}' with one vector a picture", name_of(options.system)),
                     "features of regions, [images, regions, numbers]");
  }
  check_weights(options.loss, input.languages);
}

}  // namespace hinny
