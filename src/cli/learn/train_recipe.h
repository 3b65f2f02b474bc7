// What `hinny train` is asked for, and the recipe that this comes to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "recipe/recipe.h"
#include "training/loop/trainer.h"

namespace hinny {

struct TrainArguments {
  std::string recipe;
  std::string data;
  std::string out;
  std::string features;
  std::vector<std::string> languages;
  std::vector<std::string> set;
  std::string from;
  std::string language;  // to be added to the run `from`
  std::string parallel;
  std::string teacher;
  std::string regions;  // features that a re-ranking model learns from
  std::int64_t seed = -1;
  std::string device = "cpu";
  double checkpoint_seconds = TrainingOptions{}.checkpoint_seconds;
  std::int64_t more_epochs = 0;
  int processes = 0;  // to be started here; 0: as the environment says
  bool resume = false;
  bool tensorboard = false;
  bool profile = false;
};

// Each throws InputError.

// The named recipe with the options and --set on top, checked.
Recipe resolve(const TrainArguments& arguments);
// The run's model, to which a language is added or which learns from other pictures, with the
// training of the recipe that is named.
Recipe resolve_of_run(const TrainArguments& arguments, const Recipe& named);

// A run folder holds one training: another is never started over it. Where nothing was learnt yet,
// there is none.
void check_run_folder(const std::filesystem::path& run, bool resume);
// What is resumed must be what was begun.
void check_same_recipe(const std::filesystem::path& run, const Recipe& recipe);

// recipe.train.more_epochs as this call wants it: what earlier calls of --more-epochs have asked of
// the run, and what this one adds. A number that was asked for and is not trained yet is not added
// again. InputError when there is no training to go on with.
std::vector<std::int64_t> wanted_epochs(const TrainArguments& arguments, const Recipe& recipe);

// What a training that goes on began with, else what this processor is best at.
Precision best_precision(const TrainArguments& arguments);

}  // namespace hinny
