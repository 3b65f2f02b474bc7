#include "training/start/add_language.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "data/dataset_path.h"
#include "text/language_code.h"
#include "training/evaluation/check_validation.h"
#include "training/experiment/model_files.h"
#include "training/experiment/run_hubs.h"
#include "training/start/borrow_words.h"
#include "training/start/pivot_words.h"
#include "training/start/word_start.h"

namespace hinny {
namespace {

void check(const Recipe& recipe, const std::filesystem::path& from, const std::string& language) {
  const TextSettings& text = recipe.model.text;
  const auto same = [&](const std::string& known) {
    return known == language || canonical_language(known) == canonical_language(language);
  };
  if (!is_language_code(language)) {
    throw InputError(fmt::format("language '{}'", language), kLanguageCodeRule);
  }
  if (std::ranges::any_of(recipe.languages, same)) {
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
}

// The lines of the pivot, which the run speaks, and of the language.
std::optional<ParallelSentences> parallel_of(const Recipe& recipe,
                                             const std::filesystem::path& from,
                                             const std::string& language) {
  const std::string& pivot = recipe.parallel.pivot;
  const bool known = std::ranges::find(recipe.languages, pivot) != recipe.languages.end();
  if (!recipe.parallel.data.empty() && (!known || pivot == language)) {
    throw InputError(from, fmt::format("the model lacks language '{}' (parallel.pivot)", pivot),
                     fmt::format("one of {}", fmt::join(recipe.languages, ", ")));
  }
  return load_parallel_sentences(recipe, {pivot, language});
}

// Without data there is nothing but the lines, whose pictures nobody has.
SelectedData select(Recipe recipe, const std::filesystem::path& from, const std::string& language,
                    const std::filesystem::path& data) {
  if (!data.empty()) return load_data(std::move(recipe), data, {language});
  Dataset dataset = Dataset::load(find_dataset(recipe.parallel.data), {{language}, {}, {}});
  const FeatureSpec spec = read_model_config(from / kConfigFile).features;
  std::vector<Features::Part> parts;
  for (const auto& [name, dim] : spec.parts) {
    parts.push_back({name, static_cast<std::int64_t>(dim), 1});
  }
  Features features = Features::without_rows(dataset, spec.names, std::move(parts));
  return {std::move(recipe), std::move(dataset), std::move(features)};
}

// Counts of the language's words, in captions of the train split and in lines.
WordCounts count_words(const SelectedData& data, const TokenisedCaptions& captions,
                       const std::optional<TokenisedCaptions>& lines, const std::string& language) {
  WordCounts counts;
  if (data.features.rows_for_any()) {
    counts = captions.count_words(train_images(data.dataset, data.features)).at(language);
  }
  if (!lines) return counts;
  const auto by_language = lines->count_words(data.parallel->sentences);
  for (const auto& [word, count] : by_language.at(language)) counts[word] += count;
  return counts;
}

// Where nobody has set them: what was found best for a language that `hinny` learns from lines
// alone (docs/results/hinny.md), softer contrast among more lines, and fewer passes.
void set_defaults_of_lines(Recipe& recipe) {
  if (recipe.model.system != SystemKind::bag) return;
  const auto is_free = [&](const std::string& key) {
    const auto set = recipe.origins.find(key);
    return set == recipe.origins.end() || set->second.where.starts_with("recipes/");
  };
  if (is_free("parallel.temperature")) recipe.parallel.temperature = 0.2;
  if (is_free("parallel.lines")) recipe.parallel.lines = 1536;
  if (is_free("train.epochs")) recipe.train.epochs = 10;
}

bool has_captions(const SelectedData& data) {
  return std::ranges::any_of(data.dataset.split("train"), [&](int image) {
    return data.features.has(image) && !data.dataset.captions_of(image, 0).empty();
  });
}

}  // namespace

std::unique_ptr<Experiment> add_language(Recipe recipe, const std::filesystem::path& from,
                                         const std::string& language,
                                         const std::filesystem::path& data, torch::Device device,
                                         Start start) {
  check(recipe, from, language);
  leave_out_what_ties_languages(recipe);
  std::optional<ParallelSentences> parallel_sentences = parallel_of(recipe, from, language);
  recipe.languages.push_back(language);
  const SystemLanguage last{static_cast<int>(recipe.languages.size()) - 1};
  if (parallel_sentences) parallel_sentences->languages.back() = last;
  SelectedData selected = select(std::move(recipe), from, language, data);
  selected.parallel = std::move(parallel_sentences);
  selected.sentences_alone = selected.parallel && !has_captions(selected);
  if (selected.sentences_alone) set_defaults_of_lines(selected.recipe);
  check_validation(selected);
  const TextSettings& text = selected.recipe.model.text;
  const TokenisedCaptions captions(selected.dataset, text);
  std::optional<TokenisedCaptions> lines;
  if (selected.parallel) lines.emplace(selected.parallel->dataset, text);
  const Vocabulary words =
      build_vocabularies({{language, count_words(selected, captions, lines, language)}}, text)
          .at(language);
  LearntOfData learnt;
  learnt.vocabularies = read_vocabularies(from / kVocabularyFile);
  learnt.vocabularies[language] = text.latents > 0 ? most_frequent(words, text.own_words) : words;
  const TensorFile weights = read_tensors(from / kWeightsFile);
  learnt.borrowed = borrowed_words(read_model_config(from / kConfigFile), weights.tensors);
  learnt.transform =
      transform_of(selected.recipe.model.image, weights.tensors, from / kWeightsFile);
  PreparedData prepared =
      prepare(std::move(selected), captions, std::move(learnt), {last}, lines ? &*lines : nullptr);
  auto system = fresh_system(prepared);
  system->fit_sizes(weights.tensors, "");
  const std::string reader = system->reader_of(last);
  load_tensors(*system, weights.tensors, "", from / kWeightsFile, reader);
  if (start == Start::fresh && prepared.sentences_alone) start_from_pivot(*system, prepared);
  if (start == Start::fresh && !prepared.sentences_alone) {
    start_words(*system, prepared, train_images(prepared.dataset, prepared.features));
  }
  system->train_only(reader);
  auto experiment = std::make_unique<Experiment>(std::move(prepared), std::move(system), device);
  experiment->hubs = hubs_of_run(from);
  return experiment;
}

}  // namespace hinny
