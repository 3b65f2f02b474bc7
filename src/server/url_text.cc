#include "server/url_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "server/ascii_case.h"

namespace hinny {
namespace {

// The byte that "%41" at the start of `text` stands for, or -1.
int escaped_byte(std::string_view text) {
  constexpr int kHex = 16;
  unsigned byte = 0;
  if (text.size() < 3 || text[0] != '%') return -1;
  const auto [end, problem] = std::from_chars(text.data() + 1, text.data() + 3, byte, kHex);
  return problem == std::errc() && end == text.data() + 3 ? static_cast<int>(byte) : -1;
}

std::string field_decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return url_decoded(spaced);
}

}  // namespace

std::string url_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  while (!text.empty()) {
    const int byte = escaped_byte(text);
    decoded += byte < 0 ? text.front() : static_cast<char>(byte);
    text.remove_prefix(byte < 0 ? 1 : 3);
  }
  return decoded;
}

std::string url_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

UrlFields url_fields(std::string_view query) {
  UrlFields fields;
  while (!query.empty()) {
    const std::string_view field = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(field.size() + 1, query.size()));
    const std::size_t equals = std::min(field.find('='), field.size());
    if (equals == 0) continue;
    fields.emplace_back(field_decoded(field.substr(0, equals)),
                        field_decoded(field.substr(std::min(equals + 1, field.size()))));
  }
  return fields;
}

}  // namespace hinny
