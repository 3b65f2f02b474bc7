#include "cli/learn/train_recipe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/run_files.h"
#include "kernels/gemm.h"
#include "recipe/check_recipe.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"
#include "training/model_files.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

void set_features(Recipe& recipe, const TrainArguments& arguments) {
  if (arguments.features.empty()) return;
  recipe.model.image.features = arguments.features;
  note_option(recipe, "image.features", "--features");
}

// Whether the key is one of a training, not of the model that is trained.
bool of_training(const std::string& key) {
  return key.starts_with("data.") || key.starts_with("parallel.") || key.starts_with("sample.") ||
         key.starts_with("train.") || key == "teacher.vectors" || key == "teacher.language";
}

}  // namespace

Recipe resolve(const TrainArguments& arguments) {
  Recipe recipe = find_recipe(arguments.recipe, arguments.set);
  set_features(recipe, arguments);
  if (!arguments.parallel.empty()) {
    recipe.parallel.data = arguments.parallel;
    note_option(recipe, "parallel.data", "--parallel");
  }
  if (!arguments.teacher.empty()) {
    recipe.teacher.vectors = arguments.teacher;
    note_option(recipe, "teacher.vectors", "--teacher");
  }
  if (!arguments.languages.empty()) {
    recipe.languages = arguments.languages;
    note_option(recipe, "languages", "--languages");
  }
  if (arguments.seed >= 0) {
    recipe.train.seed = arguments.seed;
    note_option(recipe, "train.seed", "--seed");
  }
  check_recipe(recipe);
  return recipe;
}

Recipe resolve_addition(const TrainArguments& arguments, const Recipe& named) {
  Recipe recipe = read_run_recipe(fs::path(arguments.from) / kRecipeFile);
  if (named.model.system != recipe.model.system) {
    throw InputError(arguments.from, fmt::format("system '{}'", name_of(recipe.model.system)),
                     fmt::format("'{}', the recipe's", name_of(named.model.system)));
  }
  set_features(recipe, arguments);
  recipe.data = named.data;
  recipe.parallel = named.parallel;
  recipe.teacher = named.teacher;
  recipe.sample = named.sample;
  recipe.train = named.train;
  for (const auto& [key, origin] : named.origins) {
    if (of_training(key)) recipe.origins[key] = origin;
  }
  for (const std::string& assignment : arguments.set) set_key(recipe, assignment);
  check_recipe(recipe);
  return recipe;
}

void check_run_folder(const fs::path& run, bool resume) {
  const bool described = fs::exists(run / kRecipeFile);
  if (!described && fs::exists(checkpoint_file(run))) {
    throw InputError(run, "holds a checkpoint, but not the recipe that it belongs to",
                     "another --out");
  }
  if (described && !resume) {
    throw InputError(run, "holds a training already", "--resume, or another --out");
  }
}

void check_same_recipe(const fs::path& run, const Recipe& recipe) {
  if (!fs::exists(run / kRecipeFile)) return;
  const std::vector<std::string> keys = differing_keys(read_run_recipe(run / kRecipeFile), recipe);
  if (keys.empty()) return;
  throw InputError(run / kRecipeFile,
                   fmt::format("the training was begun with another {}", fmt::join(keys, ", ")),
                   "the same recipe and options as at its start");
}

Precision best_precision(const TrainArguments& arguments) {
  const fs::path begun = fs::path(arguments.out) / kRecipeFile;
  if (arguments.resume && fs::exists(begun)) return read_run_recipe(begun).model.precision;
  return arguments.device == "cpu" && bfloat16_pays() ? Precision::bf16 : Precision::fp32;
}

}  // namespace hinny
