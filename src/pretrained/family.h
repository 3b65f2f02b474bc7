// The families of pretrained models that are read: one file and one line in families.cc each.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pretrained/tower.h"
#include "pretrained/tower_names.h"

namespace hinny {

// What a folder holds, by Hinny's names. At least one of the towers.
struct PretrainedModel {
  std::string system;  // the family's name
  std::optional<Tower> text, picture;
  std::string tokenizer;  // what its family is called where tokenizers differ
  std::filesystem::path tokenizer_folder;
  std::vector<std::string> languages;                  // that its sentences may be in
  std::vector<std::unique_ptr<SourceFolder>> sources;  // that the towers refer to
  std::optional<Fit> fit;  // what the score of a sentence and a picture of these towers says
};

struct Family {
  std::string_view name;
  std::string_view models;  // for people: which these are
  // Whether the folder is of this family, by its JSON files; `kind` is config.json's model_type, ""
  // where that says nothing.
  bool (*is)(const std::filesystem::path& folder, std::string_view kind);
  // Throws InputError for what does not fit, or is not supported.
  PretrainedModel (*read)(const std::filesystem::path& folder);
};

// The folder's towers by its family. Throws InputError where it is of none, which names all.
PretrainedModel read_pretrained(const std::filesystem::path& folder);
// Whether a folder looks as if it were one: it has config.json with a model_type, or the like.
bool is_pretrained_folder(const std::filesystem::path& folder);

// config.json's name of an activation. Throws InputError for one that is not supported.
Activation activation_of(const JsonNode& config, std::string_view otherwise);

// Codes of languages: those of XLM-R (Conneau et al. 2020), and the 36 of Crossmodal-3600
// (Thapliyal et al. 2022).
std::vector<std::string> languages_of_xlm_r();
std::vector<std::string> languages_of_crossmodal();

extern const Family kClipFamily, kSiglipFamily, kOpenClipFamily, kMClipFamily,
    kSentenceTransformersFamily, kDinov2Family, kXlmRobertaFamily, kBertFamily, kDistilbertFamily;

}  // namespace hinny
