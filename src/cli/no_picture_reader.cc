// What hinny and hinny-data link where hinny-vision links vision/picture_reader.cc: they have no
// OpenCV, and hand every command with pictures over to that program (cli/dispatch.h).
#include "base/error.h"
#include "vision/picture_reader.h"

namespace hinny {
namespace {

class NoPictureReader final : public PictureReader {
 public:
  std::vector<std::vector<float>> features_of_each(std::span<const GivenPicture>) const override {
    refuse();
  }
  void features_of(std::span<const std::filesystem::path>, const TakeFeatures&) const override {
    refuse();
  }
  PictureFacts facts_of(const std::filesystem::path&) const override { refuse(); }
  std::string version() const override { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw Failure("this program reads no pictures: hinny-vision does");
  }
};

}  // namespace

std::unique_ptr<const PictureReader> open_picture_reader(const FeatureSpec&,
                                                         const std::vector<std::string>&) {
  return std::make_unique<const NoPictureReader>();
}

}  // namespace hinny
