#include "translation/sentence_pairs.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace hinny {

SentencePairs sentence_pairs(const Dataset& dataset, const std::string& split,
                             const Direction& direction) {
  const int from = dataset.language(direction.from), to = dataset.language(direction.to);
  SentencePairs result;
  for (const int image : dataset.split(split)) {
    const std::vector<int>& sources = dataset.captions_of(image, from);
    const std::vector<int>& targets = dataset.captions_of(image, to);
    if (sources.size() == 1 && targets.size() == 1) {
      result.pairs.push_back({image, sources.front(), targets.front()});
    } else if (!sources.empty() && !targets.empty()) {
      ++result.unclear;
    }
  }
  return result;
}

// Pairs of equal target length are drawn anew each epoch; as the lengths themselves stay in the
// same order, so do the batches' ends.
PairBatches::PairBatches(std::vector<std::int64_t> lengths, std::int64_t words, std::uint64_t seed)
    : lengths_(std::move(lengths)), seed_(seed) {
  const std::vector<std::size_t> order = in_order(0);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto padded =
        static_cast<std::int64_t>(i + 1 - begin) * lengths_[order[i]];  // the longest yet
    if (padded > words && i > begin) {
      ends_.push_back(i);
      begin = i;
    }
  }
  if (!order.empty()) ends_.push_back(order.size());
}

std::vector<std::size_t> PairBatches::in_order(std::int64_t epoch) const {
  std::vector<std::size_t> order(lengths_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(mix_seed({seed_, 0x9a17U, static_cast<std::uint64_t>(epoch)}))
      .shuffle(std::span<std::size_t>(order));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lengths_[a] < lengths_[b]; });
  return order;
}

std::vector<std::vector<std::size_t>> PairBatches::epoch(std::int64_t epoch) const {
  const std::vector<std::size_t> order = in_order(epoch);
  std::vector<std::vector<std::size_t>> batches;
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    batches.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(begin),
                         order.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  Random(mix_seed({seed_, 0x0bacU, static_cast<std::uint64_t>(epoch)}))
      .shuffle(std::span<std::vector<std::size_t>>(batches));
  return batches;
}

}  // namespace hinny
