#include "text/word_breaks.h"

#include <fmt/format.h>

#include "base/error.h"
#include "text/icu_status.h"
#include "text/language_code.h"

namespace hinny {

std::unique_ptr<icu::BreakIterator> word_breaks(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createWordInstance(locale_of(language), status));
  if (icu_failed(status)) {
    throw Failure(fmt::format("ICU cannot segment '{}': {}", language, u_errorName(status)));
  }
  return breaks;
}

}  // namespace hinny
