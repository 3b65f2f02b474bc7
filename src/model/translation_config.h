// config.json of a model that translates, as structures: docs/formats/model.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hinny {

struct TranslationSizes {
  std::size_t vocabulary = 0;  // of source and target words together
  std::size_t embedding = 0;
  std::size_t hidden = 0;  // even
  std::size_t decoder_layers = 1;
  std::size_t region_size = 0;  // numbers of an image region; 0: text alone

  bool operator==(const TranslationSizes&) const = default;
};

struct TranslationConfig {
  std::string system;
  std::vector<std::string> languages;
  std::vector<std::string> directions;  // "en-de"
  TranslationSizes net;
  std::int64_t train_parameters = 0;
  std::int64_t search_parameters = 0;

  bool operator==(const TranslationConfig&) const = default;
};

// Whether this config.json is of a model that translates, and not of one that retrieves. Throws
// InputError when it is of none.
bool is_translation_config(const std::filesystem::path& path);
// Throws InputError for anything that the format does not have. Neither the directions nor the
// tensors are looked at.
TranslationConfig read_translation_config(const std::filesystem::path& path);
// Reading it gives an equal one. Throws Failure when the file cannot be written.
void write_translation_config(const std::filesystem::path& path, const TranslationConfig& config);

}  // namespace hinny
