#include "retrieval/paired_units.h"

#include <algorithm>
#include <stdexcept>

namespace hinny {
namespace {

int hits(int rank) {
  return static_cast<int>(std::ranges::count_if(kCutoffs, [&](int k) { return rank < k; }));
}

void check(std::span<const PairedRanks> languages) {
  if (languages.empty()) throw std::invalid_argument("compare_ranks: no language");
  for (const PairedRanks& l : languages) {
    const std::size_t images = languages.front().first.by_image.size();
    if (l.first.by_image.size() != images || l.second.by_image.size() != images ||
        l.second.by_caption.size() != l.first.by_caption.size() || l.first.by_caption.empty()) {
      throw std::invalid_argument("compare_ranks: ranks do not fit each other");
    }
    check_owners(l.image_of_caption, images, l.first.by_caption.size());
  }
}

// Each image's place among those with a caption, or -1.
std::vector<int> places(std::span<const PairedRanks> languages, std::size_t& count) {
  std::vector<int> place(languages.front().first.by_image.size(), -1);
  for (const PairedRanks& l : languages) {
    for (const int image : l.image_of_caption) place[static_cast<std::size_t>(image)] = 0;
  }
  count = 0;
  for (int& p : place) p = p == 0 ? static_cast<int>(count++) : -1;
  return place;
}

}  // namespace

PairedUnits units_of(std::span<const PairedRanks> languages) {
  check(languages);
  PairedUnits units;
  units.languages = languages.size();
  const std::vector<int> place = places(languages, units.count);
  units.parts.resize(units.languages * kParts * units.count);
  for (std::size_t language = 0; language < languages.size(); ++language) {
    const PairedRanks& l = languages[language];
    const auto part = [&](Part which, std::size_t image) -> float& {
      const auto unit = static_cast<std::size_t>(place[image]);
      return units.parts[(language * kParts + which) * units.count + unit];
    };
    for (std::size_t c = 0; c < l.image_of_caption.size(); ++c) {
      const auto image = static_cast<std::size_t>(l.image_of_caption[c]);
      part(kCaptionHits, image) +=
          static_cast<float>(hits(l.first.by_caption[c]) - hits(l.second.by_caption[c]));
      part(kCaptionQueries, image) += 1;
      part(kImageHits, image) =
          static_cast<float>(hits(l.first.by_image[image]) - hits(l.second.by_image[image]));
      part(kImageQueries, image) = 1;
    }
  }
  return units;
}

}  // namespace hinny
