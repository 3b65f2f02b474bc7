// A model without a collection: sentences and pictures -> vectors that compare with each other.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "encoder/encoders.h"
#include "encoder/image_encoder.h"
#include "encoder/read_sentences.h"
#include "index/bundle/bundle.h"
#include "server/embedding_request.h"
#include "vision/picture_reader.h"

namespace hinny {

// Safe to share between threads. A call encodes its sentences on thread_count() threads; pictures
// that several calls bring at the same time go through the networks together.
class Embedder {
 public:
  // `folder` is a bundle, or a run folder with `networks` for its features; it must stay. Opens all
  // of it and sees a picture of its own. Throws as PictureModel::open and open_encoders.
  Embedder(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& networks);

  const ModelConfig& config() const { return model_.model().config(); }
  // Of all that makes vectors (PictureModel::hash): those of one hash compare with each other.
  const std::string& hash() const { return hash_; }

  // The language of a sentence: of those that fit equally well the one that `likely` is a code of,
  // if it is one of them. A model that needs to be told is told `likely`.
  std::string guessed_language(const std::string& sentence, const std::string& likely) const;

  // A vector of length 1 for each, in order. `language` is that of the sentences, "" to guess each
  // one's; a model with an image space for each language needs it, for pictures too. Throws
  // RequestError for a language that the model lacks, a sentence of words that it does not know,
  // and what is no picture; DecodingBusy.
  std::vector<Embedding> embed(std::vector<EmbeddingInput> inputs,
                               const std::string& language) const;

 private:
  Embedding embed_sentence(TextEncoder& encoder, const Sentence& sentence) const;
  std::vector<std::vector<float>> embed_pictures(const std::vector<GivenPicture>& pictures,
                                                 const std::string& space) const;
  PictureModel model_;
  std::string hash_ = model_.hash();
  Encoders encoders_;
  ImageEncoder image_encoder_;
  std::unique_ptr<const PictureReader> pictures_;
};

}  // namespace hinny
