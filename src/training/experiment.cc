#include "training/experiment.h"

namespace hinny {
namespace {

std::string part_of(const std::string& parameter) {
  if (parameter.starts_with("image")) return "image";
  if (parameter.starts_with("latent.")) return "latent";
  if (!parameter.starts_with("text")) return "other";
  if (parameter.ends_with(".words")) return "words";
  if (parameter.ends_with(".characters") || parameter.find(".spelling") != std::string::npos ||
      parameter.find(".norm") != std::string::npos) {
    return "words";
  }
  return parameter.find(".space.") == std::string::npos ? "sentence" : "space";
}

}  // namespace

Experiment::Experiment(PreparedData data, std::shared_ptr<RetrievalSystem> system_in,
                       torch::Device device)
    : PreparedData(std::move(data)),
      system(std::move(system_in)),
      builder(corpus, features, transform, sentences ? &*sentences : nullptr, system_language,
              device) {
  system->to(device);
}

ParameterCounts count_parameters(const RetrievalSystem& system) {
  ParameterCounts counts;
  for (const auto& item : system.named_parameters()) {
    if (item.value().requires_grad()) {
      counts.train += item.value().numel();
      counts.parts[part_of(item.key())] += item.value().numel();
    }
    if (item.key().starts_with("text") || item.key() == "latent.vectors")
      counts.search += item.value().numel();
  }
  return counts;
}

}  // namespace hinny
