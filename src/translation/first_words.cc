#include "translation/first_words.h"

#include <span>
#include <vector>

namespace hinny {
namespace {

std::span<const std::int64_t> values(const torch::Tensor& tensor) {
  return {tensor.data_ptr<std::int64_t>(), static_cast<std::size_t>(tensor.numel())};
}

}  // namespace

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
  return caption_batch(ids, lengths, captions.ids.device());
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
