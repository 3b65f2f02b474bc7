#include "nn/caption_batch.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

#include <algorithm>

namespace hinny {
namespace {

template <typename Number>
torch::Tensor as_tensor(std::span<const Number> numbers) {
  torch::Tensor tensor = at::empty({static_cast<std::int64_t>(numbers.size())}, at::kLong);
  std::copy(numbers.begin(), numbers.end(), tensor.data_ptr<std::int64_t>());
  return tensor;
}

}  // namespace

torch::Tensor positions(std::span<const std::int64_t> numbers) { return as_tensor(numbers); }
torch::Tensor positions(std::span<const std::int32_t> numbers) { return as_tensor(numbers); }

Shard items_of(const torch::Tensor& lengths, const Shard& shard) {
  const auto sum = [&](std::int64_t first, std::int64_t count) {
    return lengths.narrow(0, first, count).sum().item<std::int64_t>();
  };
  return {sum(0, shard.first), sum(shard.first, shard.count), sum(0, lengths.size(0)), shard.group};
}

CaptionBatch shard_of(const CaptionBatch& captions, const Shard& shard) {
  if (shard.group == nullptr) return captions;
  const auto of = [&](const torch::Tensor& each) {
    return each.defined() && each.size(0) > 0 ? shard.of(each) : each;  // some have no rows
  };
  const Shard tokens = items_of(captions.lengths, shard);
  CaptionBatch part{
      {}, of(captions.offsets) - tokens.first, of(captions.lengths), of(captions.rows)};
  part.ids = tokens.of(captions.ids);
  part.vectors = of(captions.vectors);
  part.by_machine = of(captions.by_machine);
  return part;
}

CaptionBatch caption_batch(std::span<const std::int64_t> ids, std::span<const std::int64_t> lengths,
                           at::Device device) {
  CaptionBatch batch{positions(ids).to(device), {}, positions(lengths), {}};
  batch.offsets = (batch.lengths.cumsum(0) - batch.lengths).to(device);
  batch.rows = at::arange(batch.captions(), at::kLong).to(device);
  return batch;
}

CaptionBatch caption_batch(const std::vector<std::vector<std::int32_t>>& captions,
                           at::Device device) {
  std::vector<std::int64_t> ids, lengths;
  for (const auto& words : captions) {
    ids.insert(ids.end(), words.begin(), words.end());
    lengths.push_back(static_cast<std::int64_t>(words.size()));
  }
  return caption_batch(ids, lengths, device);
}

}  // namespace hinny
