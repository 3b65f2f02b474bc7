#include "tokenizer/pattern.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "text/icu_status.h"
#include "text/utf16.h"
#include "tokenizer/letters.h"

namespace hinny {
namespace {

constexpr std::size_t kLongestPattern = 4096;  // bytes
constexpr int32_t kMostTicks = 2000;           // each 10,000 of ICU's, by its setTimeLimit
constexpr int32_t kMostStack = 4 << 20;        // bytes

// Oniguruma's classes in ICU's words; between brackets they are sets in a set.
std::string in_icu_words(std::string_view expression) {
  std::string result;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    if (expression[i] != '\\' || i + 1 == expression.size()) {
      result += expression[i];
      continue;
    }
    switch (expression[++i]) {
      case 's':
        result += R"(\p{White_Space})";
        break;
      case 'S':
        result += R"(\P{White_Space})";
        break;
      case 'w':
        result += R"([\p{Alphabetic}\p{M}\p{Nd}\p{Pc}])";
        break;
      case 'W':
        result += R"([^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}])";
        break;
      case 'h':
        result += "[0-9A-Fa-f]";
        break;
      default:
        result += '\\';
        result += expression[i];
    }
  }
  return result;
}

}  // namespace

Pattern::Pattern(const std::string& expression, const std::filesystem::path& file)
    : file_(file), expression_(expression) {
  UErrorCode status = U_ZERO_ERROR;
  if (is_utf8(expression) && expression.size() <= kLongestPattern) {
    compiled_.reset(icu::RegexPattern::compile(to_utf16(in_icu_words(expression)), 0, status));
  }
  if (compiled_ == nullptr || icu_failed(status)) {
    throw InputError(file,
                     fmt::format("unsupported regular expression '{}' ({})",
                                 expression.substr(0, 200), u_errorName(status)),
                     "one that ICU reads");
  }
}

std::vector<std::pair<std::size_t, std::size_t>> Pattern::find(std::string_view text) const {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  const icu::UnicodeString utf16 = to_utf16(text);
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<icu::RegexMatcher> matcher(compiled_->matcher(utf16, status));
  if (!icu_failed(status)) matcher->setTimeLimit(kMostTicks, status);
  if (!icu_failed(status)) matcher->setStackLimit(kMostStack, status);
  std::size_t bytes = 0;
  int32_t units = 0;
  const auto bytes_at = [&](int32_t place) {
    while (units < place && bytes < text.size()) {
      const std::size_t size = letter_bytes(text[bytes]);
      bytes += size;
      units += size == 4 ? 2 : 1;
    }
    return std::min(bytes, text.size());
  };
  while (!icu_failed(status) && matcher->find(status) != 0) {
    const int32_t begin = matcher->start(status), end = matcher->end(status);
    if (icu_failed(status) || begin == end) continue;
    const std::size_t from = bytes_at(begin);
    found.emplace_back(from, bytes_at(end));
  }
  if (icu_failed(status)) {
    throw InputError(file_,
                     fmt::format("regular expression '{}' on a text of {} bytes: {}",
                                 expression_.substr(0, 200), text.size(), u_errorName(status)),
                     "an expression that is quick to match");
  }
  return found;
}

std::string Pattern::replace(std::string_view text, std::string_view replacement) const {
  std::string result;
  std::size_t done = 0;
  for (const auto& [begin, end] : find(text)) {
    result += text.substr(done, begin - done);
    result += replacement;
    done = end;
  }
  result += text.substr(done);
  return result;
}

}  // namespace hinny
