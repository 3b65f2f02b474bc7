#include "training/start/adapt.h"

#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "text/language_code.h"
#include "training/evaluation/check_validation.h"
#include "training/experiment/model_files.h"
#include "training/experiment/run_hubs.h"
#include "training/start/borrow_words.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// As the run spells them.
std::vector<std::string> spoken_here(const Recipe& recipe, const fs::path& from,
                                     const fs::path& data, std::vector<std::string> asked) {
  const bool all = asked.empty();
  if (all) asked = Dataset::load(data).languages();
  std::vector<std::string> known;
  for (const std::string& language : asked) {
    if (const auto found = find_language(recipe.languages, language)) {
      known.push_back(*found);
    } else if (!all) {
      throw InputError(from, fmt::format("the model lacks language '{}'", language),
                       languages_expected(recipe.languages));
    }
  }
  if (!known.empty()) return known;
  throw InputError(data, fmt::format("captions in {}", fmt::join(asked, ", ")),
                   fmt::format("some in a language of {}: {}", from.string(),
                               fmt::join(recipe.languages, ", ")));
}

bool has_words_of_its_own(const Recipe& recipe) {
  const TextSettings& text = recipe.model.text;
  return text.latents == 0 && text.characters == 0 && text.dictionary.empty() && !text.given;
}

void add_words(Vocabulary& words, const WordCounts& counts, std::int64_t least) {
  const Vocabulary new_ones = [&] {
    WordCounts unknown;
    for (const auto& [word, count] : counts) {
      if (count >= least && !words.contains(word)) unknown[word] = count;
    }
    return unknown.empty() ? Vocabulary() : Vocabulary::build(unknown, least);
  }();
  for (std::int32_t id = kFirstWord; id < new_ones.size(); ++id) {
    words.add(new_ones.word(id), new_ones.count(id));
  }
}

// The run's tensors; of a table that has more rows now the first are the run's, the rest as they
// are in the system.
NamedTensors with_more_rows(const RetrievalSystem& system, NamedTensors stored) {
  for (const auto& [name, tensor] : tensors_of(system)) {
    const auto found = stored.find(name);
    if (found == stored.end() || found->second.dim() != tensor.dim() || tensor.dim() == 0) continue;
    torch::Tensor& old = found->second;
    const bool grew =
        old.size(0) < tensor.size(0) && old.sizes().slice(1) == tensor.sizes().slice(1);
    if (!grew) continue;
    torch::Tensor rows = tensor.detach().clone();
    rows.slice(0, 0, old.size(0)).copy_(old);
    old = rows;
  }
  return stored;
}

// Each new word, from `first` on, of the vocabulary of these languages as the mean of the known
// words around it.
void start_new_words(RetrievalSystem& system, const PreparedData& data,
                     const std::vector<int>& languages, std::int32_t first) {
  const SystemLanguage place = data.system_language[static_cast<std::size_t>(languages.front())];
  const torch::Tensor table = system.words_of(place);
  if (!table.defined() || table.size(0) <= first) return;
  const torch::Tensor known = table.slice(0, kFirstWord, first);
  const torch::Tensor mean = known.mean(0);
  torch::Tensor rows = table.clone();
  torch::Tensor sums = at::zeros({table.size(0) - first, table.size(1)});
  std::vector<float> times(static_cast<std::size_t>(sums.size(0)), 0);
  const auto read = [&](int caption) {
    std::vector<std::int64_t> around;
    std::set<std::int32_t> fresh;
    for (const std::int32_t id : data.corpus.caption(caption)) {
      if (id >= first) fresh.insert(id);
      if (id >= kFirstWord && id < first) around.push_back(id);
    }
    if (fresh.empty() || around.empty()) return;
    const torch::Tensor said = table.index_select(0, at::tensor(around)).mean(0);
    for (const std::int32_t id : fresh) {
      sums[id - first] += said;
      ++times[static_cast<std::size_t>(id - first)];
    }
  };
  for (const int image : train_images(data.dataset, data.features)) {
    for (const int language : languages) {
      std::ranges::for_each(data.dataset.captions_of(image, language), read);
    }
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i);
    rows[first + row] = times[i] > 0 ? sums[row] / times[i] : mean;
  }
  system.set_words(place, rows);
}

// `known`: how many ids each vocabulary had.
void start_new_words(RetrievalSystem& system, const PreparedData& data,
                     const std::map<std::string, std::int32_t>& known) {
  const torch::NoGradGuard no_gradient;
  std::map<std::string, std::vector<int>> readers;  // languages by vocabulary
  for (std::size_t l = 0; l < data.system_language.size(); ++l) {
    const std::string name = vocabulary_name(data.recipe.model.text, data.dataset.languages()[l]);
    readers[name].push_back(static_cast<int>(l));
  }
  for (const auto& [name, languages] : readers) {
    start_new_words(system, data, languages, known.at(name));
  }
}

}  // namespace

std::unique_ptr<Experiment> adapt(Recipe recipe, const fs::path& from, const fs::path& data,
                                  const std::vector<std::string>& languages, torch::Device device,
                                  Start start) {
  recipe.model.pretrain.epochs = recipe.model.loss.warmup_epochs = 0;
  const std::vector<std::string> spoken = spoken_here(recipe, from, data, languages);
  SelectedData selected = load_data(std::move(recipe), data, spoken);
  check_validation(selected);
  const TensorFile weights = read_tensors(from / kWeightsFile);
  LearntOfData learnt;
  learnt.vocabularies = read_vocabularies(from / kVocabularyFile);
  learnt.borrowed = borrowed_words(read_model_config(from / kConfigFile), weights.tensors);
  learnt.transform =
      transform_of(selected.recipe.model.image, weights.tensors, from / kWeightsFile);
  check_numbers(selected, static_cast<std::int64_t>(learnt.transform.mean().size()));
  const TextSettings text = selected.recipe.model.text;
  std::vector<SystemLanguage> places;
  for (const std::string& language : selected.dataset.languages()) {
    const auto& known = selected.recipe.languages;
    places.push_back(
        SystemLanguage{static_cast<int>(std::ranges::find(known, language) - known.begin())});
  }
  const TokenisedCaptions captions(selected.dataset, text);
  std::map<std::string, std::int32_t> known_words;
  for (const auto& [name, words] : learnt.vocabularies) known_words[name] = words.size();
  if (has_words_of_its_own(selected.recipe)) {
    for (const auto& [name, counts] :
         captions.count_words(train_images(selected.dataset, selected.features))) {
      add_words(learnt.vocabularies.at(name), counts, text.min_count);
    }
  }
  PreparedData prepared =
      prepare(std::move(selected), captions, std::move(learnt), std::move(places));
  auto system = fresh_system(prepared);
  system->fit_sizes(weights.tensors, "");
  load_tensors(*system, with_more_rows(*system, weights.tensors), "", from / kWeightsFile);
  if (start == Start::fresh) start_new_words(*system, prepared, known_words);
  auto experiment = std::make_unique<Experiment>(std::move(prepared), std::move(system), device);
  experiment->hubs = hubs_of_run(from);
  experiment->began_with = weights.tensors;
  return experiment;
}

}  // namespace hinny
