// Words without their endings, by Snowball's stemmers.
#pragma once

#include <memory>
#include <string>

struct sb_stemmer;

namespace hinny {

// Not safe for concurrent use: one per thread. Cheap to move.
class Snowball {
 public:
  // Throws InputError when `language` is no code of one (language_code.h).
  explicit Snowball(const std::string& language);

  // False for a language that Snowball lacks: its words are their own stems.
  bool knows_language() const { return stemmer_ != nullptr; }
  const std::string& code() const { return code_; }  // its base language
  std::string stem(const std::string& word) const;

 private:
  struct Free {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::string code_;
  std::unique_ptr<sb_stemmer, Free> stemmer_;
};

}  // namespace hinny
