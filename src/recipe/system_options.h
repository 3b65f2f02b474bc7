// The settings of a system, as plain data: what a recipe's [text], [image], [loss], [pretrain] and
// [attention] say. What each does, and in which systems: recipe/keys.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/attention.h"
#include "model/sentence_kinds.h"
#include "recipe/loss_options.h"
#include "recipe/system_kind.h"

namespace hinny {

struct TextSettings {
  Sharing vocabulary = Sharing::per_language;
  std::int64_t min_count = 2;
  std::int64_t max_words = 40;
  bool given = false;  // captions are tokenised already
  bool stems = false;  // words without their endings
  UnknownWords unknown = UnknownWords::drop;
  bool markers = false;  // start and end markers around a caption
  // The name of a VectorSource, or a folder with <language>.vec.
  std::string vectors{name_of(VectorSource::random)};
  bool whiten = false;  // vectors: without what a language's words share
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
  EncoderKind encoder = EncoderKind::mean;
  std::string sentences;  // encoder given: the name of the captions' vectors
  std::int64_t hidden = 1024;
  bool bidirectional = false;
  ResetGate reset = ResetGate::after;
  double gate_bias = 0.0;  // what gates start with beside their random numbers
  double dropout = 0.0;
  bool project = true;

  bool vectors_from(VectorSource source) const { return vectors == name_of(source); }
};

struct ImageSettings {
  std::string features;  // names joined by '+'; `--features` overrides
  bool square_root = false;
  bool standardise = false;
  std::int64_t hidden = 2048;
  bool batch_norm = true;
  double dropout = 0.0;
  double input_dropout = 0.0;
  Sharing branch = Sharing::shared;
  ImageStart start = ImageStart::random;  // directions: those of pictures, in both branches
};

// Losses that a system adds, or takes instead for a while.
struct LossSettings : LossOptions {
  double neighbourhood = 0.0;
  NeighbourChoice neighbours = NeighbourChoice::own;  // whose captions
  double cross_neighbourhood = 0.0;                   // pairs: weight of two different languages
  NeighbourhoodLayers neighbourhood_layers = NeighbourhoodLayers::joint;
  double adversary = 0.0;
  double word_drift = 0.0;
  double masked = 0.0;
  double mask_share = 0.2;
  double masked_ranking = 1.0;
  double mix = 0.0;  // of Beta(mix, mix), by which pairs of a batch are mixed; 0: not
  // Of regions: one loss of all types of captions (nn/harder_negatives.h). A type is a language, or
  // with "sources" what people wrote in it ("en") and what a machine did ("en:machine").
  bool harder_negatives = false;
  CaptionTypes types = CaptionTypes::languages;
  // The betas of types, each over the sum of them; empty: all alike. "en" counts for "en:machine"
  // where that is left out.
  std::map<std::string, double> language_weights;
  std::int64_t warmup_epochs = 0;
  GentleLoss warmup = GentleLoss::infonce;
};

// Training of the words' shared space before anything else (MULE's LP).
struct PretrainSettings {
  std::int64_t epochs = 0;
  PretrainLoss loss = PretrainLoss::infonce;
};

// SCAN's, and what DAN's hops see.
struct AttentionSettings : CrossAttention {
  bool visual_layer = false;
};

// How a text branch learns from a teacher.
struct TeachingOptions {
  double contrast = 1.0;     // weight of the contrast between the lines of a batch
  double temperature = 0.2;  // of that contrast
  double squares = 1.0;      // weight of the squared distance from the teacher's vector
};

struct SystemOptions {
  SystemKind system = SystemKind::bag;
  std::int64_t dim = 512;
  Precision precision = Precision::fp32;  // what large products read
  TextSettings text;
  ImageSettings image;
  LossSettings loss;
  PretrainSettings pretrain;
  AttentionSettings attention;
  TeachingOptions teaching;
};

}  // namespace hinny
