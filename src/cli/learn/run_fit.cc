#include "cli/learn/run_fit.h"

#include <algorithm>

#include "base/run_files.h"
#include "encoder/learn_fit.h"

namespace hinny {
namespace {

bool reads_words(const ModelConfig& config) {
  return std::ranges::none_of(
      config.text, [](const auto& item) { return item.second.encoder.kind == EncoderKind::given; });
}

}  // namespace

void learn_run_fit(const std::filesystem::path& run, const Dataset& dataset,
                   const Features& features) {
  constexpr const char* kSplit = "val";
  if (!std::filesystem::exists(run / kHubsFile) || !dataset.has_split(kSplit)) return;
  const auto has = [&](int image) { return features.has(image); };
  if (std::ranges::none_of(dataset.split(kSplit), has)) return;
  const Model model = Model::open(run);
  if (model.config().compares_pairs() || !reads_words(model.config())) return;
  HubBank bank = hubs_of(model).value();
  bank.fit = learn_fit(model, bank, dataset, features, kSplit);
  write_hubs(run / kHubsFile, bank);
}

}  // namespace hinny
