#include "cli/light/indexed_images.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "index/change_from_dataset.h"

namespace hinny {

ChosenImages images_to_index(const Dataset& dataset, const Features& features,
                             const std::vector<std::string>& splits) {
  const std::vector<int> asked = images_of_splits(dataset, splits);
  const std::string names = fmt::format("{}", fmt::join(splits, "+"));
  report_left_out(features, asked, names);
  return {usable_images(features, asked, names), names};
}

std::optional<Features> regions_for(const Model& model, const Dataset& dataset,
                                    const std::vector<int>& images) {
  const std::string& names = model.config().features.names;
  try {
    Features features = Features::open(dataset, names);
    if (std::ranges::all_of(images, [&](int image) { return features.has(image); })) {
      return features;
    }
    fmt::print(stderr, "no second look: some images lack features {}\n", names);
  } catch (const InputError& error) {
    fmt::print(stderr, "no second look: {}\n", error.what());
  }
  return std::nullopt;
}

}  // namespace hinny
