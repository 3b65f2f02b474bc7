// config.json of a model that retrieves, as structures: docs/formats/model.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/attention.h"
#include "model/sentence_kinds.h"
#include "model/transformer_config.h"
#include "retrieval/fit.h"
#include "retrieval/score.h"

namespace hinny {

struct EncoderSpec {
  EncoderKind kind = EncoderKind::mean;
  std::string prefix;      // of the tensors' names; mean has none
  std::size_t input = 0;   // size of a word vector
  std::size_t hidden = 0;  // 0 for mean and given
  bool bidirectional = false;
  ResetGate reset = ResetGate::after;  // of a GRU
  bool every_word = false;  // a state at each word, the mean of both directions, and no last one

  std::size_t output() const;
  bool operator==(const EncoderSpec&) const = default;
};

// The last three make one row of a group's (encoder/pooling.h).
enum class LayerKind { linear, batch_norm, relu, gelu, tanh, l2, abs, mean, context, memory };

template <>
struct Choices<LayerKind> {
  static constexpr Choice<LayerKind> all[] = {
      {LayerKind::linear, "linear"},   {LayerKind::batch_norm, "batch_norm"},
      {LayerKind::relu, "relu"},       {LayerKind::gelu, "gelu"},
      {LayerKind::tanh, "tanh"},       {LayerKind::l2, "l2"},
      {LayerKind::abs, "abs"},         {LayerKind::mean, "mean"},
      {LayerKind::context, "context"}, {LayerKind::memory, "memory"}};
};

struct LayerSpec {
  LayerKind kind = LayerKind::linear;
  std::string prefix{};  // of the tensors' names, of those kinds that have_tensors
  std::size_t hops = 0;  // of memory
  bool seen = false;     // of memory: the first one, and what a hop saw, pass a layer and tanh

  bool operator==(const LayerSpec&) const = default;
};

bool have_tensors(LayerKind kind);

// Of one language.
struct TextSpec {
  std::string vocabulary;
  UnknownWords unknown = UnknownWords::token;  // token: id 1
  bool markers = false;                        // ids 2 and 3 around the words
  std::string words;      // none when sentences are given; else tensor [vocabulary, input of
                          // word_layers or encoder]
  std::string latents;    // tensor [tokens, input of encoder] of words beyond those of `words`
  std::string latent_of;  // tensor [words beyond], the row in it of each; both or neither
  std::string borrows;    // language whose words the last ones are, by `borrowed`; both or neither
  std::string borrowed;   // tensor [words beyond those of `words`], ids of that language
  // Words spelled, without `words`: tensor [characters, numbers of one], and how many of a word
  // count.
  std::string characters;
  std::size_t most_characters = 0;
  std::vector<LayerSpec> word_layers;  // from a word vector to what the encoder reads
  EncoderSpec encoder;
  std::vector<LayerSpec> layers;
  std::string space;  // key of ModelConfig::image

  bool operator==(const TextSpec&) const = default;
};

struct FeatureSpec {
  struct Part {
    std::string name;
    std::size_t dim = 0;
    bool operator==(const Part&) const = default;
  };
  std::string names;  // "inceptionv3+mobilenetv2"
  std::vector<Part> parts;
  bool square_root = false;
  bool standardise = false;
  std::size_t regions = 1;  // of a picture, each with dim() / regions of its numbers

  std::size_t dim() const;  // sum over the parts
  std::vector<std::string> part_names() const;
  bool operator==(const FeatureSpec&) const = default;
};

// How words compare with regions without a sentence's vector (docs/formats/model.md, `late`).
struct LateInteraction {
  double sharpness = 12;  // greater than 0
  double weight = 1;      // of its scores beside those of the model whose best it looks at

  bool operator==(const LateInteraction&) const = default;
};

struct ModelConfig {
  std::string system;
  std::vector<std::string> languages;  // in the order they were trained in
  std::size_t dim = 0;
  Score score = Score::dot;  // how vectors compare
  // Words and regions compare by it, as they are before they are pooled into vectors.
  std::optional<CrossAttention> attention;
  std::optional<LateInteraction> late;  // the same by late interaction
  FeatureSpec features;
  // A pretrained model's: it reads sentences of all languages, which then have no vocabulary and no
  // encoder of their own but mean, of as many numbers as it is wide.
  std::optional<TransformerSpec> transformer;
  bool given_tokens = false;
  bool stems = false;
  int max_words = 0;
  std::map<std::string, TextSpec> text;                 // by language
  std::map<std::string, std::vector<LayerSpec>> image;  // by space
  // What a sentence in each language counts for among translations of each other (CLC-C, Burns et
  // al. 2020, Sec. 3.4); empty when that was not learnt: each the same.
  std::map<std::string, double> consistency;
  // Whether a picture of such a score belongs, where scores of all questions say the same (SigLIP).
  std::optional<Fit> fit;
  std::int64_t train_parameters = 0;
  std::int64_t search_parameters = 0;
  std::map<std::string, std::int64_t> parameter_parts;  // of train_parameters; may be unknown

  // Words are compared with regions, not vectors alone.
  bool compares_pairs() const { return attention.has_value() || late.has_value(); }
  bool operator==(const ModelConfig&) const = default;
};

// Throws InputError for anything that the format does not have, with the nearest name that it
// does have. Tensors are not looked at.
ModelConfig read_model_config(const std::filesystem::path& path);
// Reading it gives an equal one. Throws Failure when the file cannot be written.
void write_model_config(const std::filesystem::path& path, const ModelConfig& config);

}  // namespace hinny
