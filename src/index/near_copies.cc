#include "index/near_copies.h"

#include <algorithm>

#include "retrieval/kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kFewCopies = 32;
constexpr float kRounding = 1e-4F;  // a search adds up in another order

}  // namespace

void Originals::add(std::size_t image) {
  const auto vector = index_.vector_view(image, space_);
  vectors_.insert(vectors_.end(), vector.begin(), vector.end());
}

std::optional<std::size_t> Originals::original_of(std::size_t image) {
  const auto vector = index_.vector_view(image, space_);
  cosines_.resize(vectors_.size() / vector.size());
  if (cosines_.empty()) return std::nullopt;
  kernels().f32(vectors_.data(), cosines_.size(), vector.size(), vector.data(), 1, cosines_.data());
  const auto found = std::ranges::find_if(cosines_, [](float x) { return x >= kNearCopies; });
  if (found == cosines_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - cosines_.begin());
}

std::vector<std::size_t> Originals::near(const std::vector<std::size_t>* among) const {
  const std::size_t all = among == nullptr ? index_.size() : among->size();
  const std::size_t dim = index_.contents().dim;
  std::vector<Query> pending;
  for (auto from = vectors_.begin(); from != vectors_.end();) {
    const auto to = from + static_cast<std::ptrdiff_t>(dim);
    pending.push_back({index_.contents().model, space_, {from, to}, false, {}});
    from = to;
  }
  std::vector<std::size_t> images;
  for (std::size_t most = kFewCopies; !pending.empty(); most *= 4) {
    const auto hits = index_.search(pending, std::min(most, all), among);
    std::vector<Query> more;  // of those so many copies are not all
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const auto is_near = [](const Hit& hit) { return hit.score >= kNearCopies - kRounding; };
      if (most < all && !hits[i].empty() && is_near(hits[i].back())) {
        more.push_back(std::move(pending[i]));
        continue;
      }
      for (const Hit& hit : hits[i]) {
        if (is_near(hit)) images.push_back(hit.image);
      }
    }
    pending = std::move(more);
  }
  std::ranges::sort(images);
  images.erase(std::unique(images.begin(), images.end()), images.end());
  return images;
}

}  // namespace hinny
