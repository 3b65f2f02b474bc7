// Whatever a client sends, it is understood or refused with an HttpError: as a head, a JSON body or
// a form.
#include "server/http_error.h"
#include "server/request_head.h"
#include "server/search_request.h"

namespace {

template <typename Read>
void refused_or_read(const Read& read) {
  try {
    read();
  } catch (const hinny::HttpError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  refused_or_read([&] {
    std::string bytes(all);
    hinny::read_head(bytes, 1024, 4096);
  });
  refused_or_read([&] { hinny::search_from_json(all); });
  refused_or_read(
      [&] { hinny::search_from_form(all, "multipart/form-data; boundary=\"a boundary\""); });
  return 0;
}
