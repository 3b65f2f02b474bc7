// A split's captions against its images, as the experiment's system compares them.
#pragma once

#include <string>
#include <vector>

#include "retrieval/folds.h"
#include "retrieval/query_ranks.h"
#include "retrieval/recall.h"
#include "training/evaluation/encode_split.h"

namespace hinny {

// Languages are positions in the dataset. `progress` may be null.
class SplitScorer {
 public:
  // The split's images that have features. Leaves the system in evaluation mode. The experiment
  // must outlive it.
  SplitScorer(Experiment& experiment, const std::string& split);

  const std::string& split() const { return split_; }
  const std::vector<int>& images() const { return images_; }
  // The dataset's, without those that it is silent in.
  std::vector<std::size_t> languages() const;
  // Throws InputError when there is none.
  SplitCaptions captions(std::size_t language) const;
  // Throws InputError unless both have features of the same images.
  void check_same_images(const SplitScorer& other) const;
  // What comparing the images with so many captions adds to a Progress.
  std::uint64_t work(std::size_t captions) const;

  // Of a system that has vectors: [images, dim], in the space that the language is compared in,
  // and [captions, dim]. Images are encoded once for each space. Where the experiment remembers
  // hubs, two more numbers each, so that their products are corrected scores.
  const torch::Tensor& image_vectors(std::size_t language, Progress* progress);
  torch::Tensor caption_vectors(std::size_t language, std::span<const int> captions,
                                Progress* progress);
  // Of those rows the vectors alone.
  torch::Tensor without_hubs(const torch::Tensor& rows) const;
  // Of any system; the second of a fold's images and captions alone.
  ScoreMatrix scores(std::size_t language, std::span<const int> captions, Progress* progress);
  ScoreMatrix scores(std::size_t language, const SplitCaptions& captions, const Fold& fold,
                     Progress* progress);
  QueryRanks ranks(std::size_t language, const SplitCaptions& captions, Progress* progress);

  // An empty table of the split: its images, the system's parameters.
  RecallTable table() const;
  // Adds the language's row.
  void add_row(RecallTable& table, LanguageRecall recall, std::size_t language) const;

 private:
  // Of the images [begin, end).
  ScoreMatrix compare(std::size_t language, std::size_t begin, std::size_t end,
                      std::span<const int> captions, Progress* progress);
  torch::Tensor corrected(const torch::Tensor& vectors, std::size_t language, bool of_images) const;

  Experiment& e_;
  std::string split_;
  std::vector<int> images_;
  std::vector<torch::Tensor> image_vectors_;  // by language, or the one for all
};

}  // namespace hinny
