// Bytes as text, RFC 4648.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hinny {

std::string to_base64(std::string_view bytes);
// Nothing when `text` is no base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace hinny
