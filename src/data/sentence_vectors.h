// Vectors of whole captions, made by another program (a BERT, say): sentences/NAME.npy of a dataset
// folder, docs/formats/dataset.md.
#pragma once

#include <span>
#include <string>

#include "base/npy.h"
#include "data/dataset.h"

namespace hinny {

// [captions, dim], a row for each caption of captions.jsonl in the file's order, of every language.
// Memory-mapped; safe to read from several threads.
class SentenceVectors {
 public:
  // Throws InputError when there is no such file (with the names that there are), when its rows are
  // not as many as the dataset's captions, or when one holds a NaN or an infinity. `dataset` is
  // not needed afterwards.
  static SentenceVectors open(const Dataset& dataset, const std::string& name);

  std::int64_t dim() const { return array_.row_size(); }
  // Copies the vectors of captions, given by Caption::place, into out [places, dim].
  void gather(std::span<const int> places, std::span<float> out) const;

 private:
  explicit SentenceVectors(NpyArray array) : array_(std::move(array)) {}
  NpyArray array_;
};

}  // namespace hinny
