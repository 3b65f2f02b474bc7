#include "nn/ragged.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>

#include <limits>

namespace hinny {

Ragged::Ragged(const torch::Tensor& lengths)
    : lengths_(lengths),
      first_(lengths.cumsum(0) - lengths),
      longest_(lengths.max().item<std::int64_t>()) {
  there_ = at::arange(longest_, at::kLong).unsqueeze(0) < lengths_.unsqueeze(1);
  places_ = there_.view({-1}).nonzero().view({-1});
}

torch::Tensor Ragged::mask() const {
  return at::zeros(there_.sizes())
      .masked_fill(there_.logical_not(), -std::numeric_limits<double>::infinity());
}

torch::Tensor Ragged::pad(const torch::Tensor& items) const {
  const std::int64_t count = lengths_.size(0);
  return at::zeros({count * longest_, items.size(1)}, items.options())
      .index_copy(0, places_.to(items.device()), items)
      .view({count, longest_, items.size(1)});
}

torch::Tensor Ragged::packed(const torch::Tensor& padded) const {
  return padded.reshape({padded.size(0) * padded.size(1), padded.size(2)})
      .index_select(0, places_.to(padded.device()));
}

}  // namespace hinny
