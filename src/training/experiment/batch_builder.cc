#include "training/experiment/batch_builder.h"

#include <ATen/ops/empty.h>

#include <numeric>
#include <vector>

#include "nn/layers.h"

namespace hinny {

torch::Tensor GivenSentences::gather(std::span<const int> captions) const {
  std::vector<int> wanted;
  for (const int caption : captions) wanted.push_back(places[static_cast<std::size_t>(caption)]);
  torch::Tensor rows = at::empty({static_cast<std::int64_t>(wanted.size()), vectors.dim()});
  vectors.gather(wanted, numbers_of(rows));
  return rows;
}

torch::Tensor image_rows(const Features& features, const FeatureTransform& transform,
                         std::span<const int> images) {
  torch::Tensor rows = at::empty({static_cast<std::int64_t>(images.size()), features.dim()});
  features.gather(images, numbers_of(rows));
  transform.apply(numbers_of(rows));
  return rows;
}

torch::Tensor BatchBuilder::images(std::span<const int> images) const {
  return image_rows(features_, transform_, images).to(device_);
}

CaptionBatch BatchBuilder::captions(std::span<const int> captions,
                                    std::span<const int> rows) const {
  std::vector<std::int64_t> ids, lengths;
  const torch::Tensor by_machine =
      at::empty({static_cast<std::int64_t>(captions.size())}, at::kBool);
  bool* machine = by_machine.data_ptr<bool>();
  for (const int caption : captions) {
    const auto words = corpus_.caption(caption);
    ids.insert(ids.end(), words.begin(), words.end());
    lengths.push_back(static_cast<std::int64_t>(words.size()));
    *machine++ = corpus_.by_machine(caption);
  }
  CaptionBatch batch = caption_batch(ids, lengths, device_);
  batch.rows = positions(rows).to(device_);
  batch.by_machine = by_machine;
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
    batch.languages.push_back({languages_[static_cast<std::size_t>(language.language)],
                               captions(language.captions, language.rows)});
  }
  return batch;
}

}  // namespace hinny
