#include "encoder/translator.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/run_files.h"
#include "base/threads.h"
#include "encoder/translation_search.h"
#include "model/translation_config.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

fs::path config_of(const fs::path& folder) {
  fs::path path = folder / kConfigFile;
  if (fs::is_regular_file(path)) return path;
  throw InputError(folder, "holds no model", "a folder with config.json in it");
}

constexpr std::size_t kAtOnce = 32;  // sentences

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

std::vector<std::vector<Translation>> Translator::translate(std::span<const std::string> texts,
                                                            const Direction& direction,
                                                            SearchOptions options) const {
  options.never = never_;
  std::vector<std::vector<Translation>> results(texts.size());
  const std::size_t parts = (texts.size() + kAtOnce - 1) / kAtOnce;
  parallel_blocks(parts, [&](std::size_t begin, std::size_t end) {
    for (std::size_t first = begin * kAtOnce; first < std::min(end * kAtOnce, texts.size());
         first += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, texts.size() - first);
      translate_some(texts.subspan(first, count), direction, options,
                     std::span(results).subspan(first, count));
    }
  });
  return results;
}

void Translator::translate_some(std::span<const std::string> texts, const Direction& direction,
                                const SearchOptions& options,
                                std::span<std::vector<Translation>> results) const {
  std::vector<std::vector<std::int32_t>> sources;
  std::vector<std::size_t> numbers;  // of what has words
  {
    const std::scoped_lock lock(guarded_->lock);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      auto ids = guarded_->text.source(texts[i], direction.from, direction.to);
      if (ids.size() <= SubwordText::kMarks) {
        results[i] = {{"", 0.0}};
      } else {
        sources.push_back(std::move(ids));
        numbers.push_back(i);
      }
    }
  }
  if (sources.empty()) return;
  const auto found = search_translations(*decoder_, sources, options);
  const std::scoped_lock lock(guarded_->lock);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string& text = texts[numbers[i]];
    for (const Hypothesis& hypothesis : found[i]) {
      results[numbers[i]].push_back(
          {guarded_->text.written(hypothesis, sources[i], text, direction.from), hypothesis.score});
    }
  }
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
  const auto found = search_translations(*decoder_, std::span(&source, 1), options);
  if (found.front().empty()) return {};
  const std::scoped_lock lock(guarded_->lock);
  return guarded_->text.written(found.front().front(), source, text, direction.from);
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
