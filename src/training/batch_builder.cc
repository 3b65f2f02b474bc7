#include "training/batch_builder.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace hinny {

torch::Tensor GivenSentences::gather(std::span<const int> captions) const {
  std::vector<int> wanted;
  for (const int caption : captions) wanted.push_back(places[static_cast<std::size_t>(caption)]);
  torch::Tensor rows = at::empty({static_cast<std::int64_t>(wanted.size()), vectors.dim()});
  vectors.gather(wanted, {rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel())});
  return rows;
}

torch::Tensor BatchBuilder::images(std::span<const int> images) const {
  torch::Tensor rows = at::empty({static_cast<std::int64_t>(images.size()), features_.dim()});
  const std::span<float> numbers(rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel()));
  features_.gather(images, numbers);
  transform_.apply(numbers);
  return rows.to(device_);
}

CaptionBatch BatchBuilder::captions(std::span<const int> captions,
                                    std::span<const int> rows) const {
  const auto count = static_cast<std::int64_t>(captions.size());
  std::int64_t tokens = 0;
  for (const int caption : captions) {
    tokens += static_cast<std::int64_t>(corpus_.caption(caption).size());
  }
  CaptionBatch batch{at::empty({tokens}, at::kLong), at::empty({count}, at::kLong),
                     at::empty({count}, at::kLong),
                     at::empty({static_cast<std::int64_t>(rows.size())}, at::kLong)};
  auto* ids = batch.ids.data_ptr<std::int64_t>();
  auto* offsets = batch.offsets.data_ptr<std::int64_t>();
  auto* lengths = batch.lengths.data_ptr<std::int64_t>();
  std::int64_t offset = 0;
  for (const int caption : captions) {
    const auto words = corpus_.caption(caption);
    *offsets++ = offset;
    *lengths++ = static_cast<std::int64_t>(words.size());
    offset += static_cast<std::int64_t>(words.size());
    ids = std::copy(words.begin(), words.end(), ids);
  }
  std::copy(rows.begin(), rows.end(), batch.rows.data_ptr<std::int64_t>());
  batch.ids = batch.ids.to(device_);
  batch.offsets = batch.offsets.to(device_);
  batch.rows = batch.rows.to(device_);
  if (sentences_ != nullptr) batch.vectors = sentences_->gather(captions).to(device_);
  return batch;
}

Batch BatchBuilder::build(const BatchPlan& plan) const {
  Batch batch;
  if (!plan.pairs.empty()) {
    std::vector<int> first, second, rows(plan.pairs.size());
    std::iota(rows.begin(), rows.end(), 0);
    for (const CaptionPair& pair : plan.pairs) {
      first.push_back(pair.first);
      second.push_back(pair.second);
    }
    batch.pairs = {captions(first, rows), captions(second, rows)};
    return batch;
  }
  batch.features = images(plan.images);
  for (const LanguageBatch& language : plan.languages) {
    if (language.captions.empty()) continue;
    batch.languages.push_back({language.language, captions(language.captions, language.rows)});
  }
  return batch;
}

}  // namespace hinny
