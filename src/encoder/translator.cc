#include "encoder/translator.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/files.h"
#include "base/run_files.h"
#include "model/translation_config.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

fs::path config_of(const fs::path& folder) {
  const fs::path path = folder / kConfigFile;
  if (fs::is_regular_file(path)) return path;
  throw InputError(folder, "holds no model", "a folder with config.json in it");
}

// The best words to follow: [rows, vocabulary] log-probabilities with those of the rows.
struct Following {
  std::vector<double> scores;
  std::vector<std::int64_t> places;
};
Following following(const std::vector<float>& log_probabilities, const std::vector<double>& before,
                    std::size_t most) {
  const std::size_t vocabulary = log_probabilities.size() / before.size();
  std::vector<std::int64_t> order(log_probabilities.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  const auto score = [&](std::int64_t place) {
    const auto at = static_cast<std::size_t>(place);
    return static_cast<double>(log_probabilities[at]) + before[at / vocabulary];
  };
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::int64_t a, std::int64_t b) {
    const double first = score(a), second = score(b);
    return first != second ? first > second : a < b;
  });
  Following result;
  result.places.assign(order.begin(), end);
  for (const std::int64_t place : result.places) result.scores.push_back(score(place));
  return result;
}

}  // namespace

bool holds_translator(const fs::path& folder) { return is_translation_config(config_of(folder)); }

Translator Translator::open(const fs::path& folder) {
  const TranslationConfig config = read_translation_config(config_of(folder));
  Translator result;
  result.directions_ = directions_of(config.directions, config.languages);
  result.guarded_ = std::make_unique<Guarded>();
  result.guarded_->text = SubwordText::read(folder);
  const auto words = static_cast<std::size_t>(result.guarded_->text.vocabulary_size());
  if (config.net.vocabulary != words) {
    throw InputError(folder / kConfigFile,
                     fmt::format("net.vocabulary is {}", config.net.vocabulary),
                     fmt::format("{}, the subwords of vocabulary.tsv", words));
  }
  result.weights_ = std::make_unique<Weights>(folder / kWeightsFile);
  result.decoder_ = std::make_unique<TranslationDecoder>(*result.weights_, config.net);
  result.never_ = result.guarded_->text.never_written();
  return result;
}

Hypothesis Translator::best(const std::vector<std::int32_t>& source_ids,
                            const SearchOptions& options) const {
  const auto source = decoder_->encode(source_ids);
  auto states = decoder_->start(source);
  Beam beam(options);
  std::vector<double> scores = {0.0};
  const std::int64_t most = most_words(static_cast<std::int64_t>(source_ids.size()));
  for (std::int64_t length = 1; length <= most; ++length) {
    auto next = decoder_->predict(states);
    const std::size_t vocabulary = next.size() / scores.size();
    for (std::size_t row = 0; row < scores.size(); ++row) {
      for (const std::int32_t id : options.never) {
        next[row * vocabulary + static_cast<std::size_t>(id)] =
            -std::numeric_limits<float>::infinity();
      }
    }
    const Following found = following(next, scores, 2 * static_cast<std::size_t>(options.beam));
    const auto chosen = beam.step({found.scores.data(), found.places.data(), states.attended.data(),
                                   static_cast<std::int64_t>(found.places.size())},
                                  static_cast<std::int64_t>(vocabulary), length == most);
    if (chosen.empty()) break;
    std::vector<std::size_t> rows;
    std::vector<std::int32_t> words;
    scores.clear();
    for (const Beam::Choice& choice : chosen) {
      rows.push_back(static_cast<std::size_t>(choice.row));
      words.push_back(choice.word);
      scores.push_back(choice.score);
    }
    states = decoder_->advance(source, states, rows, words);
  }
  auto all = beam.take();
  return all.empty() ? Hypothesis{} : std::move(all.front());
}

std::string Translator::translate(std::string_view text, const Direction& direction,
                                  std::int64_t beam) const {
  std::vector<std::int32_t> source;
  {
    const std::scoped_lock lock(guarded_->lock);
    source = guarded_->text.source(text, direction.from, direction.to);
  }
  if (source.size() <= SubwordText::kMarks) return {};
  if (source.size() > kMostWords) {
    source.resize(kMostWords);
    source.back() = kEnd;
  }
  SearchOptions options;
  options.beam = beam;
  options.never = never_;
  const Hypothesis found = best(source, options);
  const std::scoped_lock lock(guarded_->lock);
  return guarded_->text.written(found, source, text, direction.from);
}

void export_translator(const fs::path& run, WeightType type, const fs::path& folder) {
  static_cast<void>(Translator::open(run));
  for (const std::string_view name : {kConfigFile, kVocabularyFile, kSubwordsFile}) {
    copy_whole_file(run / name, folder / name);
  }
  const Weights weights(run / kWeightsFile);
  std::map<std::string, WeightType> tensors;
  for (const auto& [name, view] : weights.file().tensors()) {
    const bool of_images = name.starts_with("region.") || name.starts_with("features.");
    if (!of_images && !name.ends_with(".scale")) tensors[name] = type;
  }
  export_weights(weights, tensors, folder / kWeightsFile);
}

}  // namespace hinny
