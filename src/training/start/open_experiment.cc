#include "training/start/open_experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "data/translations.h"
#include "recipe/read_recipe.h"
#include "text/language_code.h"
#include "training/experiment/model_files.h"
#include "training/experiment/run_hubs.h"
#include "training/start/borrow_words.h"

namespace hinny {
namespace {

// Every language that is asked for, or that all are translated into, is one of the run's, under the
// run's code for it.
OpenOptions with_codes_of(const std::filesystem::path& run, const Recipe& recipe,
                          OpenOptions options) {
  const auto own = [&](std::string& language) {
    const auto found = find_language(recipe.languages, language);
    if (!found) {
      throw InputError(run, fmt::format("the model lacks language '{}'", language),
                       languages_expected(recipe.languages));
    }
    language = *found;
  };
  if (!options.translations.empty()) {
    own(options.into);
  } else {
    for (std::string& language : options.languages) own(language);
  }
  return options;
}

// The dataset in the languages that are asked for, translated where that is asked for.
Dataset load_asked(const std::filesystem::path& data, const Recipe& recipe,
                   const OpenOptions& options) {
  if (options.translations.empty()) {
    if (!options.languages.empty()) return Dataset::load(data, {options.languages, {}, {}});
    // What was learnt from lines alone need not be spoken here.
    std::set<std::string> silent;
    if (!recipe.parallel.data.empty() || kTaught.contains(recipe.model.system)) {
      silent.insert(recipe.languages.begin(), recipe.languages.end());
    }
    return Dataset::load(data, {recipe.languages, {}, silent});
  }
  std::vector<std::string> languages = options.languages;
  if (languages.empty()) {
    languages = translated_languages(options.translations, options.into);
    languages.insert(languages.begin(), options.into);
  }
  return translate_captions(Dataset::load(data, {languages, {}, {}}), options.split,
                            options.translations, options.into);
}

}  // namespace

std::unique_ptr<Experiment> open_experiment(const std::filesystem::path& run,
                                            const std::filesystem::path& data,
                                            const OpenOptions& asked) {
  Recipe recipe = read_run_recipe(run / kRecipeFile);
  const OpenOptions options = with_codes_of(run, recipe, asked);
  const std::string names =
      options.features.empty() ? recipe.model.image.features : options.features;
  Dataset dataset = load_asked(data, recipe, options);
  Features features = Features::open(dataset, names);
  SelectedData selected{std::move(recipe), std::move(dataset), std::move(features)};
  LearntOfData learnt;
  learnt.vocabularies = read_vocabularies(run / kVocabularyFile);
  const TensorFile weights = read_tensors(run / kWeightsFile);
  learnt.borrowed = borrowed_words(read_model_config(run / kConfigFile), weights.tensors);
  learnt.transform = transform_of(selected.recipe.model.image, weights.tensors, run / kWeightsFile);
  const bool taught = kTaught.contains(selected.recipe.model.system);
  const auto numbers = taught ? selected.recipe.model.dim
                              : static_cast<std::int64_t>(learnt.transform.mean().size());
  check_numbers(selected, numbers);
  const std::string read_as = options.translations.empty() ? std::string() : options.into;
  std::vector<SystemLanguage> languages;
  for (const std::string& language : selected.dataset.languages()) {
    const std::vector<std::string>& known = selected.recipe.languages;
    const auto place = std::ranges::find(known, read_as.empty() ? language : read_as);
    languages.push_back(SystemLanguage{static_cast<int>(place - known.begin())});
  }
  const TokenisedCaptions captions(selected.dataset, selected.recipe.model.text, read_as,
                                   &learnt.vocabularies);
  PreparedData prepared =
      prepare(std::move(selected), captions, std::move(learnt), std::move(languages));
  auto system = fresh_system(prepared);
  system->fit_sizes(weights.tensors, "");
  load_tensors(*system, weights.tensors, "", run / kWeightsFile);
  auto experiment =
      std::make_unique<Experiment>(std::move(prepared), std::move(system), options.device);
  if (options.hubs) experiment->hubs = hubs_of_run(run);
  return experiment;
}

}  // namespace hinny
