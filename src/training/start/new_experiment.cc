#include "training/start/new_experiment.h"

#include "base/error.h"
#include "recipe/check_recipe.h"
#include "text/language_code.h"
#include "text/spelling.h"
#include "training/evaluation/check_validation.h"
#include "training/start/borrow_words.h"
#include "training/start/word_start.h"

namespace hinny {

std::unique_ptr<Experiment> new_experiment(Recipe recipe, const std::filesystem::path& data,
                                           torch::Device device, Start start) {
  check_recipe(recipe);
  const bool taught = kTaught.contains(recipe.model.system);
  if (recipe.model.image.features.empty() && !taught) {
    throw InputError("no features named", "--features NAME, one of DATA/features/*.npy");
  }
  std::vector<std::string> asked = recipe.languages;
  const std::string& known = recipe.teacher.language;
  if (taught && !asked.empty() && !find_language(asked, known)) {
    asked.insert(asked.begin(), known);
  }
  SelectedData selected = load_data(std::move(recipe), data, asked, Codes::of_dataset);
  selected.recipe.languages = selected.dataset.languages();
  check_validation(selected);
  const std::vector<int> train = train_images(selected.dataset, selected.features);
  const TextSettings& text = selected.recipe.model.text;
  const TokenisedCaptions captions(selected.dataset, text);
  auto counts = captions.count_words(train);
  selected.parallel = load_parallel_sentences(selected.recipe, selected.recipe.languages);
  std::optional<TokenisedCaptions> lines;
  if (selected.parallel) {
    lines.emplace(selected.parallel->dataset, text);
    for (const auto& [name, words] : lines->count_words(selected.parallel->sentences)) {
      for (const auto& [word, count] : words) counts[name][word] += count;
    }
  }
  LearntOfData learnt;
  learnt.vocabularies = build_vocabularies(counts, text);
  if (!text.dictionary.empty()) {
    learnt.borrowed = borrow_words(learnt.vocabularies, text, selected.recipe.languages);
  }
  if (text.characters > 0) {
    learnt.vocabularies[kCharacters] =
        character_vocabulary(learnt.vocabularies.at(kSharedVocabulary));
  }
  const ImageSettings& image = selected.recipe.model.image;
  learnt.transform =
      FeatureTransform::fit(selected.features, train, {image.square_root, image.standardise});
  std::vector<SystemLanguage> languages;
  for (std::size_t l = 0; l < selected.recipe.languages.size(); ++l) {
    languages.push_back(SystemLanguage{static_cast<int>(l)});
  }
  PreparedData prepared = prepare(std::move(selected), captions, std::move(learnt),
                                  std::move(languages), lines ? &*lines : nullptr);
  auto system = fresh_system(prepared);
  if (start == Start::fresh) start_weights(*system, prepared, train);
  return std::make_unique<Experiment>(std::move(prepared), std::move(system), device);
}

}  // namespace hinny
