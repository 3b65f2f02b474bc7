// A recipe: every setting of a training as data (TOML). Keys and defaults: docs/recipes.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "systems/options.h"

namespace hinny {

struct AboutSettings {
  std::string summary;
  std::string paper;
  std::string cost;
};

// Which of the training split's captions are used.
struct DataSettings {
  std::vector<std::string> sources;  // empty: all
  std::map<std::string, std::vector<std::string>> sources_by_language;
  double images = 1.0;          // share of the images
  std::int64_t captions = 0;    // per image and language, drawn at random; 0: all
  std::string overlap = "all";  // or "none": every image speaks one language
};

struct SampleSettings {
  std::string by = "images";  // or "captions"
  std::int64_t images_per_batch = 512;
  std::int64_t captions_per_image = 1;
  std::map<std::string, std::int64_t> captions_by_language;
  double caption_pairs = 0;          // share of batches that hold pairs of captions
  std::string replacement = "fill";  // or "none"
  std::vector<std::vector<std::string>> groups;
};

struct TrainSettings {
  std::int64_t epochs = 20;
  std::string optimiser = "adamw";  // or "adam": weight decay as part of the gradient
  double learning_rate = 1e-3;
  double weight_decay = 0.0;
  std::string schedule = "constant";  // exponential, step, cosine
  double decay = 0.1;                 // exponential: factor per epoch; step: factor per step
  std::int64_t step_epochs = 15;
  std::int64_t warmup_steps = 0;
  double clip_norm = 0.0;           // 0: no clipping
  double average = 0.0;             // decay of the weights' average per batch; 0: none
  std::int64_t validate_every = 0;  // steps; 0: after each epoch
  std::int64_t patience = 0;        // validations without a better mR; 0: run to the end
  std::string best_by;              // language whose mR chooses the best model; empty: the mean
  std::int64_t log_every = 20;      // steps per line of metrics.jsonl
  std::int64_t seed = 1;
};

// Translation of captions (systems nmt and mmt).
struct TranslationSettings {
  std::vector<std::string> directions;  // "en-de"; empty: every pair of the languages
  std::int64_t merges = 5000;
  std::int64_t embedding = 256;
  std::int64_t hidden = 512;
  std::int64_t decoder_layers = 1;
  double dropout = 0.3;
  double smoothing = 0.1;
  std::int64_t batch_words = 2000;
  std::int64_t max_words = 100;
};

struct Recipe {
  std::vector<std::string> languages;  // empty: all of the dataset
  AboutSettings about;
  SystemOptions model;
  DataSettings data;
  SampleSettings sample;
  TranslationSettings translation;
  TrainSettings train;
};

// A pointer to one setting of a recipe.
using Setting = std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<std::string>*,
                             std::map<std::string, std::int64_t>*, std::map<std::string, double>*,
                             std::map<std::string, std::vector<std::string>>*,
                             std::vector<std::vector<std::string>>*>;

// Visits every key once, in the order of docs/recipes.md: "loss.margin", the setting, its meaning.
// The one list of keys: reading, writing, `--set` and the documentation follow it.
void for_each_key(
    Recipe& recipe,
    const std::function<void(std::string_view key, Setting, std::string_view meaning)>& use);

// Strict: an unknown key, a wrong type or a value out of range is an InputError with file and
// line, and suggests the nearest key.
Recipe read_recipe(const std::filesystem::path& file);
Recipe parse_recipe(std::string_view text, const std::string& file);
// `--set key=value`: the value is TOML, or a bare word taken as a string.
void set_key(Recipe& recipe, const std::string& assignment);
// Whether it is of a model that translates (nmt, mmt), and not of one that retrieves.
bool translates(const Recipe& recipe);

// Throws InputError for values that no training can use (negative sizes, unknown schedules), and
// for keys that are set and have no effect on the recipe's system.
void check_recipe(const Recipe& recipe, const std::string& file);

// A setting's value as TOML.
std::string setting_text(const Setting& setting);
// The keys whose values differ, in the order of for_each_key.
std::vector<std::string> differing_keys(Recipe a, Recipe b);

// Complete: every key with its value.
std::string as_toml(const Recipe& recipe);

// A built-in recipe's name, or the path of a TOML file.
Recipe find_recipe(const std::string& name_or_file);
const std::map<std::string, std::string>& built_in_recipes();  // name -> TOML

}  // namespace hinny
