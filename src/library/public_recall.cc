#include <fmt/format.h>

#include "library/internal.h"
#include "retrieval/recall.h"

namespace hinny {
inline namespace v1 {
namespace {

void check_sizes(std::span<const float> images, std::span<const float> captions,
                 std::span<const int> owners, std::size_t dim) {
  if (dim == 0 || images.size() % dim != 0 || captions.size() % dim != 0) {
    throw InputError(fmt::format("{} and {} numbers (expected rows of {})", images.size(),
                                 captions.size(), dim));
  }
  if (captions.size() / dim != owners.size() || owners.empty() || images.empty()) {
    throw InputError(
        fmt::format("{} images, {} captions, {} owners (expected an owner for each "
                    "caption, and one or more)",
                    images.size() / dim, captions.size() / dim, owners.size()));
  }
  const auto count = static_cast<std::ptrdiff_t>(images.size() / dim);
  for (std::size_t c = 0; c < owners.size(); ++c) {
    if (owners[c] >= 0 && owners[c] < count) continue;
    throw InputError(
        fmt::format("caption {} belongs to image {} (expected 0 to {})", c, owners[c], count - 1));
  }
}

}  // namespace

Recall recall(std::span<const float> images, std::span<const float> captions,
              std::span<const int> owners, std::size_t dim) {
  return inside::guarded([&] {
    check_sizes(images, captions, owners, dim);
    const inside::LanguageRecall found = measure_recall(
        {images, images.size() / dim, dim}, {captions, captions.size() / dim, dim}, owners);
    const auto& [i1, i5, i10] = found.image_to_text;
    const auto& [t1, t5, t10] = found.text_to_image;
    return Recall{i1, i5, i10, t1, t5, t10, found.mean()};
  });
}

}  // namespace v1
}  // namespace hinny
