#include "server/file_response.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/content_hash.h"
#include "index/tree/file_kinds.h"
#include "server/http_error.h"
#include "server/static_response.h"

namespace hinny {
namespace {

constexpr std::string_view kUnit = "bytes=";

// Of digits alone; "" is nullopt. More than 64 bits hold is as much as they hold.
std::optional<std::uint64_t> position_in(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() ? number : ~std::uint64_t{0};
}

std::string tag_of(const OpenFile& file) {
  struct stat status {};
  ::fstat(file.descriptor(), &status);
  const std::string about = fmt::format("{} {} {} {}", file.path().string(), status.st_size,
                                        status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  return content_hash(std::string_view(about));
}

}  // namespace

std::optional<ByteRange> asked_range(std::string_view range, std::uint64_t size) {
  if (!range.starts_with(kUnit)) return std::nullopt;
  range.remove_prefix(kUnit.size());
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = position_in(range.substr(0, dash)), last = position_in(range.substr(dash + 1));
  const bool open = dash + 1 == range.size();
  if (!last && !open) return std::nullopt;
  if (!first) {  // the last so many
    if (dash != 0 || !last) return std::nullopt;
    const std::uint64_t count = std::min(*last, size);
    return ByteRange{size - count, count};
  }
  if (last && *last < *first) return std::nullopt;
  if (*first >= size) return ByteRange{};
  return ByteRange{*first, (last ? std::min(*last, size - 1) : size - 1) - *first + 1};
}

void send_file(const HttpRequest& request, HttpResponse& response,
               const std::filesystem::path& file, const char* type) {
  const auto opened = std::make_shared<const OpenFile>(file);
  const std::string tag = tag_of(*opened);
  if (has_already(request, response, tag, "private, max-age=300")) return;
  response.set_header("Accept-Ranges", "bytes");
  response.set_header("Content-Type", type);
  response.file = {opened, 0, opened->size()};
  const std::string range = request.header("range"), fits = request.header("if-range");
  const bool same = fits.empty() || fits == fmt::format("\"{}\"", tag);
  if (request.method != "GET" || !same || request.header_count("range") != 1) return;
  const auto part = asked_range(range, opened->size());
  if (!part) return;
  if (part->size == 0) {
    response.set_header("Content-Range", fmt::format("bytes */{}", opened->size()));
    throw HttpError(416, fmt::format("no such bytes (expected some of {})", opened->size()));
  }
  response.status = 206;
  response.set_header("Content-Range", fmt::format("bytes {}-{}/{}", part->first,
                                                   part->first + part->size - 1, opened->size()));
  response.file.offset = part->first;
  response.file.size = part->size;
}

const char* film_type(const std::filesystem::path& file) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 20> kTypes = {
      {{".mp4", "video/mp4"},       {".m4v", "video/mp4"},        {".mov", "video/quicktime"},
       {".qt", "video/quicktime"},  {".webm", "video/webm"},      {".mkv", "video/x-matroska"},
       {".avi", "video/x-msvideo"}, {".divx", "video/x-msvideo"}, {".3gp", "video/3gpp"},
       {".3g2", "video/3gpp2"},     {".ogv", "video/ogg"},        {".mpg", "video/mpeg"},
       {".mpeg", "video/mpeg"},     {".mpe", "video/mpeg"},       {".mts", "video/mp2t"},
       {".m2ts", "video/mp2t"},     {".wmv", "video/x-ms-wmv"},   {".flv", "video/x-flv"},
       {".gif", "image/gif"},       {".webp", "image/webp"}}};
  const std::string ending = small_letters(file.extension().string());
  const auto found =
      std::ranges::find(kTypes, ending, &std::pair<std::string_view, const char*>::first);
  return found == kTypes.end() ? "application/octet-stream" : found->second;
}

}  // namespace hinny
