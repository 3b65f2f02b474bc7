#include "training/experiment/prepared_data.h"

#include <fmt/format.h>
#include <torch/utils.h>

#include "base/error.h"
#include "data/teacher_vectors.h"
#include "text/spelling.h"
#include "training/experiment/parallel_sentences.h"
#include "training/experiment/recipe_languages.h"
#include "training/experiment/select_captions.h"

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

SystemInput input_of(const Recipe& recipe, const Features& features,
                     const Vocabularies& vocabularies, BorrowedWords borrowed) {
  SystemInput input;
  const TextSettings& text = recipe.model.text;
  input.languages = recipe.languages;
  input.borrowed = std::move(borrowed);
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
  input.feature_dim = features.dim();
  input.regions = features.regions();
  return input;
}

GivenSentences open_sentences(const Dataset& dataset, const TextSettings& text) {
  GivenSentences given{SentenceVectors::open(dataset, text.sentences), {}};
  if (given.vectors.dim() != text.dim) {
    throw InputError(
        dataset.folder(),
        fmt::format("sentence vectors '{}' have {} numbers", text.sentences, given.vectors.dim()),
        fmt::format("text.dim = {}", text.dim));
  }
  for (const Caption& caption : dataset.captions()) given.places.push_back(caption.place);
  return given;
}

// What stands for pictures in a teacher's lessons, and says how large the joint space is.
Features teacher_of(const Dataset& lines, Recipe& recipe) {
  const TeacherSettings& teacher = recipe.teacher;
  if (teacher.vectors.empty()) {
    throw InputError("no teacher", "--teacher FILE.npy, its vectors of the sentences in FILE.txt");
  }
  std::string name = recipe.model.image.features;
  if (name.empty()) name = std::filesystem::path(teacher.vectors).stem().string();
  if (name.find_first_of("+/") != std::string::npos) {
    throw InputError(fmt::format("features '{}' of a teacher", name),
                     "one name, by which datasets have its vectors of pictures");
  }
  Features features = open_teacher(lines, teacher.vectors, teacher.language, name);
  const auto asked = recipe.origins.find("dim");
  if (asked != recipe.origins.end() && recipe.model.dim != features.dim()) {
    throw InputError(teacher.vectors, fmt::format("vectors of {} numbers", features.dim()),
                     fmt::format("dim = {} ({})", recipe.model.dim, asked->second.where));
  }
  recipe.model.dim = features.dim();
  return features;
}

Features features_of(const Dataset& dataset, Recipe& recipe) {
  if (kTaught.contains(recipe.model.system)) return teacher_of(dataset, recipe);
  return Features::open(dataset, recipe.model.image.features);
}

}  // namespace

SelectedData load_data(Recipe recipe, const std::filesystem::path& data,
                       const std::vector<std::string>& languages, Codes codes) {
  const bool own = codes == Codes::of_dataset;
  Dataset dataset = Dataset::load(data, {languages, {}, languages_of_sentences(recipe), own});
  if (own) use_codes_of(dataset, recipe);
  Features features = features_of(dataset, recipe);
  dataset = select_captions(std::move(dataset), recipe.data,
                            static_cast<std::uint64_t>(recipe.train.seed));
  recipe.model.image.features = features.names();
  if (!kTaught.contains(recipe.model.system)) {
    report_left_out(features, dataset.split("train"), "train");
  }
  return {std::move(recipe), std::move(dataset), std::move(features)};
}

void check_numbers(const SelectedData& data, std::int64_t numbers) {
  if (numbers == 0 || numbers == data.features.dim()) return;
  throw InputError(
      data.dataset.folder(),
      fmt::format("features '{}' have {} numbers", data.features.names(), data.features.dim()),
      fmt::format("{}, as the model was trained on", numbers));
}

std::vector<int> train_images(const Dataset& dataset, const Features& features) {
  return usable_images(features, dataset.split("train"), "train");
}

PreparedData prepare(SelectedData&& data, const TokenisedCaptions& captions, LearntOfData learnt,
                     std::vector<SystemLanguage> languages, const TokenisedCaptions* lines) {
  const TextSettings& text = data.recipe.model.text;
  Vocabularies words = learnt.vocabularies;
  if (text.characters > 0)
    captions.add_words(words.at(kSharedVocabulary));  // every word can be spelled
  SystemInput input = input_of(data.recipe, data.features, words, std::move(learnt.borrowed));
  Corpus corpus(captions, words);  // before the dataset moves, which the captions refer to
  std::optional<Corpus> parallel_corpus;
  if (data.parallel) parallel_corpus.emplace(*lines, words);
  std::optional<GivenSentences> sentences;
  if (text.encoder == EncoderKind::given) sentences = open_sentences(data.dataset, text);
  return {std::move(data.recipe),
          std::move(data.dataset),
          std::move(data.features),
          std::move(learnt.transform),
          std::move(learnt.vocabularies),
          std::move(corpus),
          std::move(sentences),
          std::move(data.parallel),
          std::move(parallel_corpus),
          data.sentences_alone,
          std::move(input),
          std::move(languages)};
}

std::shared_ptr<RetrievalSystem> fresh_system(const PreparedData& data) {
  torch::manual_seed(static_cast<std::uint64_t>(data.recipe.train.seed));
  return make_system(data.recipe.model, data.input);
}

}  // namespace hinny
