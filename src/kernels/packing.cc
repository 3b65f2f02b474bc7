#include "kernels/packing.h"

#include <algorithm>
#include <numeric>

namespace hinny {
namespace {

constexpr std::size_t kFewestCaptions = 8;  // a shard of fewer is not worth a thread

}  // namespace

Packing pack(std::span<const std::int64_t> lengths, std::size_t shards, bool backwards) {
  std::vector<std::int64_t> first(lengths.size() + 1, 0);  // of each caption, end to end
  std::partial_sum(lengths.begin(), lengths.end(), first.begin() + 1);
  std::vector<std::int64_t> sorted(lengths.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  const auto length = [&](std::int64_t caption) {
    return lengths[static_cast<std::size_t>(caption)];
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::int64_t a, std::int64_t b) { return length(a) > length(b); });

  const std::size_t count =
      std::max<std::size_t>(1, std::min(shards, lengths.size() / kFewestCaptions));
  Packing packing;
  packing.tokens.reserve(static_cast<std::size_t>(first.back()));
  for (std::size_t s = 0; s < count; ++s) {
    Packing::Shard shard;
    shard.first_caption = static_cast<std::int64_t>(packing.captions.size());
    for (std::size_t i = s; i < sorted.size(); i += count) packing.captions.push_back(sorted[i]);
    shard.captions = static_cast<std::int64_t>(packing.captions.size()) - shard.first_caption;
    const auto own =
        std::span(packing.captions).subspan(static_cast<std::size_t>(shard.first_caption));
    const std::int64_t steps = own.empty() ? 0 : length(own.front());
    for (std::int64_t step = 0; step <= steps; ++step) {
      shard.starts.push_back(static_cast<std::int64_t>(packing.tokens.size()));
      for (const std::int64_t caption : own) {
        if (length(caption) <= step) break;
        const std::int64_t word = backwards ? length(caption) - 1 - step : step;
        packing.tokens.push_back(first[static_cast<std::size_t>(caption)] + word);
      }
    }
    packing.shards.push_back(std::move(shard));
  }
  return packing;
}

}  // namespace hinny
