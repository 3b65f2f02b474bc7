// A trained model: sentences and pictures' features to vectors.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hinny/export.h"

namespace hinny {
inline namespace v1 {

// Vectors as rows, [rows, dim], C order.
struct Vectors {
  std::vector<float> values;
  std::size_t rows = 0;
  std::size_t dim = 0;
};

// Opened, it does not change. Safe to share between threads; a call computes on several threads of
// its own. Only moved from, it may be destroyed or assigned to and nothing else.
class HINNY_API Model {
 public:
  // `path`: a run that `hinny train` wrote, what `hinny export` or `hinny bundle` (a folder or an
  // archive) wrote, or an index's encoder/. Throws NotFoundError, and InputError for a folder that
  // is broken.
  explicit Model(const std::string& path);
  ~Model();
  Model(Model&& other) noexcept;
  Model& operator=(Model&& other) noexcept;

  std::size_t dim() const;           // numbers in a vector
  std::size_t feature_size() const;  // numbers in a picture's features
  const std::vector<std::string>& languages() const;
  // Identifies the model by its content: vectors of one model compare with each other alone.
  const std::string& hash() const;

  // Sentences (UTF-8) -> [sentences, dim], each of length 1, as `hinny encode` has them; one of
  // which the model knows no word is whatever its encoder makes of nothing. `languages` has one
  // code for each sentence, or one for all, or none: each is guessed, as "" is. A model with an
  // image space for each language has no guess: what is compared there lies in one space, which
  // `languages` name. Throws InputError for a language that the model lacks, for none where such a
  // model needs one, and for broken UTF-8.
  Vectors encode(std::span<const std::string> sentences,
                 std::span<const std::string> languages = {}) const;
  // The language that each sentence's words tell.
  std::vector<std::string> guess_languages(std::span<const std::string> sentences) const;

  // Features as stored, [pictures, feature_size()] -> [pictures, dim], each of length 1, to be
  // compared with sentences in `language`; a model with one image space for all needs none. Throws
  // InputError for another size, for numbers that are not finite, for a language that the model
  // lacks, and for none where it has several spaces.
  Vectors encode_features(std::span<const float> features) const;
  Vectors encode_features(std::span<const float> features, const std::string& language) const;

 private:
  struct Inside;
  std::unique_ptr<const Inside> inside_;
};

}  // namespace v1
}  // namespace hinny
