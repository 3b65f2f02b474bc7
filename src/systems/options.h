// The settings of a system, as plain data: what a recipe's [text], [image] and [loss] say.
// Names, meanings and defaults of the keys: docs/recipes.md.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "nn/loss_options.h"

namespace hinny {

struct TextSettings {
  std::string vocabulary = "per-language";  // or "shared"
  std::int64_t min_count = 2;
  std::int64_t max_words = 40;
  bool given = false;              // captions are tokenised already
  std::string unknown = "drop";    // or "token"
  bool markers = false;            // start and end markers around a caption
  std::string vectors = "random";  // "train", "pictures", or a folder with <language>.vec
  bool whiten = false;             // vectors: without what a language's words share
  bool finetune = true;
  double word_range = 0.1;
  std::int64_t dim = 300;
  std::int64_t pca = 0;  // word vectors start with so many numbers, of which dim components stay
  std::int64_t mule_dim = 0;  // size of a word space that languages share; 0: none
  // SMALR: the most frequent words have vectors of their own, the others share latent tokens.
  std::int64_t latents = 0;  // at most so many tokens; 0: every word has its own vector
  std::int64_t own_words = 5000;
  std::int64_t own_dim = 50;
  // Dictionary mapping: words seen fewer than `rare` times are words of language `lender`, by
  // <language>-<lender>.tsv in the folder `dictionary`.
  std::string dictionary;
  std::string lender = "en";
  std::int64_t rare = 5;
  std::int64_t characters = 0;  // LIWE: size of a character's vector; 0: words are not spelled
  std::int64_t most_characters = 26;
  double explore = 0.2;
  std::int64_t explore_among = 20;
  std::string encoder = "mean";  // of words; or "given": vectors of whole captions, `sentences`
  std::string sentences;         // their name
  std::int64_t hidden = 1024;
  bool bidirectional = false;
  std::string reset = "after";  // gru: the reset gate, after or before the recurrent product
  double dropout = 0.0;
  bool project = true;
};

struct ImageSettings {
  std::string features;  // names joined by '+'; `--features` overrides
  bool square_root = false;
  bool standardise = false;
  std::int64_t hidden = 2048;
  bool batch_norm = true;
  double dropout = 0.0;
  double input_dropout = 0.0;
  std::string branch = "shared";  // or "per-language"
  std::string start = "random";   // or "directions", those of pictures, in both branches
};

// Losses that a system adds, or takes instead for a while.
struct LossSettings : LossOptions {
  double neighbourhood = 0.0;
  std::string neighbours = "own";    // whose captions: own language, any, or pairs of languages
  double cross_neighbourhood = 0.0;  // pairs: weight of two different languages
  std::string neighbourhood_layers = "joint";  // where: joint space, mule (words' space), or both
  double adversary = 0.0;
  double word_drift = 0.0;
  double masked = 0.0;
  double mask_share = 0.2;
  double masked_ranking = 1.0;
  // Of regions: one loss of all types of captions (nn/harder_negatives.h). A type is a language, or
  // with "sources" what people wrote in it ("en") and what a machine did ("en:machine").
  bool harder_negatives = false;
  std::string types = "languages";
  // The betas of types, each over the sum of them; empty: all alike. "en" counts for "en:machine"
  // where that is left out.
  std::map<std::string, double> language_weights;
  std::int64_t warmup_epochs = 0;
  std::string warmup = "infonce";  // loss of the warm-up epochs: infonce, or all (negatives)
};

// Training of the words' shared space before anything else (MULE's LP).
struct PretrainSettings {
  std::int64_t epochs = 0;
  std::string loss = "infonce";  // infonce, all (negatives), or recipe: as [loss] says
};

// SCAN: how a picture's regions and a sentence's words are compared (kernels/cross_attention.h).
struct AttentionSettings {
  std::string direction = "text-to-image";  // or "image-to-text": regions ask
  std::string norm = "clipped-l2";          // none, clipped, l2, clipped-l2, softmax
  std::string pooling = "lse";              // or "mean"
  double lambda_softmax = 9;
  double lambda_lse = 6;
};

struct SystemOptions {
  std::string system = "bag";
  std::int64_t dim = 512;
  std::string precision = "fp32";  // what large products read: fp32 or bf16
  TextSettings text;
  ImageSettings image;
  LossSettings loss;
  PretrainSettings pretrain;
  AttentionSettings attention;
};

// What a system has to know of the data before it can be built.
struct SystemInput {
  std::vector<std::string> languages;
  std::vector<std::int64_t> vocabulary_sizes;  // one per language (equal when shared)
  std::int64_t feature_dim = 0;
  std::int64_t regions = 1;  // of a picture; feature_dim is that of all of them
  // Dictionary mapping, by language: for the last words of its vocabulary the lender's words.
  std::map<std::string, std::vector<std::int32_t>> borrowed{};
  // text.characters: how many there are, and those of each word, [words, most_characters].
  std::int64_t characters = 0;
  std::vector<std::int32_t> spelling{};
};

}  // namespace hinny
