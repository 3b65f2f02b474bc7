// A HEIF file open in libheif, for what is read of it. Internal to this level.
#pragma once

#include <libheif/heif.h>

#include <memory>
#include <span>
#include <vector>

#include "base/request_error.h"

namespace hinny {

struct ReleaseHeif {
  void operator()(heif_context* context) const { heif_context_free(context); }
  void operator()(heif_image_handle* handle) const { heif_image_handle_release(handle); }
  void operator()(heif_image* image) const { heif_image_release(image); }
  void operator()(heif_decoding_options* options) const { heif_decoding_options_free(options); }
  void operator()(heif_color_profile_nclx* colours) const { heif_nclx_color_profile_free(colours); }
};
template <typename Thing>
using HeifOwned = std::unique_ptr<Thing, ReleaseHeif>;

// The main picture of a file, which must outlive this. Throws RequestError for a file that cannot
// be read, or of which any stream is of more than kMostHeifPixels, whatever is stated.
class HeifFile {
 public:
  explicit HeifFile(std::span<const std::byte> file);

  heif_image_handle* handle() const { return handle_.get(); }
  // False when data of some item lie beyond the end of the file.
  bool whole() const { return whole_; }
  // What libheif says of a file or a picture, in words of ours.
  RequestError refusal(const heif_error& error, bool opening) const;

 private:
  heif_error open(std::span<const std::byte> file);
  bool whole_ = false;
  std::vector<std::byte> mended_;  // what is read, where it is not the file as it is
  HeifOwned<heif_context> context_;
  HeifOwned<heif_image_handle> handle_;
};

}  // namespace hinny
