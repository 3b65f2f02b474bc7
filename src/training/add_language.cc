#include "training/add_language.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "training/borrow_words.h"
#include "training/model_files.h"
#include "training/word_start.h"

namespace hinny {
namespace {

void check(const Recipe& recipe, const std::filesystem::path& from, const std::string& language) {
  const TextSettings& text = recipe.model.text;
  if (std::ranges::find(recipe.languages, language) != recipe.languages.end()) {
    throw InputError(from, fmt::format("the model has language '{}' already", language),
                     fmt::format("another than {}", fmt::join(recipe.languages, ", ")));
  }
  if (text.vocabulary == Sharing::shared || recipe.model.image.branch == Sharing::per_language ||
      (text.latents > 0 && text.own_words == 0)) {
    throw InputError(from, "this model has no place for the words of another language",
                     "one with words for each language and one image branch: mule, smalr, hem");
  }
}

// The first `most` words, which are the most frequent ones.
Vocabulary most_frequent(const Vocabulary& words, std::int64_t most) {
  Vocabulary kept;
  for (std::int32_t id = kFirstWord; id < words.size() && id < kFirstWord + most; ++id) {
    kept.add(words.word(id), words.count(id));
  }
  return kept;
}

void leave_out_what_ties_languages(Recipe& recipe) {
  LossSettings& loss = recipe.model.loss;
  loss.adversary = loss.masked = loss.word_drift = 0;
  recipe.model.pretrain.epochs = 0;
  recipe.sample.caption_pairs = 0;
  recipe.sample.groups.clear();
  recipe.parallel.data.clear();
}

}  // namespace

std::unique_ptr<Experiment> add_language(Recipe recipe, const std::filesystem::path& from,
                                         const std::string& language,
                                         const std::filesystem::path& data, torch::Device device,
                                         Start start) {
  check(recipe, from, language);
  leave_out_what_ties_languages(recipe);
  recipe.languages.push_back(language);
  const std::vector<SystemLanguage> last = {
      SystemLanguage{static_cast<int>(recipe.languages.size()) - 1}};
  SelectedData selected = load_data(std::move(recipe), data, {language});
  const std::vector<int> train = train_images(selected.dataset, selected.features);
  const TextSettings& text = selected.recipe.model.text;
  const TokenisedCaptions captions(selected.dataset, text);
  const Vocabulary words = build_vocabularies(captions.count_words(train), text).at(language);
  LearntOfData learnt;
  learnt.vocabularies = read_vocabularies(from / kVocabularyFile);
  learnt.vocabularies[language] = text.latents > 0 ? most_frequent(words, text.own_words) : words;
  const TensorFile weights = read_tensors(from / kWeightsFile);
  learnt.borrowed = borrowed_words(read_model_config(from / kConfigFile), weights.tensors);
  learnt.transform =
      transform_of(selected.recipe.model.image, weights.tensors, from / kWeightsFile);
  PreparedData prepared = prepare(std::move(selected), captions, std::move(learnt), last);
  auto system = fresh_system(prepared);
  system->fit_sizes(weights.tensors, "");
  const std::string reader = system->reader_of(last.front());
  load_tensors(*system, weights.tensors, "", from / kWeightsFile, reader);
  if (start == Start::fresh) start_words(*system, prepared, train);
  system->train_only(reader);
  return std::make_unique<Experiment>(std::move(prepared), std::move(system), device);
}

}  // namespace hinny
