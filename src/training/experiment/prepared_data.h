// A recipe with its data, before a system is made: dataset, captions, vocabularies.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/features.h"
#include "recipe/recipe.h"
#include "systems/retrieval_system.h"
#include "training/experiment/batch_builder.h"
#include "training/experiment/corpus.h"
#include "training/experiment/parallel_sentences.h"

namespace hinny {

// The captions that a recipe selects, with their features.
struct SelectedData {
  Recipe recipe;  // its features are named
  Dataset dataset;
  Features features;
  std::optional<ParallelSentences> parallel{};
  bool sentences_alone =
      false;  // parallel is all that is learnt from: no captions, perhaps no pictures
};

// Whose codes languages have: as they were asked for, or the dataset's, in the recipe too.
enum class Codes { asked, of_dataset };

// `languages` alone (none: all of the folder's). Says which training images lack features.
SelectedData load_data(Recipe recipe, const std::filesystem::path& data,
                       const std::vector<std::string>& languages, Codes codes = Codes::asked);

// InputError unless the features have as many numbers as the model was trained on; 0: it does not
// say.
void check_numbers(const SelectedData& data, std::int64_t numbers);

// Images of the train split that have features; at least one.
std::vector<int> train_images(const Dataset& dataset, const Features& features);

// Dictionary mapping, by language: the lender's words that the last ones of its vocabulary are.
using BorrowedWords = std::map<std::string, std::vector<std::int32_t>>;

// What a model keeps of the captions and images that it was trained on, besides its weights.
struct LearntOfData {
  Vocabularies vocabularies;
  BorrowedWords borrowed;
  FeatureTransform transform;
};

// All that a system is made and trained of.
struct PreparedData {
  Recipe recipe;  // resolved: languages and features are named
  Dataset dataset;
  Features features;
  FeatureTransform transform;
  Vocabularies vocabularies;  // of training captions
  Corpus corpus;
  std::optional<GivenSentences> sentences;    // text.encoder "given"
  std::optional<ParallelSentences> parallel;  // to train on beside the captions,
  std::optional<Corpus> parallel_corpus;      // as words
  bool sentences_alone;                       // there is nothing else to train on
  SystemInput input;
  // For each of the dataset's languages its position among the system's.
  std::vector<SystemLanguage> system_language;
};

// `captions` are those of data.dataset, `lines` those of data.parallel where that is there. Throws
// InputError when a language has no vocabulary.
PreparedData prepare(SelectedData&& data, const TokenisedCaptions& captions, LearntOfData learnt,
                     std::vector<SystemLanguage> languages,
                     const TokenisedCaptions* lines = nullptr);

// The system of the recipe, with fresh weights by its seed.
std::shared_ptr<RetrievalSystem> fresh_system(const PreparedData& data);

}  // namespace hinny
