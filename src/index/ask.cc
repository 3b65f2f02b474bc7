#include "index/ask.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "encoder/image_encoder.h"
#include "encoder/language.h"

namespace hinny {
namespace {

constexpr double kCancelled = 1e-4;  // length of a sum of unit vectors that says nothing any more

struct Sentence {
  Understood understood;
  std::vector<float> vector;
};

Sentence read(TextEncoder& encoder, const std::string& text, const std::string& language) {
  if (!is_utf8(text)) throw InputError("a query that is broken UTF-8", "UTF-8 text");
  const LanguageGuess guess =
      language.empty() ? guess_language(encoder, text) : LanguageGuess{language, {}};
  EncodedText encoded = encoder.encode(text, guess.language);
  if (encoded.nothing_known()) {
    const auto& all = encoder.model().config().languages;
    throw InputError(
        fmt::format("the model knows no word of '{}'", text),
        fmt::format("words of its training captions in {}",
                    language.empty() ? fmt::format("{}", fmt::join(all, ", ")) : language));
  }
  return {{text, guess.language, guess.equals, std::move(encoded.unknown_words)},
          std::move(encoded.vector)};
}

// The one space that all sentences are compared in; without any, the first.
std::string space_of(const Index& index, const std::vector<Understood>& texts,
                     const std::string& language) {
  const Model& model = index.model();
  std::string space = language.empty() ? "" : model.text(language).space;
  for (const Understood& text : texts) {
    const std::string& own = model.text(text.language).space;
    if (!space.empty() && space != own) {
      throw InputError(
          fmt::format("sentences in {} and {}, which this model compares with different image "
                      "vectors",
                      texts.front().language, text.language),
          "sentences in one language");
    }
    space = own;
  }
  return space.empty() ? index.contents().spaces.front() : space;
}

std::vector<float> encode_features(const Index& index, const std::vector<float>& features,
                                   const std::string& space) {
  const std::size_t wanted = index.model().config().features.dim();
  const bool finite = std::ranges::all_of(features, [](float x) { return std::isfinite(x); });
  if (features.size() != wanted || !finite) {
    throw InputError(fmt::format("a picture of {} features{}", features.size(),
                                 finite ? "" : ", some of them not finite"),
                     fmt::format("{} finite numbers", wanted));
  }
  return ImageEncoder(index.model()).encode(features, space);
}

void to_unit_length(std::vector<float>& sum) {
  double squares = 0;
  for (const float x : sum) squares += static_cast<double>(x) * x;
  const double length = std::sqrt(squares);
  if (!(length > kCancelled)) {
    throw InputError("the parts of the question cancel each other out",
                     "something to look for beside what to avoid");
  }
  for (float& x : sum) x = static_cast<float>(x / length);
}

}  // namespace

std::vector<float> picture_vector(const Index& index, const Question::Part& part,
                                  const std::string& space) {
  return part.image ? index.vector(*part.image, space)
                    : encode_features(index, part.features, space);
}

Query understand(const Index& index, TextEncoder& encoder, const Question& question,
                 std::vector<Understood>& texts) {
  if (question.parts.empty()) throw InputError("an empty question", "a sentence or a picture");
  std::vector<std::vector<float>> sentences;
  for (const Question::Part& part : question.parts) {
    if (part.image || !part.features.empty()) continue;
    Sentence sentence = read(encoder, part.text, question.language);
    texts.push_back(std::move(sentence.understood));
    sentences.push_back(std::move(sentence.vector));
  }
  Query query{index.contents().model, space_of(index, texts, question.language), {}};
  auto sentence = sentences.begin();
  for (const Question::Part& part : question.parts) {
    std::vector<float> vector;
    if (part.image || !part.features.empty()) {
      vector = picture_vector(index, part, query.space);
    } else {
      vector = std::move(*sentence++);
    }
    if (question.parts.size() == 1 && part.weight == 1) {  // as it is, to the last bit
      query.vector = std::move(vector);
      return query;
    }
    query.vector.resize(vector.size());
    for (std::size_t i = 0; i < vector.size(); ++i) query.vector[i] += part.weight * vector[i];
  }
  to_unit_length(query.vector);
  return query;
}

Answer ask(const Index& index, TextEncoder& encoder, const Question& question) {
  Answer answer;
  const Query query = understand(index, encoder, question, answer.texts);
  std::vector<std::size_t> known;  // no news to whoever asks with them
  for (const Question::Part& part : question.parts) {
    if (part.image) known.push_back(*part.image);
  }
  const std::size_t k = std::min(question.k, index.size());
  answer.hits = index.search(query, k + known.size());
  std::erase_if(answer.hits, [&](const Hit& hit) {
    return static_cast<double>(hit.score) < question.min_score ||
           std::ranges::find(known, hit.image) != known.end();
  });
  answer.hits.resize(std::min(answer.hits.size(), k));
  return answer;
}

}  // namespace hinny
