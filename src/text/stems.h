// What words are made of, for models of few captions: one table row for all forms of a word.
#pragma once

#include <string>
#include <vector>

#include "text/snowball.h"

namespace hinny {

// Not safe for concurrent use: one per thread.
class Stems {
 public:
  // Throws InputError when `language` is no BCP 47 code.
  explicit Stems(const std::string& language);

  // A word's stem: by Snowball, in Czech without the longest of its endings (after Dolamic and
  // Savoy 2009, "Indexing and stemming approaches for the Czech language"). Of a word of several
  // Han characters or kana the word itself and each of them. In other languages the word as it is.
  std::vector<std::string> of(const std::string& word) const;

 private:
  Snowball snowball_;
  bool czech_ = false;
};

}  // namespace hinny
