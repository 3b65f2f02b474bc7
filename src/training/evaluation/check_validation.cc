#include "training/evaluation/check_validation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "training/evaluation/encode_split.h"

namespace hinny {
namespace {

constexpr const char* kVal = "val";

void check_best_by(const Recipe& recipe, const std::vector<std::string>& judged) {
  const std::string& best_by = recipe.train.best_by;
  if (best_by.empty() || std::ranges::find(judged, best_by) != judged.end()) return;
  throw InputError(
      fmt::format("train.best_by = '{}', a language that is not validated", best_by),
      fmt::format("one that has captions in split '{}': {}", kVal, fmt::join(judged, ", ")));
}

}  // namespace

bool can_validate(const Dataset& dataset, const Features& features, bool sentences_alone) {
  if (!dataset.has_split(kVal)) return false;
  if (!sentences_alone) return true;
  return std::ranges::any_of(dataset.split(kVal), [&](int image) {
    return features.has(image) && !dataset.captions_of(image, 0).empty();
  });
}

void check_validation(const SelectedData& data) {
  if (!can_validate(data.dataset, data.features, data.sentences_alone)) {
    return check_best_by(data.recipe, {});
  }
  const std::vector<int> images = usable_images(data.features, data.dataset.split(kVal), kVal);
  std::vector<std::string> judged;
  for (std::size_t l = 0; l < data.dataset.languages().size(); ++l) {
    if (data.dataset.silent(static_cast<int>(l))) continue;
    captions_of(data.dataset, images, static_cast<int>(l), kVal);
    judged.push_back(data.dataset.languages()[l]);
  }
  check_best_by(data.recipe, judged);
}

}  // namespace hinny
