#include "cli/learn/train_recipe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/run_files.h"
#include "base/terminal_text.h"
#include "kernels/gemm.h"
#include "recipe/check_recipe.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"
#include "training/experiment/model_files.h"
#include "training/loop/checkpoint.h"

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

// What a model has behind it that goes on learning.
bool of_beginning(const std::string& key) {
  return key.starts_with("hubs.") || key.starts_with("pretrain.") || key.starts_with("loss.warmup");
}

// What the run has settled, and what lines alone have no use for.
void check_acts_in_addition(const TrainArguments& arguments) {
  if (arguments.data.empty() && !arguments.features.empty()) {
    throw InputError("--features without --data",
                     "both, or neither: parallel sentences have no pictures");
  }
  for (const std::string& assignment : arguments.set) {
    const std::string key = assignment.substr(0, assignment.find('='));
    const bool settled = key.starts_with("hubs.") || key.starts_with("pretrain.") ||
                         key == "sample.caption_pairs" || key == "sample.groups" ||
                         key == "loss.adversary" || key == "loss.masked" ||
                         key == "loss.word_drift";
    const bool of_captions =
        arguments.data.empty() && (key.starts_with("sample.") || key.starts_with("data."));
    if (settled) {
      throw InputError(fmt::format("--set {} with --add-language", assignment),
                       "no such key: it would change the other languages, which stay as they are");
    }
    if (of_captions) {
      print_line(stderr, "note: --set {} has no effect without --data: there are no captions\n",
                 assignment);
    }
  }
}

void check_acts_in_adaptation(const TrainArguments& arguments) {
  for (const std::string& assignment : arguments.set) {
    if (!of_beginning(assignment.substr(0, assignment.find('=')))) continue;
    throw InputError(fmt::format("--set {} with --from", assignment),
                     "no such key: it belongs to a model's first training");
  }
}

bool holds_training(const fs::path& run) {
  return fs::exists(checkpoint_file(run)) || fs::exists(run / kWeightsFile);
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

Recipe resolve_of_run(const TrainArguments& arguments, const Recipe& named) {
  Recipe recipe = read_run_recipe(fs::path(arguments.from) / kRecipeFile);
  if (named.model.system != recipe.model.system) {
    throw InputError(arguments.from, fmt::format("system '{}'", name_of(recipe.model.system)),
                     fmt::format("'{}', the recipe's", name_of(named.model.system)));
  }
  if (arguments.language.empty()) {
    check_acts_in_adaptation(arguments);
  } else {
    check_acts_in_addition(arguments);
  }
  set_features(recipe, arguments);
  recipe.data = named.data;
  recipe.parallel = named.parallel;
  recipe.teacher = named.teacher;
  recipe.sample = named.sample;
  recipe.train = named.train;
  std::erase_if(recipe.origins, [](const auto& set) { return of_training(set.first); });
  for (const auto& [key, origin] : named.origins) {
    if (of_training(key)) recipe.origins[key] = origin;
  }
  for (const std::string& assignment : arguments.set) set_key(recipe, assignment);
  check_recipe(recipe);
  return recipe;
}

void check_run_folder(const fs::path& run, bool resume) {
  if (!holds_training(run)) return;
  if (!fs::exists(run / kRecipeFile)) {
    throw InputError(run,
                     fmt::format("holds a {}, but not the recipe that it belongs to",
                                 fs::exists(checkpoint_file(run)) ? "checkpoint" : "model"),
                     "another --out");
  }
  if (!resume) {
    throw InputError(run, "holds a training already",
                     "--resume, --more-epochs N to train it longer, or another --out");
  }
}

void check_same_recipe(const fs::path& run, const Recipe& recipe) {
  if (!holds_training(run) || !fs::exists(run / kRecipeFile)) return;
  std::vector<std::string> keys = differing_keys(read_run_recipe(run / kRecipeFile), recipe);
  std::erase(keys, "train.more_epochs");  // as wanted_epochs has them
  if (keys.empty()) return;
  const bool longer = std::ranges::any_of(
      keys, [](const auto& key) { return key == "train.epochs" || key == "train.batches"; });
  throw InputError(run / kRecipeFile,
                   fmt::format("the training was begun with another {}", fmt::join(keys, ", ")),
                   fmt::format("the same recipe and options as at its start{}",
                               longer ? "; --more-epochs N trains it longer" : ""));
}

std::vector<std::int64_t> wanted_epochs(const TrainArguments& arguments, const Recipe& recipe) {
  const fs::path run = arguments.out;
  const std::int64_t more = arguments.more_epochs;
  const bool begun = fs::exists(run / kRecipeFile) && fs::exists(checkpoint_file(run));
  if (!begun && more > 0) {
    throw InputError(run, "no training to go on with",
                     "a run that hinny train has begun, for --more-epochs");
  }
  if (!begun || !arguments.resume) return recipe.train.more_epochs;
  std::vector<std::int64_t> epochs = read_run_recipe(run / kRecipeFile).train.more_epochs;
  if (more == 0) return epochs;
  const TrainingState state = read_progress(run);
  const bool open = !epochs.empty() && (!state.finished || state.ends.size() <= epochs.size());
  if (!open) {
    epochs.push_back(more);
  } else if (epochs.back() != more) {
    throw InputError(
        run, fmt::format("{} more epochs were asked for and are not done yet", epochs.back()),
        "--resume, and what is to come after them then");
  }
  return epochs;
}

Precision best_precision(const TrainArguments& arguments) {
  const fs::path begun = fs::path(arguments.out) / kRecipeFile;
  if (arguments.resume && holds_training(arguments.out) && fs::exists(begun))
    return read_run_recipe(begun).model.precision;
  return arguments.device == "cpu" && bfloat16_pays() ? Precision::bf16 : Precision::fp32;
}

}  // namespace hinny
