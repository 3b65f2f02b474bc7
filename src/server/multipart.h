// The parts of a multipart/form-data body, as browsers and curl -F send it (RFC 7578).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hinny {

struct FormPart {
  std::string name;
  std::string_view content;  // within the body
};

// Throws HttpError (400) for what is not such a body, or has more than 64 parts.
std::vector<FormPart> form_parts(std::string_view body, std::string_view content_type);

}  // namespace hinny
