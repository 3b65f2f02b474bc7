#include "training/experiment/parallel_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/terminal_text.h"
#include "data/dataset_path.h"
#include "text/language_code.h"

namespace hinny {
namespace {

// Those of `wanted` that the folder has, in their order.
std::vector<std::string> common_languages(const std::filesystem::path& folder,
                                          const std::vector<std::string>& wanted) {
  const std::vector<std::string> there = Dataset::load(folder).languages();
  std::vector<std::string> common;
  std::ranges::copy_if(wanted, std::back_inserter(common), [&](const std::string& language) {
    return find_language(there, language).has_value();
  });
  return common;
}

bool speaks(const Dataset& dataset, int line, std::size_t language) {
  return !dataset.captions_of(line, static_cast<int>(language)).empty();
}

}  // namespace

std::set<std::string> languages_of_sentences(const Recipe& recipe) {
  if (recipe.parallel.data.empty()) return {};
  const std::vector<std::string> all =
      Dataset::load(find_dataset(recipe.parallel.data)).languages();
  std::set<std::string> languages(all.begin(), all.end());
  if (const auto pivot = find_language(all, recipe.parallel.pivot)) languages.erase(*pivot);
  return languages;
}

std::optional<ParallelSentences> load_parallel_sentences(
    const Recipe& recipe, const std::vector<std::string>& languages) {
  const ParallelSettings& settings = recipe.parallel;
  if (settings.data.empty()) return std::nullopt;
  const std::filesystem::path folder = find_dataset(settings.data);
  const std::vector<std::string> common = common_languages(folder, languages);
  const auto pivot = std::ranges::find(common, settings.pivot);
  if (pivot == common.end() || common.size() < 2) {
    throw InputError(folder,
                     fmt::format("has {} of the model's languages", fmt::join(common, ", ")),
                     fmt::format("'{}' (parallel.pivot) and another", settings.pivot));
  }
  ParallelSentences parallel{Dataset::load(folder, {common, {}}), {}, 0, {}};
  parallel.pivot = static_cast<int>(pivot - common.begin());
  for (const std::string& language : common) {
    const auto place = std::ranges::find(recipe.languages, language);
    parallel.languages.push_back(
        SystemLanguage{static_cast<int>(place - recipe.languages.begin())});
  }
  for (const int line : parallel.dataset.split("train")) {
    std::size_t spoken = 0;
    for (std::size_t l = 0; l < common.size(); ++l) spoken += speaks(parallel.dataset, line, l);
    if (spoken > 1 && speaks(parallel.dataset, line, static_cast<std::size_t>(parallel.pivot))) {
      parallel.sentences.push_back(line);
    }
  }
  if (parallel.sentences.size() < 2) {
    throw InputError(folder,
                     fmt::format("{} parallel sentences to learn from", parallel.sentences.size()),
                     fmt::format("more, in '{}' and another language", settings.pivot));
  }
  print_line(stderr, "parallel text: {} sentences in {}\n", parallel.sentences.size(),
             fmt::join(common, ", "));
  return parallel;
}

}  // namespace hinny
