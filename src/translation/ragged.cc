#include "translation/ragged.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <limits>
#include <span>

namespace hinny {
namespace {

std::span<const std::int64_t> values(const torch::Tensor& tensor) {
  return {tensor.data_ptr<std::int64_t>(), static_cast<std::size_t>(tensor.numel())};
}

CaptionBatch batch_of(const std::vector<std::int64_t>& ids,
                      const std::vector<std::int64_t>& lengths, at::Device device) {
  CaptionBatch batch{positions(ids).to(device), {}, positions(lengths), {}};
  batch.offsets = (batch.lengths.cumsum(0) - batch.lengths).to(device);
  batch.rows = at::arange(batch.captions(), at::kLong).to(device);
  return batch;
}

}  // namespace

Ragged::Ragged(const torch::Tensor& lengths)
    : lengths_(lengths),
      first_(lengths.cumsum(0) - lengths),
      longest_(lengths.max().item<std::int64_t>()) {
  within_ = at::arange(longest_, at::kLong).unsqueeze(0) < lengths_.unsqueeze(1);
  places_ = within_.view({-1}).nonzero().view({-1});
}

torch::Tensor Ragged::mask() const {
  return at::zeros(within_.sizes())
      .masked_fill(within_.logical_not(), -std::numeric_limits<double>::infinity());
}

torch::Tensor Ragged::pad(const torch::Tensor& tokens) const {
  const std::int64_t count = lengths_.size(0);
  return at::zeros({count * longest_, tokens.size(1)}, tokens.options())
      .index_copy(0, places_.to(tokens.device()), tokens)
      .view({count, longest_, tokens.size(1)});
}

torch::Tensor Ragged::packed(const torch::Tensor& padded) const {
  return padded.reshape({padded.size(0) * padded.size(1), padded.size(2)})
      .index_select(0, places_.to(padded.device()));
}

torch::Tensor positions(const std::vector<std::int64_t>& numbers) {
  torch::Tensor tensor = at::empty({static_cast<std::int64_t>(numbers.size())}, at::kLong);
  std::copy(numbers.begin(), numbers.end(), tensor.data_ptr<std::int64_t>());
  return tensor;
}

torch::Tensor positions(const std::vector<std::int32_t>& numbers) {
  return positions(std::vector<std::int64_t>(numbers.begin(), numbers.end()));
}

CaptionBatch caption_batch(const std::vector<std::vector<std::int32_t>>& sentences,
                           at::Device device) {
  std::vector<std::int64_t> ids, lengths;
  for (const auto& words : sentences) {
    ids.insert(ids.end(), words.begin(), words.end());
    lengths.push_back(static_cast<std::int64_t>(words.size()));
  }
  return batch_of(ids, lengths, device);
}

CaptionBatch repeated_after(const CaptionBatch& captions, std::int64_t times,
                            std::int64_t first_id) {
  const torch::Tensor words = captions.ids.to(at::kCPU);
  std::vector<std::int64_t> ids, lengths;
  auto next = values(words).begin();
  for (const std::int64_t length : values(captions.lengths)) {
    for (std::int64_t k = 0; k < times; ++k) {
      ids.push_back(first_id + static_cast<std::int64_t>(lengths.size()));
      ids.insert(ids.end(), next, next + length);
      lengths.push_back(length + 1);
    }
    next += length;
  }
  return batch_of(ids, lengths, captions.ids.device());
}

CaptionBatch shifted(const CaptionBatch& captions, std::int64_t first_id) {
  const torch::Tensor words = captions.ids.to(at::kCPU);
  std::vector<std::int64_t> ids;
  auto next = values(words).begin();
  std::int64_t sentence = 0;
  for (const std::int64_t length : values(captions.lengths)) {
    ids.push_back(first_id + sentence++);
    ids.insert(ids.end(), next, next + length - 1);
    next += length;
  }
  CaptionBatch batch = captions;
  batch.ids = positions(ids).to(captions.ids.device());
  return batch;
}

}  // namespace hinny
