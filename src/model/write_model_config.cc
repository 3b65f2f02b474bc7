#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "model/model_config.h"
#include "retrieval/score.h"

namespace hinny {
namespace {

using nlohmann::json;

json as_json(const EncoderSpec& spec) {
  json entry = {{"kind", name_of(spec.kind)}, {"input", spec.input}};
  if (spec.every_word) entry["output"] = name_of(EncoderOutput::words);
  if (spec.kind != EncoderKind::gru && spec.kind != EncoderKind::lstm) return entry;
  entry["prefix"] = spec.prefix;
  entry["hidden"] = spec.hidden;
  entry["bidirectional"] = spec.bidirectional;
  if (spec.kind == EncoderKind::gru) entry["reset"] = name_of(spec.reset);
  return entry;
}

json as_json(const std::vector<LayerSpec>& layers) {
  json list = json::array();
  for (const LayerSpec& layer : layers) {
    json entry = {{"kind", name_of(layer.kind)}};
    if (have_tensors(layer.kind)) entry["prefix"] = layer.prefix;
    if (layer.kind == LayerKind::memory) entry["hops"] = layer.hops;
    if (layer.seen) entry["seen"] = true;
    list.push_back(std::move(entry));
  }
  return list;
}

json as_json(const TextSpec& spec) {
  json entry = {{"vocabulary", spec.vocabulary},  {"unknown", name_of(spec.unknown)},
                {"markers", spec.markers},        {"encoder", as_json(spec.encoder)},
                {"layers", as_json(spec.layers)}, {"space", spec.space}};
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) entry[key] = value;
  };
  add("words", spec.words);
  add("latents", spec.latents);
  add("latent_of", spec.latent_of);
  add("borrows", spec.borrows);
  add("borrowed", spec.borrowed);
  add("characters", spec.characters);
  if (!spec.characters.empty()) entry["most_characters"] = spec.most_characters;
  if (!spec.word_layers.empty()) entry["word_layers"] = as_json(spec.word_layers);
  return entry;
}

// Of a model that reads by a transformer.
json layers_json(const TextSpec& spec) {
  return {{"layers", as_json(spec.layers)}, {"space", spec.space}};
}

json as_json(const FeatureSpec& spec) {
  json parts = json::array();
  for (const FeatureSpec::Part& part : spec.parts) {
    parts.push_back({{"name", part.name}, {"dim", part.dim}});
  }
  json entry = {{"names", spec.names},
                {"parts", parts},
                {"square_root", spec.square_root},
                {"standardise", spec.standardise}};
  if (spec.regions > 1) entry["regions"] = spec.regions;
  return entry;
}

json as_json(const CrossAttention& attention) {
  return {{"direction", name_of(attention.direction)},
          {"norm", name_of(attention.norm)},
          {"pooling", name_of(attention.pooling)},
          {"lambda_softmax", attention.lambda_softmax},
          {"lambda_lse", attention.lambda_lse}};
}

json parameters_of(const ModelConfig& config) {
  json entry = {{"train", config.train_parameters}, {"search", config.search_parameters}};
  if (!config.parameter_parts.empty()) entry["parts"] = config.parameter_parts;
  return entry;
}

}  // namespace

void write_model_config(const std::filesystem::path& path, const ModelConfig& config) {
  json root = {{"format", 1},
               {"system", config.system},
               {"languages", config.languages},
               {"dim", config.dim},
               {"features", as_json(config.features)},
               {"tokenizer", {{"given", config.given_tokens}, {"max_words", config.max_words}}},
               {"parameters", parameters_of(config)}};
  if (config.stems) root["tokenizer"]["stems"] = true;
  if (config.score != Score::dot) root["score"] = name_of(config.score);
  if (config.attention) root["attention"] = as_json(*config.attention);
  if (config.late) {
    root["late"] = {{"sharpness", config.late->sharpness}, {"weight", config.late->weight}};
  }
  if (config.transformer) root["transformer"] = as_json(*config.transformer);
  for (const auto& [language, spec] : config.text) {
    root["text"][language] = config.transformer ? layers_json(spec) : as_json(spec);
  }
  for (const auto& [space, layers] : config.image) root["image"][space]["layers"] = as_json(layers);
  if (!config.consistency.empty()) root["consistency"] = config.consistency;
  if (config.fit) root["fit"] = {{"slope", config.fit->slope}, {"offset", config.fit->offset}};
  write_file(path, root.dump(2) + "\n");
}

}  // namespace hinny
