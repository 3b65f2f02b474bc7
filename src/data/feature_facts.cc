#include "data/feature_facts.h"

#include <algorithm>
#include <vector>

namespace hinny {

FeatureFacts feature_facts(const Features& features, std::span<const int> images) {
  const auto size = static_cast<std::size_t>(features.dim());
  FeatureFacts facts{images.size(), 0, features.dim(), 0};
  std::vector<float> first(size), row(size);
  std::vector<char> varies(size, 0);
  for (std::size_t i = 0; i < images.size(); ++i) {
    features.gather(images.subspan(i, 1), row);
    if (i == 0) first = row;
    facts.zero += std::ranges::all_of(row, [](float number) { return number == 0; });
    for (std::size_t n = 0; n < size; ++n) varies[n] |= static_cast<char>(row[n] != first[n]);
  }
  facts.constant = std::ranges::count(varies, char{0});
  return facts;
}

}  // namespace hinny
