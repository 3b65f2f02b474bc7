#include "systems/region_checks.h"

#include <fmt/ranges.h>

#include <set>
#include <utility>

#include "base/error.h"

namespace hinny {
namespace {

// What other systems do and these would silently leave out.
void check_ignored(const SystemOptions& options) {
  const TextSettings& text = options.text;
  const ImageSettings& image = options.image;
  const LossSettings& loss = options.loss;
  const std::pair<const char*, bool> ignored[] = {
      {"text.mule_dim", text.mule_dim > 0},
      {"text.latents", text.latents > 0},
      {"text.characters", text.characters > 0},
      {"text.dropout", text.dropout > 0},
      {"text.project", text.project},
      {"image.hidden", image.hidden > 0},
      {"image.dropout", image.dropout > 0},
      {"image.input_dropout", image.input_dropout > 0},
      {"image.branch", image.branch != "shared"},
      {"loss.distance", loss.distance != "cosine"},
      {"loss.neighbourhood", loss.neighbourhood > 0},
      {"loss.cross_neighbourhood", loss.cross_neighbourhood > 0},
      {"loss.adversary", loss.adversary > 0},
      {"loss.word_drift", loss.word_drift > 0},
      {"loss.masked", loss.masked > 0},
      {"pretrain.epochs", options.pretrain.epochs > 0},
  };
  for (const auto& [key, is_set] : ignored) {
    if (!is_set) continue;
    throw InputError(std::string(key) + " has no effect on system '" + options.system + "'",
                     "recipe san, dan or scan without it");
  }
}

void check_weights(const LossSettings& loss, const std::vector<std::string>& languages) {
  std::set<std::string> known;
  for (const std::string& language : languages) {
    known.insert(language);
    if (loss.types == "sources") known.insert(machine_type(language));
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

void check_region_system(const SystemOptions& options, const SystemInput& input) {
  check_ignored(options);
  if (input.regions < 2) {
    throw InputError("system '" + options.system + "' with one vector a picture",
                     "features of regions, [images, regions, numbers]");
  }
  if (options.text.hidden != options.dim || options.text.encoder == "mean" ||
      options.text.encoder == "given") {
    throw InputError("system '" + options.system + "' whose words have another size than regions",
                     "text.encoder = gru or lstm, text.hidden = dim");
  }
  check_weights(options.loss, input.languages);
  if (options.loss.harder_negatives && options.loss.kind != "triplet") {
    throw InputError("loss.harder_negatives with loss.kind = " + options.loss.kind,
                     "loss.kind = triplet, or loss.harder_negatives = false");
  }
}

}  // namespace hinny
