#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/error.h"
#include "base/text_file.h"
#include "data/encoder_sidecar.h"
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
  if (!is_network_name(network)) {
    const std::array<std::string_view, 2> names = {"builtin", kBuiltinName};
    throw InputError("no encoder '" + which + "'" + did_you_mean(which, names),
                     fmt::format("builtin, {}", kNetworkNames));
  }
  if (!std::filesystem::is_regular_file(network)) throw InputError(network, "no such file", "");
  const Preprocess how = preprocess.empty()
                             ? preprocess_beside(network)
                             : parse_preprocess(read_text(preprocess, 1U << 20U), preprocess);
  const bool tower = network.extension() == ".safetensors";
  return tower ? open_tower_encoder(network, how) : open_onnx_encoder(network, how);
}

std::vector<std::unique_ptr<PictureEncoder>> open_encoders(const FeatureSpec& features,
                                                           const std::vector<std::string>& which) {
  if (which.size() != features.parts.size()) {
    throw InputError(fmt::format("{} encoders of pictures for {}", which.size(), features.names),
                     "one for each part of the features");
  }
  std::vector<std::unique_ptr<PictureEncoder>> opened;
  for (const FeatureSpec::Part& part : features.parts) {
    const std::string& name = which[opened.size()];
    opened.push_back(open_encoder(name));
    const auto size = static_cast<std::size_t>(opened.back()->row_size());
    if (size == part.dim) continue;
    throw InputError(
        name, fmt::format("makes {} features of a picture", size),
        fmt::format("the {} of {} that the model was trained on", part.dim, part.name));
  }
  return opened;
}

}  // namespace hinny
