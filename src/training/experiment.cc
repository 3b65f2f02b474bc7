#include "training/experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/utils.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "data/translations.h"
#include "recipe/check_recipe.h"
#include "recipe/read_recipe.h"
#include "text/spelling.h"
#include "training/borrow_words.h"
#include "training/model_files.h"
#include "training/select_captions.h"
#include "training/word_start.h"

namespace hinny {
namespace {

// Characters of each word of the vocabulary.
void spell_words(const Vocabulary& words, const Vocabulary& characters, std::int64_t most,
                 SystemInput& input) {
  const auto room = static_cast<std::size_t>(most);
  input.characters = characters.size();
  input.spelling.assign(static_cast<std::size_t>(words.size()) * room, kPad);
  for (std::int32_t id = kFirstWord; id < words.size(); ++id) {
    spell(words.word(id), characters,
          std::span(input.spelling).subspan(static_cast<std::size_t>(id) * room, room));
  }
}

SystemInput input_of(const Experiment& experiment, const Vocabularies& vocabularies) {
  SystemInput input;
  const TextSettings& text = experiment.recipe.model.text;
  input.languages = experiment.recipe.languages;
  input.borrowed = experiment.borrowed;
  for (const std::string& language : input.languages) {
    const auto& name = vocabulary_name(text, language);
    const auto found = vocabularies.find(name);
    if (found == vocabularies.end()) {
      throw InputError(fmt::format("no vocabulary '{}'", name), "one for each language");
    }
    input.vocabulary_sizes.push_back(found->second.size());
  }
  if (text.characters > 0) {
    spell_words(vocabularies.at(kSharedVocabulary), vocabularies.at(kCharacters),
                text.most_characters, input);
  }
  input.feature_dim = experiment.features.dim();
  input.regions = experiment.features.regions();
  return input;
}

std::unique_ptr<GivenSentences> open_sentences(const Dataset& dataset, const TextSettings& text) {
  auto given = std::make_unique<GivenSentences>(
      GivenSentences{SentenceVectors::open(dataset, text.sentences), {}});
  if (given->vectors.dim() != text.dim) {
    throw InputError(
        dataset.folder(),
        fmt::format("sentence vectors '{}' have {} numbers", text.sentences, given->vectors.dim()),
        fmt::format("text.dim = {}", text.dim));
  }
  for (const Caption& caption : dataset.captions()) given->places.push_back(caption.place);
  return given;
}

// Every language that is asked for, or that all are translated into, is one of the run's.
void check_known(const std::filesystem::path& run, const Recipe& recipe,
                 const OpenOptions& options) {
  std::vector<std::string> needed = options.languages;
  if (!options.translations.empty()) needed = {options.into};
  for (const std::string& language : needed) {
    if (std::ranges::find(recipe.languages, language) != recipe.languages.end()) continue;
    throw InputError(run, fmt::format("the model lacks language '{}'", language),
                     fmt::format("{}", fmt::join(recipe.languages, ", ")));
  }
}

// The dataset in the languages that are asked for, translated where that is asked for.
Dataset load_asked(const std::filesystem::path& data, const Recipe& recipe,
                   const OpenOptions& options) {
  if (options.translations.empty()) {
    return Dataset::load(data,
                         {options.languages.empty() ? recipe.languages : options.languages, {}});
  }
  std::vector<std::string> languages = options.languages;
  if (languages.empty()) {
    languages = translated_languages(options.translations, options.into);
    languages.insert(languages.begin(), options.into);
  }
  return translate_captions(Dataset::load(data, {languages, {}}), options.split,
                            options.translations, options.into);
}

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

Experiment::Experiment(Recipe recipe_in, Dataset dataset_in, Features features_in)
    : recipe(std::move(recipe_in)),
      dataset(std::move(dataset_in)),
      features(std::move(features_in)) {}

void build_system(Experiment& e, const TokenisedCaptions& captions, torch::Device device) {
  const TextSettings& text = e.recipe.model.text;
  std::optional<Vocabularies> spelled;  // with every word of the data
  if (text.characters > 0) {
    spelled = e.vocabularies;
    captions.add_words(spelled->at(kSharedVocabulary));
  }
  const Vocabularies& words = spelled ? *spelled : e.vocabularies;
  e.corpus = std::make_unique<Corpus>(captions, words);
  if (text.encoder == EncoderKind::given) e.sentences = open_sentences(e.dataset, text);
  e.builder =
      std::make_unique<BatchBuilder>(*e.corpus, e.features, e.transform, e.sentences.get(), device);
  torch::manual_seed(static_cast<std::uint64_t>(e.recipe.train.seed));
  e.system = make_system(e.recipe.model, input_of(e, words));
}

std::unique_ptr<Experiment> load_experiment(Recipe recipe, const std::filesystem::path& data,
                                            const std::vector<std::string>& languages) {
  Dataset dataset = Dataset::load(data, {languages, {}});
  Features features = Features::open(dataset, recipe.model.image.features);
  dataset = select_captions(std::move(dataset), recipe.data,
                            static_cast<std::uint64_t>(recipe.train.seed));
  recipe.model.image.features = features.names();
  auto experiment =
      std::make_unique<Experiment>(std::move(recipe), std::move(dataset), std::move(features));
  report_left_out(experiment->features, experiment->dataset.split("train"), "train");
  return experiment;
}

std::vector<int> train_images(const Experiment& e) {
  return usable_images(e.features, e.dataset.split("train"), "train");
}

std::unique_ptr<Experiment> new_experiment(Recipe recipe, const std::filesystem::path& data,
                                           torch::Device device, Start start) {
  check_recipe(recipe);
  if (recipe.model.image.features.empty()) {
    throw InputError("no features named", "--features NAME, one of DATA/features/*.npy");
  }
  const std::vector<std::string> languages = recipe.languages;
  auto experiment = load_experiment(std::move(recipe), data, languages);
  Experiment& e = *experiment;
  e.recipe.languages = e.dataset.languages();
  if (!e.recipe.train.best_by.empty())
    e.dataset.language(e.recipe.train.best_by);  // throws if it lacks it
  const std::vector<int> train = train_images(e);
  const TokenisedCaptions captions(e.dataset, e.recipe.model.text);
  e.vocabularies = captions.build_vocabularies(train);
  const TextSettings& text = e.recipe.model.text;
  if (!text.dictionary.empty()) borrow_words(e);
  if (text.characters > 0) {
    e.vocabularies[kCharacters] = character_vocabulary(e.vocabularies.at(kSharedVocabulary));
  }
  const ImageSettings& image = e.recipe.model.image;
  e.transform = FeatureTransform::fit(e.features, train, {image.square_root, image.standardise});
  for (std::size_t l = 0; l < e.recipe.languages.size(); ++l) {
    e.system_language.push_back(static_cast<int>(l));
  }
  build_system(e, captions, device);
  if (start == Start::fresh) start_weights(e, train);
  e.system->to(device);
  return experiment;
}

std::unique_ptr<Experiment> open_experiment(const std::filesystem::path& run,
                                            const std::filesystem::path& data,
                                            const OpenOptions& options) {
  Recipe recipe = read_run_recipe(run / kRecipeFile);
  check_known(run, recipe, options);
  const std::string names =
      options.features.empty() ? recipe.model.image.features : options.features;
  Dataset dataset = load_asked(data, recipe, options);
  Features features = Features::open(dataset, names);
  auto experiment =
      std::make_unique<Experiment>(std::move(recipe), std::move(dataset), std::move(features));
  Experiment& e = *experiment;
  e.vocabularies = read_vocabularies(run / kVocabularyFile);
  const std::vector<std::string>& known = e.recipe.languages;
  const TensorFile weights = read_tensors(run / kWeightsFile);
  e.borrowed = borrowed_words(weights.tensors);
  e.transform = transform_of(e.recipe.model.image, weights.tensors, run / kWeightsFile);
  if (!e.transform.mean().empty() &&
      static_cast<std::int64_t>(e.transform.mean().size()) != e.features.dim()) {
    throw InputError(data, fmt::format("features '{}' have {} numbers", names, e.features.dim()),
                     fmt::format("{}, as the model was trained on", e.transform.mean().size()));
  }
  const std::string read_as = options.translations.empty() ? std::string() : options.into;
  build_system(e, TokenisedCaptions(e.dataset, e.recipe.model.text, read_as), options.device);
  e.system->fit_sizes(weights.tensors, "");
  load_tensors(*e.system, weights.tensors, "", run / kWeightsFile);
  e.system->to(options.device);
  for (const std::string& language : e.dataset.languages()) {
    const auto place = std::find(known.begin(), known.end(), read_as.empty() ? language : read_as);
    e.system_language.push_back(static_cast<int>(place - known.begin()));
  }
  return experiment;
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
