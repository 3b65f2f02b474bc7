// A pretrained model's folder -> a bundle, which all verbs take.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "index/bundle/bundle.h"
#include "tokenizer/import_tokenizer.h"

namespace hinny {

struct PretrainedInput {
  BundleInput bundle;                  // weights: bf16 where nothing is given
  TokenizerChoices tokenizer;          // where the folder's own are not wanted
  std::vector<std::string> languages;  // empty: those of the family
  std::filesystem::path pictures;      // the folder whose picture tower goes with these sentences
};

// Writes a bundle, a folder or an archive, whole or not at all. Its features are called as `out`
// is. Returns what was read and chosen, in lines for people. Throws InputError for a folder that
// cannot be read, that lacks a tower, or whose towers do not go together.
std::vector<std::string> write_pretrained_bundle(const std::filesystem::path& folder,
                                                 const PretrainedInput& input,
                                                 const std::filesystem::path& out);

// The picture tower alone, as `folder`/NAME.safetensors with its sidecar: a network that every verb
// takes. Throws likewise.
std::filesystem::path write_picture_network(const std::filesystem::path& pretrained,
                                            const std::filesystem::path& folder,
                                            const std::string& name, WeightType weights);

}  // namespace hinny
