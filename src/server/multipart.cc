#include "server/multipart.h"

#include <algorithm>

#include "server/ascii_case.h"
#include "server/http_error.h"

namespace hinny {
namespace {

constexpr std::size_t kMostParts = 64;

[[noreturn]] void refuse(const char* what) {
  throw HttpError(400, std::string("multipart/form-data: ") + what);
}

// The value of `; key=value` or `; key="value"`; "" when there is none.
std::string parameter(std::string_view field, const std::string& key) {
  const std::string lowered = ascii_lower(field);
  for (std::size_t at = lowered.find(key + "="); at != std::string::npos;
       at = lowered.find(key + "=", at + 1)) {
    if (at == 0 || (lowered[at - 1] != ' ' && lowered[at - 1] != ';')) continue;
    std::string_view value = field.substr(at + key.size() + 1);
    if (value.starts_with('"')) {
      value.remove_prefix(1);
      return std::string(value.substr(0, value.find('"')));
    }
    return std::string(value.substr(0, value.find_first_of("; \r\n")));
  }
  return "";
}

std::string name_of(std::string_view headers) {
  while (!headers.empty()) {
    const std::size_t end = std::min(headers.find("\r\n"), headers.size());
    const std::string_view line = headers.substr(0, end);
    if (ascii_lower(line.substr(0, 20)) == "content-disposition:") return parameter(line, "name");
    headers.remove_prefix(std::min(end + 2, headers.size()));
  }
  return "";
}

}  // namespace

std::vector<FormPart> form_parts(std::string_view body, std::string_view content_type) {
  const std::string boundary = parameter(content_type, "boundary");
  if (boundary.empty() || boundary.size() > 70) refuse("no boundary in the Content-Type");
  const std::string mark = "\r\n--" + boundary;
  if (!body.starts_with(mark.substr(2))) refuse("the body does not start with its boundary");
  body.remove_prefix(mark.size() - 2);
  std::vector<FormPart> parts;
  while (!body.starts_with("--")) {
    constexpr std::size_t kMostHeaders = 4096;
    const std::size_t blank = body.substr(0, kMostHeaders).find("\r\n\r\n");
    if (!body.starts_with("\r\n") || blank == std::string_view::npos) refuse("a part's headers");
    const std::size_t end = body.find(mark, blank + 2);
    if (end == std::string_view::npos) refuse("a part without its end");
    if (parts.size() == kMostParts) refuse("too many parts");
    const std::size_t start = blank + 4;
    parts.push_back({name_of(body.substr(2, blank)),
                     end > start ? body.substr(start, end - start) : std::string_view()});
    body.remove_prefix(end + mark.size());
  }
  return parts;
}

}  // namespace hinny
