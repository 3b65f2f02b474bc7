// Hubness: some pictures lie near every sentence, some sentences near every picture, and so answer
// too many questions. A bank of training captions and pictures tells how near each lies to all, and
// a part of that is taken off its scores. After CSLS (Conneau et al. 2018) and query-bank
// normalisation (Bogolin et al. 2022).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/safetensors.h"
#include "retrieval/fit.h"
#include "retrieval/vector_rows.h"

namespace hinny {

// Vectors of training captions and pictures, in each space that a model compares in. Of a model
// that compares words with regions they are those.
struct HubBank {
  struct Space {
    std::vector<float> captions, images;  // [any number, dim] each, not empty
    std::vector<std::int64_t> lengths{};  // words of each caption; none: each row is a caption
    std::size_t regions = 1;              // rows of a picture
  };
  std::size_t dim = 0;
  double temperature = 0.05;
  double weight = 0.5;
  std::map<std::string, Space> spaces;
  // What scores beside those of the images say; without it a model has what others have.
  std::optional<FitCurve> fit{};
};

// hubs.safetensors: docs/formats/model.md. Throws InputError for a file that is broken, or holds
// vectors of another size than `dim` or numbers that are not finite.
HubBank read_hubs(const std::filesystem::path& file, std::size_t dim);
// Of such a file what a fit needs (retrieval/fit.h): the pictures, mapped, so that opening it costs
// nothing, and a question the pages of one space's pictures. Immutable; cheap to move.
class KnownPictures {
 public:
  // Throws InputError for a file that is broken; of one of words and regions, or of vectors of
  // another size, when it is asked.
  KnownPictures(const std::filesystem::path& file, std::size_t dim);
  Fit fit(const std::string& space, std::span<const float> question) const;

 private:
  std::filesystem::path path_;
  SafetensorsFile file_;
  std::size_t dim_;
  FitCurve curve_;
};

// Vectors are kept as float16.
void write_hubs(const std::filesystem::path& file, const HubBank& bank);

// What is to be added to the scores of something that scores so with what is remembered:
// -weight * t * log mean exp(score / t), with t the temperature. `scores` is not empty and is
// overwritten.
float hub_penalty(const HubBank& bank, std::span<float> scores);

// The same of vectors: what is to be added to each row's scores: -weight * t * log mean exp(row .
// remembered / t) over the remembered vectors [any number, dim], with t the temperature. For a
// picture these are captions, for a caption pictures. Uses thread_count() threads; memory stays
// below 16 MB beyond the result.
std::vector<float> hub_penalties(const HubBank& bank, std::span<const float> remembered,
                                 const VectorRows& rows);

}  // namespace hinny
