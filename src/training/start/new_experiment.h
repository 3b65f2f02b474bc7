// A system at the beginning of its training.
#pragma once

#include <filesystem>
#include <memory>

#include "training/experiment/experiment.h"

namespace hinny {

// What a training starts from. `checkpoint`: one will be loaded over all weights, so the word
// vectors, which may take minutes to learn, are left at random.
enum class Start { fresh, checkpoint };

// Vocabularies and feature statistics come from the train split alone, weights from the recipe's
// seed, word vectors from where text.vectors says.
std::unique_ptr<Experiment> new_experiment(Recipe recipe, const std::filesystem::path& data,
                                           torch::Device device, Start start = Start::fresh);

}  // namespace hinny
