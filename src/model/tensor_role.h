// What a tensor is to a model that retrieves. Modules say it where they register theirs
// (nn/module_with_roles.h); counts, files and learning rates ask for it.
#pragma once

#include <string_view>

namespace hinny {

enum class TensorPart {
  words,     // a vector for each word
  spelling,  // what makes a word's vector of its characters
  space,     // from words into a space that languages share
  latent,    // tokens that words share
  sentence,  // from words to a sentence
  image,
  loss
};

struct TensorRole {
  TensorPart part;
  // The model's file leaves it out; a checkpoint does not.
  bool for_training_only = false;

  bool operator==(const TensorRole&) const = default;
};

// Of what only a loss needs.
inline constexpr TensorRole kLossRole{TensorPart::loss, /*for_training_only=*/true};

// Whether a sentence that is asked needs the tensor.
constexpr bool of_query(const TensorRole& role) {
  return !role.for_training_only && role.part != TensorPart::image && role.part != TensorPart::loss;
}

// Under which of `parameters.parts` of config.json it is counted.
constexpr std::string_view counted_as(TensorPart part) {
  switch (part) {
    case TensorPart::words:
    case TensorPart::spelling:
      return "words";
    case TensorPart::space:
      return "space";
    case TensorPart::latent:
      return "latent";
    case TensorPart::sentence:
      return "sentence";
    case TensorPart::image:
      return "image";
    case TensorPart::loss:
      break;
  }
  return "other";
}

}  // namespace hinny
