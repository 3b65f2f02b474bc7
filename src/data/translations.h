// Translations of captions by a file: FOLDER/de-en.tsv, docs/formats/translations.md.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/dataset.h"

namespace hinny {

// Texts of one language with their translations into another, looked up by the text.
class Translations {
 public:
  // FOLDER/<from>-<to>.tsv: on each line a text, a tab, its translation. Throws InputError, with
  // the pairs that the folder has when it lacks this one, or with the line when it is no such pair.
  // The first line of a text counts.
  static Translations read(const std::filesystem::path& folder, const std::string& from,
                           const std::string& to);
  // Null when there is none. Any run of white space in `text` counts as one space.
  const std::string* find(const std::string& text) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::unordered_map<std::string, std::string> translations_;
};

// Languages that the folder translates into `to`, in code order.
std::vector<std::string> translated_languages(const std::filesystem::path& folder,
                                              const std::string& to);

// The dataset with the texts of `split` in every language but `to` replaced by their translations
// into it; languages keep their names, and one without captions there needs no file. Throws
// InputError when a caption has no translation.
Dataset translate_captions(const Dataset& dataset, const std::string& split,
                           const std::filesystem::path& folder, const std::string& to);

}  // namespace hinny
