#include "training/start/pivot_words.h"

#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>
#include <torch/utils.h>

#include <set>

#include "text/vocabulary.h"

namespace hinny {
namespace {

constexpr double kPriorLines = 2;  // average lines that each word starts with

struct Spoken {
  int language;  // of the lines' dataset
  SystemLanguage place;
};

Spoken added_language(const PreparedData& data) {
  const auto& languages = data.parallel->languages;
  int language = 0;
  while (languages[static_cast<std::size_t>(language)] != data.system_language.front()) ++language;
  return {language, data.system_language.front()};
}

std::vector<std::int64_t> words_of(const PreparedData& data, int line, int language) {
  std::vector<std::int64_t> words;
  for (const int caption : data.parallel->dataset.captions_of(line, language)) {
    const auto ids = data.parallel_corpus->caption(caption);
    words.insert(words.end(), ids.begin(), ids.end());
  }
  return words;
}

// The root of the mean square of the rows of words that are said.
double spread(const torch::Tensor& rows) {
  return rows.slice(0, kFirstWord).square().mean().sqrt().item<double>();
}

}  // namespace

void start_from_pivot(RetrievalSystem& system, const PreparedData& data) {
  const torch::NoGradGuard no_gradient;
  const Spoken added = added_language(data);
  const int pivot = data.parallel->pivot;
  const SystemLanguage known = data.parallel->languages[static_cast<std::size_t>(pivot)];
  const torch::Tensor table = system.words_of(known), start = system.words_of(added.place);
  if (!table.defined() || !start.defined()) return;
  system.start_like(added.place, known);
  const torch::Tensor mean = table.slice(0, kFirstWord).mean(0);
  torch::Tensor sums = at::zeros_like(start);
  std::vector<float> times(static_cast<std::size_t>(start.size(0)), kPriorLines);
  for (const int line : data.parallel->sentences) {
    const std::vector<std::int64_t> said = words_of(data, line, pivot);
    const std::vector<std::int64_t> own = words_of(data, line, added.language);
    if (said.empty() || own.empty()) continue;
    const torch::Tensor shown = table.index_select(0, at::tensor(said)).mean(0) - mean;
    for (const std::int64_t word : std::set(own.begin(), own.end())) {
      sums[word] += shown;
      ++times[static_cast<std::size_t>(word)];
    }
  }
  sums /= at::tensor(times).unsqueeze(1);
  const double shown = spread(sums);
  if (shown > 0) sums *= spread(table - mean) / shown;
  system.set_words(added.place, sums + mean);
}

}  // namespace hinny
