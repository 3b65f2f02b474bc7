#include "recipe/recipe_warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "recipe/keys.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"

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

// Keys that the user sets, and that nothing there lets act. A file may hold every key there is, as
// hinny recipes prints them: what it says of a default is no wish.
void add_idle_keys(const Recipe& recipe, std::vector<std::string>& warnings) {
  Recipe copy = recipe, defaults;
  for (const RecipeKey& key : recipe_keys()) {
    const auto origin = recipe.origins.find(key.name);
    if (origin == recipe.origins.end() || is_of_built_in(origin->second)) continue;
    const std::string value = setting_text(key.setting(copy));
    const bool wished =
        origin->second.where.starts_with("--") || value != setting_text(key.setting(defaults));
    if (!wished || !key.is_idle(recipe)) continue;
    warnings.push_back(fmt::format("{}: {} has no effect with {} (it has with {})",
                                   origin->second.where, key.name, key.when.found(recipe),
                                   key.when.text()));
  }
}

}  // namespace

std::vector<std::string> recipe_warnings(const Recipe& recipe) {
  std::vector<std::string> warnings;
  add_idle_keys(recipe, warnings);
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
