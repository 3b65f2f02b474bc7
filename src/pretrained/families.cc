#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "pretrained/family.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// Those that files of their own tell come before those that config.json does.
const std::array kFamilies = {
    &kSentenceTransformersFamily, &kMClipFamily,      &kClipFamily, &kSiglipFamily,  &kDinov2Family,
    &kXlmRobertaFamily,           &kDistilbertFamily, &kBertFamily, &kOpenClipFamily};

std::string kind_of(const fs::path& folder) {
  const auto config = read_json(folder, "config.json");
  return config && config->is_object() ? string_or(*config, "model_type", "") : "";
}

const Family* family_of(const fs::path& folder, const std::string& kind) {
  for (const Family* family : kFamilies) {
    if (family->is(folder, kind)) return family;
  }
  return nullptr;
}

std::vector<std::string> split_codes(std::string_view codes) {
  std::vector<std::string> list;
  while (!codes.empty()) {
    const std::size_t end = std::min(codes.find(' '), codes.size());
    list.emplace_back(codes.substr(0, end));
    codes.remove_prefix(std::min(end + 1, codes.size()));
  }
  return list;
}

}  // namespace

bool is_pretrained_folder(const fs::path& folder) {
  if (!fs::is_directory(folder)) return false;
  for (const char* file : {"modules.json", "open_clip_config.json", "visual/model.onnx"}) {
    if (fs::exists(folder / file)) return true;
  }
  const auto config = read_json(folder, "config.json");
  return config && config->is_object() &&
         (config->find("model_type") || config->find("architectures") || config->find("modelBase"));
}

PretrainedModel read_pretrained(const fs::path& folder) {
  const std::string kind = kind_of(folder);
  if (const Family* family = family_of(folder, kind)) {
    PretrainedModel model = family->read(folder);
    if (model.system.empty()) model.system = family->name;
    return model;
  }
  if (kind.empty()) refuse_networks_alone(folder);
  std::string known;
  for (const Family* family : kFamilies) {
    known += fmt::format("{}{} ({})", known.empty() ? "" : "; ", family->name, family->models);
  }
  throw InputError(folder,
                   kind.empty() ? "no pretrained model that is known"
                                : fmt::format("architecture '{}' is not supported", kind),
                   known);
}

Activation activation_of(const JsonNode& config, std::string_view otherwise) {
  std::string name;
  for (const char* key : {"hidden_act", "activation"}) {
    if (name.empty()) name = string_or(config, key, "");
  }
  if (name.empty()) name = otherwise;
  if (name == "gelu") return Activation::gelu;
  if (name == "quick_gelu") return Activation::quick_gelu;
  for (const char* tanh : {"gelu_pytorch_tanh", "gelu_new", "gelu_fast"}) {
    if (name == tanh) return Activation::gelu_tanh;
  }
  config.refuse(fmt::format("has the activation '{}'", name),
                "gelu, gelu_pytorch_tanh, gelu_new or quick_gelu; no other is supported");
}

std::vector<std::string> languages_of_xlm_r() {
  return split_codes(
      "en af am ar as az be bg bn br bs ca cs cy da de el eo es et eu fa fi fr fy ga gd gl "
      "gu ha he hi hr hu hy id is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr "
      "ms my ne nl no om or pa pl ps pt ro ru sa sd si sk sl so sq sr su sv sw ta te th tl "
      "tr ug uk ur uz vi xh yi zh");
}

std::vector<std::string> languages_of_crossmodal() {
  return split_codes(
      "en ar bn cs da de el es fa fi fil fr he hi hr hu id it ja ko mi nl no pl pt quz ro ru sv sw "
      "te th tr uk vi zh");
}

}  // namespace hinny
