#include "cli/picture_reader.h"

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "vision/picture_features.h"

namespace hinny {

ReadPicture open_picture_reader(const Index& index) {
  const std::vector<std::string> encoders = index.picture_encoders();
  if (encoders.empty()) {
    throw InputError("the index does not know what makes a picture's features (" +
                         index.contents().features + ")",
                     "an index made with hinny index --network FILE.onnx");
  }
  const auto features = std::make_shared<PictureFeatures>(encoders);
  return [features](const std::filesystem::path& file) { return features->of(read_picture(file)); };
}

}  // namespace hinny
