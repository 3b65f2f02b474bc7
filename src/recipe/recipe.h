// A recipe: every setting of a training, as plain data. What each does, and in which systems:
// recipe/keys.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "data/sampler.h"
#include "recipe/system_options.h"

namespace hinny {

struct AboutSettings {
  std::string summary;
  std::string paper;
  std::string cost;
  std::string features;  // a tuned recipe: the features that it was tuned on
};

// Which of the training split's captions are used.
struct DataSettings {
  std::vector<std::string> sources;  // empty: all
  std::map<std::string, std::vector<std::string>> sources_by_language;
  std::string parallel;  // PREFIX of line-aligned files: only captions that translate each other
  double images = 1.0;   // share of the images
  std::int64_t captions = 0;       // per image and language, drawn at random; 0: all
  Overlap overlap = Overlap::all;  // none: every image speaks one language
};

// Parallel sentences: the same in several languages, without pictures, learnt beside the captions.
struct ParallelSettings {
  std::string data;          // a dataset folder; empty: none. `--parallel` overrides
  std::string pivot = "en";  // the language whose vectors the others' learn to reach
  double weight = 1.0;       // of a parallel sentence beside a caption
  std::int64_t lines = 512;  // in a batch
  double temperature = 0.05;
};

// Another model's vectors of sentences, which a text branch learns to reach.
struct TeacherSettings {
  std::string vectors;          // FILE.npy, with its sentences in FILE.txt. `--teacher` overrides
  std::string language = "en";  // of these sentences
};

// What a model remembers of its training, to tell hubs (retrieval/hubs.h).
struct HubSettings {
  std::int64_t size = 0;  // captions, and as many pictures; 0: hubs are not corrected
  double weight = 0.8;
  double temperature = 0.08;
};

// How a re-ranking model joins the model whose best it re-ranks (training/evaluation/reranking.h).
struct RerankSettings {
  double weight = 1;  // of its scores beside that model's
};

struct SampleSettings {
  SampleBy by = SampleBy::images;
  std::int64_t images_per_batch = 512;
  std::int64_t captions_per_image = 1;
  std::map<std::string, std::int64_t> captions_by_language;
  double caption_pairs = 0;  // share of batches that hold pairs of captions
  Replacement replacement = Replacement::fill;
  EpochOf epoch = EpochOf::images;
  std::vector<std::vector<std::string>> groups;
};

struct TrainSettings {
  std::int64_t epochs = 20;
  std::int64_t batches = 0;                // instead of epochs; 0: epochs
  std::vector<std::int64_t> more_epochs;   // after those, each time that more were asked for
  Optimiser optimiser = Optimiser::adamw;  // adam: weight decay as part of the gradient
  double learning_rate = 1e-3;
  double weight_decay = 0.0;
  Schedule schedule = Schedule::constant;
  double decay = 0.1;  // exponential: factor per epoch; step: factor per step
  std::int64_t step_epochs = 15;
  std::int64_t warmup_steps = 0;
  double clip_norm = 0.0;           // 0: no clipping
  double average = 0.0;             // decay of the weights' average per batch; 0: none
  double keep = 0.7;                // share of a trained model that goes on learning elsewhere
  std::int64_t validate_every = 0;  // steps; 0: after each epoch
  std::int64_t patience = 0;        // validations without a better mR; 0: run to the end
  std::string best_by;              // language whose mR chooses the best model; empty: the mean
  std::int64_t log_every = 20;      // steps per line of metrics.jsonl
  std::int64_t seed = 1;
};

// Translation of captions (systems nmt and mmt).
struct TranslationSettings {
  std::vector<std::string> directions;  // "en-de"; empty: every pair of the languages
  std::int64_t merges = 5000;
  std::int64_t embedding = 256;
  std::int64_t hidden = 512;
  std::int64_t decoder_layers = 1;
  double dropout = 0.3;
  double smoothing = 0.1;
  std::int64_t batch_words = 2000;
  std::int64_t max_words = 100;
};

// Where a key was set, and how late: what is set later counts.
struct Origin {
  std::string where;  // "mine.toml:3", "--set loss.margin=0.1"
  int layer = 0;      // rises from the deepest base to the file to the command line
};

struct Recipe {
  std::vector<std::string> languages;  // empty: all of the dataset
  AboutSettings about;
  SystemOptions model;
  DataSettings data;
  ParallelSettings parallel;
  TeacherSettings teacher;
  HubSettings hubs;
  RerankSettings rerank;
  SampleSettings sample;
  TranslationSettings translation;
  TrainSettings train;

  // The keys that were set, for messages: "loss.margin" -> where. No part of what a recipe means.
  std::map<std::string, Origin, std::less<>> origins;
};

}  // namespace hinny
