// A recipe joined with its data: everything that training and evaluation work on.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/features.h"
#include "recipe/recipe.h"
#include "systems/retrieval_system.h"
#include "training/batch_builder.h"
#include "training/corpus.h"

namespace hinny {

// Members refer to each other, so it stays where it was made.
struct Experiment {
  Recipe recipe;  // resolved: languages and features are named
  Dataset dataset;
  Features features;
  FeatureTransform transform;
  Vocabularies vocabularies;  // of training captions
  // Dictionary mapping: the lender's words that the last ones of a vocabulary are.
  std::map<std::string, std::vector<std::int32_t>> borrowed;
  std::unique_ptr<Corpus> corpus;
  std::unique_ptr<GivenSentences> sentences;  // text.encoder "given"
  std::shared_ptr<RetrievalSystem> system;
  std::unique_ptr<BatchBuilder> builder;
  // For each of the dataset's languages its position among the system's.
  std::vector<int> system_language;

  Experiment(Recipe recipe, Dataset dataset, Features features);
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
};

// What a training starts from. `checkpoint`: one will be loaded over all weights, so the word
// vectors, which may take minutes to learn, are left at random.
enum class Start { fresh, checkpoint };

// A system for training: vocabularies and feature statistics come from the train split alone,
// weights from the recipe's seed, word vectors from where text.vectors says.
std::unique_ptr<Experiment> new_experiment(Recipe recipe, const std::filesystem::path& data,
                                           torch::Device device, Start start = Start::fresh);

// The captions that the recipe selects, in `languages` alone (none: all), with their features;
// nothing is built of them yet.
std::unique_ptr<Experiment> load_experiment(Recipe recipe, const std::filesystem::path& data,
                                            const std::vector<std::string>& languages);
// Images of the train split that have features; at least one.
std::vector<int> train_images(const Experiment& experiment);
// The system of the experiment's recipe, with fresh weights by its seed, and what batches are made
// of; vocabularies and transform are there.
void build_system(Experiment& experiment, const TokenisedCaptions& captions, torch::Device device);

// How a run's system is opened on some data.
struct OpenOptions {
  std::vector<std::string> languages{};  // empty: all of the run's (or all that are translated)
  std::string features{};                // empty: those of the training
  torch::Device device = torch::Device(torch::kCPU);
  // Translate-the-query: captions of `split` in other languages than `into`, one of the run's, are
  // replaced by their translations from this folder, and all are read as `into`. Empty: none.
  std::filesystem::path translations{};
  std::string into{};
  std::string split{};
};

// The trained system of a run folder on some data. Throws InputError when the run lacks a language
// or a file does not fit.
std::unique_ptr<Experiment> open_experiment(const std::filesystem::path& run,
                                            const std::filesystem::path& data,
                                            const OpenOptions& options = {});

struct ParameterCounts {
  std::int64_t train = 0;   // numbers that training changes
  std::int64_t search = 0;  // numbers that a query needs: the text side
  // The trained ones by what they are: words, space (from words into a shared space), sentence,
  // image, and other (what only the loss needs).
  std::map<std::string, std::int64_t> parts;
};
ParameterCounts count_parameters(const RetrievalSystem& system);

}  // namespace hinny
