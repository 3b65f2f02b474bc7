#include "text/han_scripts.h"

#include <fmt/format.h>
#include <unicode/translit.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "text/icu_status.h"
#include "text/utf16.h"

namespace hinny {
namespace {

// Making one takes some milliseconds, so it is kept, one for all threads.
class Converter {
 public:
  explicit Converter(const char* id) {
    UErrorCode status = U_ZERO_ERROR;
    converter_.reset(icu::Transliterator::createInstance(id, UTRANS_FORWARD, status));
    if (icu_failed(status)) throw Failure(fmt::format("ICU has no {}", id));
  }

  std::string operator()(std::string_view text) {
    icu::UnicodeString converted = to_utf16(text);
    const std::lock_guard guard(lock_);
    converter_->transliterate(converted);
    return to_utf8(converted);
  }

 private:
  std::mutex lock_;
  std::unique_ptr<icu::Transliterator> converter_;
};

// Han characters begin with this byte or a later one; no letters of Europe or Arabia do.
bool may_hold_han(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0xE3; });
}

}  // namespace

std::string in_han_script(std::string_view text, HanScript script) {
  if (!may_hold_han(text)) return std::string(text);
  static Converter simplified("Hant-Hans");
  static Converter traditional("Hans-Hant");
  return script == HanScript::simplified ? simplified(text) : traditional(text);
}

}  // namespace hinny
