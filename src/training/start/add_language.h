// One more language for a trained system.
#pragma once

#include "training/start/new_experiment.h"

namespace hinny {

// The system of the run `from` with a tower for `language`, which alone learns: its words and its
// layer into the space that languages share, or all of its tower where they share none. Everything
// else stays bit for bit, so the other languages' recall does too; images and captions of
// `language` are all the data that is needed, or parallel lines in it and the pivot, one of the
// run's (recipe.parallel): then it learns to say such a line where the pivot says it, from the
// lines alone where no training caption of `data` is in it, or `data` is empty. What the run
// remembers to tell hubs stays. `recipe` is the run's ([model] keys), with the training's own
// settings; what ties languages together (masked sentences, the classifier, pretraining) is off.
// With latent tokens the new language keeps its text.own_words most frequent words alone. Throws
// InputError for a language that the run has, a run whose vocabulary is shared or has no words of
// its own, and data without the language.
std::unique_ptr<Experiment> add_language(Recipe recipe, const std::filesystem::path& from,
                                         const std::string& language,
                                         const std::filesystem::path& data, torch::Device device,
                                         Start start = Start::fresh);

}  // namespace hinny
