#include "nn/distinct_words.h"

#include <span>

namespace hinny {

DistinctWords distinct_words(const torch::Tensor& ids, std::int64_t vocabulary) {
  const torch::Tensor local = ids.to(at::kCPU);
  std::vector<std::int32_t> place(static_cast<std::size_t>(vocabulary), 0);
  const std::span<const std::int64_t> tokens(local.data_ptr<std::int64_t>(),
                                             static_cast<std::size_t>(local.numel()));
  for (const std::int64_t id : tokens) place.at(static_cast<std::size_t>(id)) = 1;
  DistinctWords words;
  std::vector<std::int64_t> distinct;
  for (std::size_t id = 0; id < place.size(); ++id) {
    if (place[id] == 0) continue;
    place[id] = static_cast<std::int32_t>(distinct.size());
    distinct.push_back(static_cast<std::int64_t>(id));
  }
  words.ids = positions(distinct);
  words.word_of.reserve(tokens.size());
  for (const std::int64_t id : tokens) words.word_of.push_back(place[static_cast<std::size_t>(id)]);
  return words;
}

CaptionBatch renumbered(const CaptionBatch& captions, const DistinctWords& words) {
  CaptionBatch batch = captions;
  batch.ids = positions(words.word_of).to(captions.ids.device());
  return batch;
}

}  // namespace hinny
