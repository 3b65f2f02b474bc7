// Text towers of BERT's kind: BERT (Devlin et al. 2019), XLM-R (Conneau et al. 2020), DistilBERT
// (Sanh et al. 2019).
#include "pretrained/bert_kinds.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

bool is_distilbert_kind(const SourceFolder& source, const std::string& top) {
  return source.count(top + "transformer.layer.", ".ffn.lin1.weight") > 0;
}

TowerNames names_of_bert(const std::string& top) {
  TowerNames names;
  names.block = top + "encoder.layer.";
  names.query_key_value = {"attention.self.query", "attention.self.key", "attention.self.value"};
  names.attention_out = "attention.output.dense";
  names.attention_norm = "attention.output.LayerNorm";
  names.mlp_in = "intermediate.dense";
  names.mlp_out = "output.dense";
  names.mlp_norm = "output.LayerNorm";
  names.token_types = top + "embeddings.token_type_embeddings.weight";
  return names;
}

TowerNames names_of_distilbert(const std::string& top) {
  TowerNames names;
  names.block = top + "transformer.layer.";
  names.query_key_value = {"attention.q_lin", "attention.k_lin", "attention.v_lin"};
  names.attention_out = "attention.out_lin";
  names.attention_norm = "sa_layer_norm";
  names.mlp_in = "ffn.lin1";
  names.mlp_out = "ffn.lin2";
  names.mlp_norm = "output_layer_norm";
  return names;
}

// What stands before the names, by who saved the model.
std::string top_of(const SourceFolder& source) {
  for (const char* top :
       {"", "bert.", "roberta.", "distilbert.", "transformer.", "text.transformer."}) {
    if (source.has(fmt::format("{}embeddings.word_embeddings.weight", top))) return top;
  }
  return "";
}

PretrainedModel text_model(const fs::path& folder, std::string_view tokenizer,
                           std::vector<std::string> languages) {
  const JsonNode config = read_json(folder, "config.json").value();
  PretrainedModel model;
  model.sources.push_back(std::make_unique<SourceFolder>(folder, "model.safetensors"));
  model.text = read_bert_kind(*model.sources.front(), bert_kind_of(config), 0);
  model.tokenizer = tokenizer;
  model.languages = std::move(languages);
  return model;
}

bool is_xlm_roberta(const fs::path&, std::string_view kind) { return kind == "xlm-roberta"; }
bool is_bert(const fs::path&, std::string_view kind) { return kind == "bert"; }
bool is_distilbert(const fs::path&, std::string_view kind) { return kind == "distilbert"; }

}  // namespace

BertKind bert_kind_of(const JsonNode& config) {
  if (string_or(config, "position_embedding_type", "absolute") != "absolute") {
    config.refuse("has relative positions", "position_embedding_type absolute, or none");
  }
  BertKind kind;
  kind.kind = string_or(config, "model_type", "");
  const bool distilled = kind.kind == "distilbert";
  kind.heads = size_or(config, distilled ? "n_heads" : "num_attention_heads", 12);
  kind.epsilon = number_or(config, "layer_norm_eps", 1e-12);
  kind.activation = activation_of(config, "gelu");
  return kind;
}

BertKind bert_kind_named(const JsonNode& node, std::string_view name) {
  struct Known {
    std::string_view name, kind;
    std::size_t heads;
    double epsilon;
  };
  constexpr std::array kKnown = {
      Known{"xlm-roberta-large", "xlm-roberta", 16, 1e-5},
      Known{"xlm-roberta-base", "xlm-roberta", 12, 1e-5}, Known{"LaBSE", "bert", 12, 1e-12},
      Known{"bert-base-multilingual-cased", "bert", 12, 1e-12},
      Known{"distilbert-base-multilingual-cased", "distilbert", 12, 1e-12}};
  const std::string_view own = name.substr(name.rfind('/') + 1);
  std::string names;
  for (const Known& known : kKnown) {
    if (known.name == own) {
      return {std::string(known.kind), known.heads, known.epsilon, Activation::gelu};
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", known.name);
  }
  node.refuse(fmt::format("names '{}', of which nothing more is known", name), names);
}

Tower read_bert_kind(const SourceFolder& source, const BertKind& kind, std::size_t most_tokens) {
  const std::string top = top_of(source);
  TowerNames names =
      is_distilbert_kind(source, top) ? names_of_distilbert(top) : names_of_bert(top);
  names.tokens = top + "embeddings.word_embeddings.weight";
  names.positions = top + "embeddings.position_embeddings.weight";
  names.embedding_norm = top + "embeddings.LayerNorm";
  // RoBERTa's positions begin after the padding's id.
  if (kind.kind == "xlm-roberta" || kind.kind == "roberta") names.first_position = 2;
  TransformerSpec spec;
  spec.norm_first = false;
  spec.embedding_norm = true;
  spec.final_norm = false;
  spec.heads = kind.heads;
  spec.epsilon = kind.epsilon;
  spec.activation = kind.activation;
  spec.pooling = TokenPooling::mean;
  spec.positions = most_tokens;
  return build_text_tower(source, names, spec);
}

const Family kXlmRobertaFamily{
    "xlm-roberta", "a text tower that takes the mean of its tokens", is_xlm_roberta,
    [](const fs::path& folder) { return text_model(folder, "xlm-roberta", languages_of_xlm_r()); }};
const Family kBertFamily{"bert", "likewise", is_bert,
                         [](const fs::path& folder) { return text_model(folder, "bert", {"en"}); }};
const Family kDistilbertFamily{"distilbert", "likewise", is_distilbert, [](const fs::path& folder) {
                                 return text_model(folder, "distilbert", {"en"});
                               }};

}  // namespace hinny
