// The files of a run folder that make a model (docs/formats/model.md): training writes them, the
// encoder reads them, and neither sees the other.
#pragma once

#include <string_view>

namespace hinny {

inline constexpr std::string_view kRecipeFile = "recipe.toml";  // the only one not needed to encode
inline constexpr std::string_view kConfigFile = "config.json";
inline constexpr std::string_view kWeightsFile = "model.safetensors";
inline constexpr std::string_view kVocabularyFile = "vocabulary.tsv";
inline constexpr std::string_view kTokenizerFile =
    "tokenizer.safetensors";  // of a pretrained model, in place of the vocabulary
inline constexpr const char* kBundleFile = "bundle.json";
inline constexpr std::string_view kHubsFile = "hubs.safetensors";  // of some
inline constexpr std::string_view kRerankerFolder =
    "look";  // of some: the run of a re-ranking model

}  // namespace hinny
