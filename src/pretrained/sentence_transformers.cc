// sentence-transformers' folders (Reimers and Gurevych 2020): a text tower in parts that
// modules.json lists, as clip-ViT-B-32-multilingual-v1.
#include <fmt/format.h>

#include "base/error.h"
#include "pretrained/bert_kinds.h"
#include "pretrained/family.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

bool is_sentence_transformers(const fs::path& folder, std::string_view) {
  return fs::is_regular_file(folder / "modules.json");
}

// A folder in the model's own, without a way out of it.
fs::path module_folder(const fs::path& folder, const JsonNode& module) {
  const std::string name = module.at("path").string();
  if (name.empty()) return folder;
  if (fs::path(name).filename() != name || name == "..") {
    module.at("path").refuse(fmt::format("is '{}'", name), "a folder beside modules.json");
  }
  return folder / name;
}

TokenPooling pooling_of(const fs::path& folder) {
  const auto config = read_json(folder, "config.json");
  if (!config) throw InputError(folder / "config.json", "no such file", "how tokens are pooled");
  std::string way;
  for (const auto& [key, value] : config->members()) {
    if (key.starts_with("pooling_mode_") && value.boolean()) way += (way.empty() ? "" : "+") + key;
  }
  if (way == "pooling_mode_mean_tokens") return TokenPooling::mean;
  if (way == "pooling_mode_cls_token") return TokenPooling::first;
  config->refuse(fmt::format("has {}", way), "the mean of all tokens, or the first one");
}

PretrainedModel read_sentence_transformers(const fs::path& folder) {
  PretrainedModel model;
  const JsonNode modules = read_json(folder, "modules.json").value();
  for (const JsonNode& module : modules.items()) {
    const std::string type = module.at("type").string();
    const std::string kind = type.substr(type.rfind('.') + 1);
    const fs::path place = module_folder(folder, module);
    if (kind == "Transformer" && !model.text) {
      const auto config = read_json(place, "config.json");
      if (!config) throw InputError(place / "config.json", "no such file", "the transformer's");
      model.sources.push_back(std::make_unique<SourceFolder>(place, "model.safetensors"));
      const auto limits = read_json(place, "sentence_bert_config.json");
      const std::size_t most = limits ? size_or(*limits, "max_seq_length", 0) : 0;
      const BertKind kind_of_tower = bert_kind_of(*config);
      model.text = read_bert_kind(*model.sources.back(), kind_of_tower, most);
      model.tokenizer = kind_of_tower.kind;
      model.tokenizer_folder = place;
      model.languages = languages_of_xlm_r();
      constexpr std::size_t kOneLanguage = 60'000;  // pieces; BERT's English ones are 30,522
      if (model.text->spec.vocabulary < kOneLanguage) model.languages = {"en"};
    } else if (kind == "Pooling" && model.text) {
      model.text->spec.pooling = pooling_of(place);
    } else if (kind == "Dense" && model.text && !model.text->projects) {
      const auto config = read_json(place, "config.json");
      const std::string after = config ? string_or(*config, "activation_function", "") : "";
      const bool plain = after.ends_with("Identity"),
                 tanh = after.empty() || after.ends_with("Tanh");
      if (!plain && !tanh) {
        config->refuse(fmt::format("has the activation '{}'", after), "Identity or Tanh");
      }
      model.sources.push_back(std::make_unique<SourceFolder>(place, "model.safetensors"));
      add_projection(*model.sources.back(), "linear.weight", "linear.bias", false, *model.text);
      model.text->ends_with_tanh = tanh;
    } else if (kind != "Normalize") {
      module.refuse(fmt::format("is of type {}", type),
                    "Transformer, Pooling, Dense once, Normalize; no other is supported");
    }
  }
  if (!model.text) modules.refuse("lists no Transformer", "one");
  return model;
}

}  // namespace

const Family kSentenceTransformersFamily{
    "sentence-transformers", "text towers of BERT's kind, as clip-ViT-B-32-multilingual-v1",
    is_sentence_transformers, read_sentence_transformers};

}  // namespace hinny
