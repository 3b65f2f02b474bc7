// The steps behind normalise(), kept for one language so that nothing is set up per caption.
#pragma once

#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <string>
#include <string_view>

namespace hinny {

// docs/text.md says which characters become which, and why. Safe to share between threads.
class Normaliser {
 public:
  explicit Normaliser(const std::string& language);

  // `text` must be UTF-8; throws InputError otherwise. `result` is reused, not appended to.
  void operator()(std::string_view text, icu::UnicodeString& result) const;

 private:
  bool drops(UChar32 letter) const;
  // Marks that a language's writers leave out or put in as they like.
  enum class Marks { keep, arabic, hebrew };

  icu::Locale locale_;
  const icu::Normalizer2* nfkc_;
  Marks marks_ = Marks::keep;
};

}  // namespace hinny
