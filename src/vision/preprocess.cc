#include "vision/preprocess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "base/error.h"
#include "base/text_file.h"
#include "data/encoder_sidecar.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kMostInputSide = 4096;
constexpr std::string_view kExample =
    R"({"size": 256, "resize": "shorter", "crop": 224, "mean": [123.7, 116.3, 103.5], )"
    R"("scale": [0.0171, 0.0175, 0.0174], "channels": "rgb"})";
const std::vector<std::string_view> kKeys = {"size",   "resize", "crop",     "interpolation",
                                             "mean",   "scale",  "channels", "ten_crop",
                                             "middle", "input",  "output"};

// A choice: its names, in the order of the enumeration.
constexpr std::array<std::string_view, 2> kResizes = {"squash", "shorter"};
constexpr std::array<std::string_view, 3> kInterpolations = {"area", "bilinear", "bicubic"};
constexpr std::array<std::string_view, 2> kMiddles = {"even", "down"};
constexpr std::array<std::string_view, 2> kChannels = {"bgr", "rgb"};

// One sidecar being read; every message names its file.
class Sidecar {
 public:
  Sidecar(const json& root, const fs::path& file) : root_(root), file_(file) {}

  bool has(const char* key) const { return root_.contains(key); }

  int side(const char* key, int most) const {
    const json& value = root_[key];
    if (!value.is_number_integer() || value < 1 || value > most) {
      throw wrong(key, fmt::format("a whole number from 1 to {}", most));
    }
    return value.get<int>();
  }

  bool flag(const char* key) const {
    if (!root_[key].is_boolean()) throw wrong(key, "true or false");
    return root_[key].get<bool>();
  }

  std::string name(const char* key) const {
    if (!root_[key].is_string() || root_[key].get_ref<const std::string&>().empty()) {
      throw wrong(key, "a name in quotes");
    }
    return root_[key].get<std::string>();
  }

  // Which of `names` it is.
  std::size_t choice(const char* key, std::span<const std::string_view> names) const {
    const json& value = root_[key];
    const auto found = value.is_string() ? std::find(names.begin(), names.end(),
                                                     value.get_ref<const std::string&>())
                                         : names.end();
    if (found == names.end()) throw wrong(key, fmt::format("\"{}\"", fmt::join(names, "\" or \"")));
    return static_cast<std::size_t>(found - names.begin());
  }

  // One number for all channels, or one each.
  std::array<float, 3> per_channel(const char* key) const {
    const json& value = root_[key];
    const bool three = value.is_array() && value.size() == 3;
    std::array<float, 3> numbers{};
    for (std::size_t i = 0; i < 3; ++i) {
      const json& number = three ? value[i] : value;
      if (!number.is_number() || !std::isfinite(number.get<float>())) {
        throw wrong(key, "a number, or three in brackets");
      }
      numbers[i] = number.get<float>();
    }
    return numbers;
  }

  InputError wrong(const char* key, std::string_view expected) const {
    return {file_, fmt::format("\"{}\" is {}", key, root_[key].dump()), expected};
  }

 private:
  const json& root_;
  const fs::path& file_;
};

json parse_object(std::string_view text, const fs::path& file) {
  json root;
  try {
    root = json::parse(text);
  } catch (const json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
    throw InputError(file, line, "broken JSON", kExample);
  } catch (const json::out_of_range&) {
    throw InputError(file, "a number too large", kExample);
  }
  if (!root.is_object()) throw InputError(file, "not a JSON object", kExample);
  for (const auto& [key, value] : root.items()) {
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
      throw InputError(file, fmt::format("unknown key \"{}\"{}", key, did_you_mean(key, kKeys)),
                       fmt::format("{}", fmt::join(kKeys, ", ")));
    }
  }
  if (!root.contains("size")) throw InputError(file, "\"size\" is missing", kExample);
  return root;
}

}  // namespace

Preprocess parse_preprocess(std::string_view json_text, const fs::path& file) {
  const json root = parse_object(json_text, file);
  const Sidecar sidecar(root, file);
  Preprocess how;
  how.size = sidecar.side("size", kMostInputSide);
  how.crop = sidecar.has("crop") ? sidecar.side("crop", how.size) : how.size;
  if (sidecar.has("resize")) {
    how.resize = static_cast<Preprocess::Resize>(sidecar.choice("resize", kResizes));
  }
  if (sidecar.has("interpolation")) {
    how.interpolation =
        static_cast<Preprocess::Interpolation>(sidecar.choice("interpolation", kInterpolations));
  }
  if (sidecar.has("mean")) how.mean = sidecar.per_channel("mean");
  if (sidecar.has("scale")) how.scale = sidecar.per_channel("scale");
  if (sidecar.has("channels")) how.rgb = sidecar.choice("channels", kChannels) == 1;
  if (sidecar.has("middle")) how.middle_down = sidecar.choice("middle", kMiddles) == 1;
  if (sidecar.has("ten_crop")) how.ten_crop = sidecar.flag("ten_crop");
  if (sidecar.has("input")) how.input = sidecar.name("input");
  if (sidecar.has("output")) how.output = sidecar.name("output");
  return how;
}

std::string preprocess_text(const Preprocess& how) {
  // As text: a float's shortest decimal is no double's.
  const auto numbers = [](const std::array<float, 3>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
  };
  const auto name = [](const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  };
  std::string text = fmt::format(
      "{{\n  \"size\": {},\n  \"resize\": \"{}\",\n  \"crop\": {},\n  \"interpolation\": \"{}\",\n"
      "  \"mean\": {},\n  \"scale\": {},\n  \"channels\": \"{}\"",
      how.size, kResizes.at(static_cast<std::size_t>(how.resize)), how.crop,
      kInterpolations.at(static_cast<std::size_t>(how.interpolation)), numbers(how.mean),
      numbers(how.scale), kChannels.at(how.rgb ? 1 : 0));
  if (how.middle_down) text += ",\n  \"middle\": \"down\"";
  if (how.ten_crop) text += ",\n  \"ten_crop\": true";
  if (!how.input.empty()) text += ",\n  \"input\": " + name(how.input);
  if (!how.output.empty()) text += ",\n  \"output\": " + name(how.output);
  return text + "\n}\n";
}

Preprocess preprocess_beside(const fs::path& network) {
  const fs::path file = sidecar_beside(network);
  if (!file.empty()) return parse_preprocess(read_text(file, 1U << 20U), file);
  throw InputError(network, "nothing says how to prepare pictures for this network",
                   fmt::format("--preset NAME, --preprocess FILE or a file {}.json like {}",
                               network.string(), kExample));
}

}  // namespace hinny
