// M-CLIP (Carlsson et al. 2022): XLM-R whose mean a layer takes into the space of a CLIP's
// pictures.
#include "base/error.h"
#include "pretrained/bert_kinds.h"
#include "pretrained/family.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

bool is_m_clip(const fs::path& folder, std::string_view) {
  const auto config = read_json(folder, "config.json");
  return config && config->is_object() && config->find("modelBase") &&
         config->find("transformerDimensions");
}

PretrainedModel read_m_clip(const fs::path& folder) {
  const JsonNode config = read_json(folder, "config.json").value();
  PretrainedModel model;
  model.sources.push_back(std::make_unique<SourceFolder>(folder, "model.safetensors"));
  const SourceFolder& source = *model.sources.front();
  // Its own files mostly say no more of the tower than which one it was.
  BertKind kind = bert_kind_named(config, config.at("modelBase").string());
  kind.heads = size_or(config, "num_attention_heads", kind.heads);
  model.text = read_bert_kind(source, kind, 0);
  add_projection(source, "LinearTransformation.weight", "LinearTransformation.bias", false,
                 *model.text);
  model.tokenizer = kind.kind;
  model.tokenizer_folder = folder;
  model.languages = languages_of_xlm_r();
  return model;
}

}  // namespace

const Family kMClipFamily{"m-clip", "multilingual text towers for a CLIP's pictures", is_m_clip,
                          read_m_clip};

}  // namespace hinny
