#include "recipe/recipe_warnings.h"

#include <fmt/format.h>

#include <algorithm>

namespace hinny {
namespace {

// Whether a caption may meet another one of its image that the neighbourhood constraint compares.
bool has_neighbours(const Recipe& recipe) {
  const SampleSettings& sample = recipe.sample;
  const LossSettings& loss = recipe.model.loss;
  const bool several =
      sample.captions_per_image > 1 ||
      std::ranges::any_of(sample.captions_by_language, [](const auto& l) { return l.second > 1; });
  if (several || sample.by == SampleBy::captions) return true;
  if (recipe.languages.size() < 2 || loss.neighbours == NeighbourChoice::own) return false;
  return loss.neighbours == NeighbourChoice::any || loss.cross_neighbourhood > 0;
}

}  // namespace

std::vector<std::string> recipe_warnings(const Recipe& recipe) {
  std::vector<std::string> warnings;
  if (recipe.model.loss.neighbourhood > 0 && !has_neighbours(recipe)) {
    warnings.push_back(
        fmt::format("loss.neighbourhood = {} has no effect: a batch has one caption of an image to "
                    "compare (sample.captions_per_image = 2 gives it a neighbour)",
                    recipe.model.loss.neighbourhood));
  }
  const std::string& tuned_on = recipe.about.features;
  if (!tuned_on.empty() && tuned_on != recipe.model.image.features) {
    warnings.push_back(
        fmt::format("the recipe was tuned on features {}: with {} other settings may "
                    "be better",
                    tuned_on, recipe.model.image.features));
  }
  return warnings;
}

}  // namespace hinny
