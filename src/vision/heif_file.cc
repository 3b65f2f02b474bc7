#include "vision/heif_file.h"

#include <fmt/format.h>

#include <new>

#include "vision/coded_size.h"
#include "vision/heif_boxes.h"

namespace hinny {

HeifFile::HeifFile(std::span<const std::byte> file) {
  file = without_trailer(file);
  const std::uint64_t missing = check_coded_sizes(file);
  whole_ = missing == 0 && has_box(file, "meta");
  if (missing > 0 && missing <= file.size() / 4) {  // decoders then show the rest
    mended_.assign(file.begin(), file.end());
    mended_.resize(file.size() + static_cast<std::size_t>(missing));
    file = mended_;
  }
  heif_error error = open(file);
  if (error.code != heif_error_Ok) {
    std::vector<std::byte> single = with_single_owners(file);
    if (!single.empty()) {
      mended_ = std::move(single);
      error = open(mended_);
    }
  }
  if (error.code == heif_error_Ok) return;
  if (!has_box(file, "meta") && has_box(file, "moov")) {
    throw RequestError("unsupported: a film without a still picture");
  }
  throw refusal(error, true);
}

heif_error HeifFile::open(std::span<const std::byte> file) {
  context_.reset(heif_context_alloc());
  const heif_error error =
      heif_context_read_from_memory_without_copy(context_.get(), file.data(), file.size(), nullptr);
  if (error.code != heif_error_Ok) return error;
  heif_context_set_max_decoding_threads(context_.get(), 0);  // pictures are read side by side
  heif_image_handle* handle = nullptr;
  const heif_error none = heif_context_get_primary_image_handle(context_.get(), &handle);
  handle_.reset(handle);
  return none;
}

RequestError HeifFile::refusal(const heif_error& error, bool opening) const {
  const char* version = heif_get_version();
  if (error.code == heif_error_Memory_allocation_error &&
      error.subcode != heif_suberror_Security_limit_exceeded) {
    throw std::bad_alloc();
  }
  if (error.code == heif_error_Unsupported_filetype ||
      error.code == heif_error_Unsupported_feature) {
    return RequestError(fmt::format("unsupported by libheif {}; a newer one may read it: {}",
                                    version, error.message));
  }
  if (!whole_) return RequestError("damaged: the picture is cut off");
  if (error.subcode == heif_suberror_Security_limit_exceeded) {
    return RequestError(fmt::format("too large for libheif {}: {}", version, error.message));
  }
  // Its parts are all there, so that what they say is more likely new than wrong.
  if (opening) {
    return RequestError(fmt::format("newer than this library (libheif {}), or damaged: {}", version,
                                    error.message));
  }
  return RequestError(fmt::format("damaged: {}", error.message));
}

}  // namespace hinny
