#include <array>
#include <string_view>

#include "base/error.h"
#include "base/text_file.h"
#include "vision/builtin/builtin_encoder.h"
#include "vision/picture_encoder.h"

namespace hinny {

std::unique_ptr<PictureEncoder> open_encoder(const std::string& which,
                                             const std::filesystem::path& preprocess) {
  if (which == "builtin" || which == kBuiltinName) {
    if (preprocess.empty()) return make_builtin_encoder();
    throw InputError("--preprocess with the built-in encoder", "a network, FILE.onnx");
  }
  const std::filesystem::path network = which;
  if (network.extension() != ".onnx") {
    const std::array<std::string_view, 2> names = {"builtin", kBuiltinName};
    throw InputError("no encoder '" + which + "'" + did_you_mean(which, names),
                     "builtin or FILE.onnx");
  }
  if (!std::filesystem::is_regular_file(network)) throw InputError(network, "no such file", "");
  if (preprocess.empty()) return open_onnx_encoder(network, preprocess_beside(network));
  const std::string text = read_text(preprocess, 1U << 20U);
  return open_onnx_encoder(network, parse_preprocess(text, preprocess));
}

}  // namespace hinny
