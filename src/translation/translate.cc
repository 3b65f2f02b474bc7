#include "translation/translate.h"

#include <algorithm>
#include <numeric>

#include "base/interrupt.h"

namespace hinny {

std::vector<std::vector<Translation>> translate(TranslationModel& model, const Direction& direction,
                                                std::span<const std::string> sentences,
                                                const TranslateOptions& options,
                                                const RegionsOf& regions, Progress* progress) {
  const torch::NoGradGuard no_gradient;
  model.net->eval();
  SearchOptions search = options;
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
  while (!order.empty() && sources[order.back()].size() <= SubwordText::kMarks) {
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
        results[some[i]].push_back({model.text.written(hypothesis, batch[i], sentences[some[i]],
                                                       direction.from, seen.defined() ? 1 : 0),
                                    hypothesis.score});
      }
    }
    if (progress != nullptr) progress->add(some.size());
  }
  return results;
}

}  // namespace hinny
