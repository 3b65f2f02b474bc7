// A trained system that goes on learning from other pictures: somebody's own.
#pragma once

#include "training/start/new_experiment.h"

namespace hinny {

// The system of the run `from`, all of which learns from the captions of `data` in `languages` (of
// the run's; none: those of the run's that `data` has). Words that the run does not know and
// training captions say text.min_count times are added behind its own, each as the mean of the
// known words that it stands among. `recipe` is the run's ([model] keys) with the training's own
// settings: train.keep says how much of the run's weights stays. What a system does only at its
// start (pretraining, warm-up) is off; what the run remembers to tell hubs stays. Throws InputError
// where `data` has none of the run's languages, or features of another size.
std::unique_ptr<Experiment> adapt(Recipe recipe, const std::filesystem::path& from,
                                  const std::filesystem::path& data,
                                  const std::vector<std::string>& languages, torch::Device device,
                                  Start start = Start::fresh);

}  // namespace hinny
