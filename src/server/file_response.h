// Files as answers, whole or in part.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "server/http_message.h"

namespace hinny {

struct ByteRange {
  std::uint64_t first = 0, size = 0;
};
// What `Range: bytes=...` asks for of so many bytes: nullopt where it is to be passed over (several
// ranges, other units, what is no range), so that the whole is sent; a size of 0 where no byte of
// it is there.
std::optional<ByteRange> asked_range(std::string_view range, std::uint64_t size);

// The file as the body; with a Range, and an If-Range that fits, that part of it (206). 304 when
// the client has it. Throws HttpError 416 for a range that is not there; InputError as OpenFile.
void send_file(const HttpRequest& request, HttpResponse& response,
               const std::filesystem::path& file, const char* type);

// Of a film, by its name's ending.
const char* film_type(const std::filesystem::path& file);

}  // namespace hinny
