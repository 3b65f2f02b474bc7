#include "translation/translate.h"

#include <algorithm>
#include <numeric>

#include "base/interrupt.h"
#include "translation/ragged.h"

namespace hinny {
namespace {

// Unknown subwords become the word that was looked at (Luong et al. 2015, "Addressing the rare
// word problem"). `regions`: whether a region stands before the source's words.
std::string written(TranslationModel& model, const Hypothesis& hypothesis,
                    const std::vector<std::int32_t>& source, bool regions,
                    const std::string& sentence, const std::string& from) {
  std::map<std::size_t, std::string> copies;
  for (std::size_t i = 0; i < hypothesis.ids.size(); ++i) {
    if (hypothesis.ids[i] != kUnknown) continue;
    const auto place = std::max(hypothesis.attended[i] - (regions ? 1 : 0), 0);
    copies[i] = model.text.word_at(source, sentence, from, static_cast<std::size_t>(place));
  }
  return model.text.text(hypothesis.ids, copies);
}

}  // namespace

std::vector<std::vector<Translation>> translate(TranslationModel& model, const Direction& direction,
                                                std::span<const std::string> sentences,
                                                const TranslateOptions& options,
                                                const RegionsOf& regions, Progress* progress) {
  const torch::NoGradGuard no_gradient;
  model.net->eval();
  SearchOptions search;
  search.beam = options.beam;
  search.best = options.best;
  search.length_power = options.length_power;
  search.never = model.text.never_written();

  std::vector<std::vector<std::int32_t>> sources;
  for (const std::string& sentence : sentences) {
    sources.push_back(model.text.source(sentence, direction.from, direction.to));
  }
  // Of like length together: little is computed for padding.
  std::vector<std::size_t> order(sentences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sources[a].size() > sources[b].size();
  });
  std::vector<std::vector<Translation>> results(sentences.size());
  constexpr std::size_t kMarks = 2;  // of a source: the language, and the end
  while (!order.empty() && sources[order.back()].size() <= kMarks) {
    results[order.back()] = {{"", 0.0}};
    order.pop_back();
  }
  const auto at_once = static_cast<std::size_t>(options.sentences);
  for (std::size_t begin = 0; begin < order.size(); begin += at_once) {
    stop_if_interrupted();
    const auto some = std::span(order).subspan(begin, std::min(at_once, order.size() - begin));
    std::vector<std::vector<std::int32_t>> batch;
    for (const std::size_t i : some) batch.push_back(sources[i]);
    const torch::Tensor seen = regions ? regions(some).to(model.device) : torch::Tensor();
    const auto found = beam_search(
        *model.net, model.net->encode(caption_batch(batch, model.device), seen), search);
    for (std::size_t i = 0; i < some.size(); ++i) {
      for (const Hypothesis& hypothesis : found[i]) {
        results[some[i]].push_back({written(model, hypothesis, batch[i], seen.defined(),
                                            sentences[some[i]], direction.from),
                                    hypothesis.score});
      }
    }
    if (progress != nullptr) progress->add(some.size());
  }
  return results;
}

}  // namespace hinny
