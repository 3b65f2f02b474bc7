#include "training/experiment/experiment.h"

namespace hinny {

Experiment::Experiment(PreparedData data, std::shared_ptr<RetrievalSystem> system_in,
                       torch::Device device)
    : PreparedData(std::move(data)),
      system(std::move(system_in)),
      builder(corpus, features, transform, sentences ? &*sentences : nullptr, system_language,
              device) {
  system->to(device);
}

}  // namespace hinny
