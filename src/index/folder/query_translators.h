// Translation models kept in an index: a question said in the model's other languages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "encoder/read_sentences.h"
#include "encoder/translator.h"
#include "index/folder/index.h"

namespace hinny {

constexpr const char* kTranslatorsFolder = "translators";

// Copies translation models into a new index's folder, their matrices in `type`. Throws InputError
// for a folder that holds none, and for one that translates no language of `model`.
void store_translators(const Model& model, const std::vector<std::filesystem::path>& translators,
                       WeightType type, const std::filesystem::path& folder);

// Safe to share between threads.
class QueryTranslators {
 public:
  // `index` must outlive it. Throws InputError for one that is broken.
  explicit QueryTranslators(const Index& index);

  bool empty() const { return translators_.empty(); }
  // The sentence in each language that its pictures can be asked for in together with `language`,
  // and that a translator goes to (CLC-A, Burns et al. 2020, Sec. 3.4).
  std::vector<Sentence> operator()(const std::string& text, const std::string& language) const;

 private:
  const Index& index_;
  std::vector<Translator> translators_;
};

}  // namespace hinny
