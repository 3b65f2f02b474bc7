#include "server/embedder.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/request_error.h"
#include "base/threads.h"
#include "encoder/image_spaces.h"
#include "text/language_code.h"
#include "vision/thumbnail.h"

namespace hinny {
namespace {

constexpr std::string_view kLanguageField = "the field language";

// A file that every encoder can see.
PictureBytes grey_picture() {
  constexpr int kSide = 64;
  const Picture grey{kSide, kSide, std::vector<std::uint8_t>(3 * kSide * kSide, 128)};
  return {thumbnail_jpeg(grey, kSide)};
}

}  // namespace

Embedder::Embedder(const std::filesystem::path& folder,
                   const std::vector<std::filesystem::path>& networks)
    : model_(PictureModel::open(folder, networks)),
      encoders_(model_.model(), TextEncoder::Unknown::guess),
      image_encoder_(model_.model()),
      pictures_(open_picture_reader(config().features, model_.encoders())) {
  embed_pictures({grey_picture()}, config().image.begin()->first);
}

std::vector<Embedding> Embedder::embed(std::vector<EmbeddingInput> inputs,
                                       const std::string& language) const {
  const std::string& space = image_space(model_.model(), language, kLanguageField);
  std::vector<Embedding> embeddings(inputs.size());
  std::vector<std::size_t> sentences, places;  // of sentences, and of pictures
  std::vector<GivenPicture> pictures;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (auto* picture = std::get_if<PictureBytes>(&inputs[i])) {
      pictures.emplace_back(std::move(*picture));
      places.push_back(i);
    } else {
      sentences.push_back(i);
    }
  }
  parallel_blocks(sentences.size(), [&](std::size_t begin, std::size_t end) {
    const Encoders::Lease encoder(encoders_);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t place = sentences[i];
      embeddings[place] =
          embed_sentence(*encoder, {language, std::get<std::string>(inputs[place])});
    }
  });
  auto place = places.begin();
  for (std::vector<float>& vector : embed_pictures(pictures, space)) {
    embeddings[*place++].vector = std::move(vector);
  }
  return embeddings;
}

std::string Embedder::guessed_language(const std::string& sentence,
                                       const std::string& likely) const {
  if (config().image.size() > 1) return likely;
  const Encoders::Lease encoder(encoders_);
  const LanguageGuess guess = guess_language(*encoder, sentence);
  const auto meant = find_language(config().languages, likely);
  return meant && std::ranges::find(guess.equals, *meant) != guess.equals.end() ? *meant
                                                                                : guess.language;
}

Embedding Embedder::embed_sentence(TextEncoder& encoder, const Sentence& sentence) const {
  EncodedText encoded = read_sentence(encoder, sentence).encoded;
  check_known(model_.model(), sentence, encoded);
  return {std::move(encoded.vector),
          encoded.known_words.size() + encoded.unknown_words.size() + encoded.guessed_words.size()};
}

std::vector<std::vector<float>> Embedder::embed_pictures(const std::vector<GivenPicture>& pictures,
                                                         const std::string& space) const {
  if (pictures.empty()) return {};
  std::vector<float> rows;
  for (const std::vector<float>& features : pictures_->features_of_each(pictures)) {
    if (!std::ranges::all_of(features, [](float x) { return std::isfinite(x); })) {
      throw RequestError("a picture whose features are not finite", "another picture");
    }
    rows.insert(rows.end(), features.begin(), features.end());
  }
  const std::vector<float> encoded = image_encoder_.encode(rows, space);
  const std::size_t dim = config().dim;
  std::vector<std::vector<float>> vectors;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const auto row = std::span(encoded).subspan(i * dim, dim);
    vectors.emplace_back(row.begin(), row.end());
  }
  return vectors;
}

}  // namespace hinny
