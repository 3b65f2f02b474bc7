#include "index/asking/read_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "encoder/image_encoder.h"
#include "index/asking/engine.h"

namespace hinny {
namespace {

constexpr double kCancelled = 1e-4;  // length of a sum of unit vectors that says nothing any more

using Said = ReadPart::Said;

std::vector<const ReadPart*> sentences_of(std::span<const ReadPart> parts) {
  std::vector<const ReadPart*> sentences;
  for (const ReadPart& part : parts) {
    if (part.said() != nullptr) sentences.push_back(&part);
  }
  return sentences;
}

// What each sentence counts for. Where they are translations of each other and the model has learnt
// what each language counts for (CLC-C), that too.
std::vector<float> weights_of(const ModelConfig& config,
                              const std::vector<const ReadPart*>& sentences) {
  const auto translated = [](const ReadPart* part) {
    return !part->said()->given.language.empty();
  };
  const auto learnt = [&](const ReadPart* part) {
    return config.consistency.contains(part->said()->understood.language);
  };
  const bool consistent =
      std::ranges::any_of(sentences, translated) && std::ranges::all_of(sentences, learnt);
  std::vector<float> weights;
  for (const ReadPart* part : sentences) {
    weights.push_back(part->weight);
    if (!consistent) continue;
    weights.back() *= static_cast<float>(config.consistency.at(part->said()->understood.language));
  }
  return weights;
}

// The one space that all sentences are compared in; without any, the first.
std::string space_of(const Index& index, const std::vector<const ReadPart*>& sentences,
                     const std::string& language) {
  const Model& model = index.model();
  std::string space = language.empty() ? "" : model.text(language).space;
  for (const ReadPart* part : sentences) {
    const std::string& spoken = part->said()->understood.language;
    const std::string& own = model.text(spoken).space;
    if (!space.empty() && space != own) {
      throw RequestError(
          fmt::format("sentences in {} and {}, which this model compares with different image "
                      "vectors",
                      sentences.front()->said()->understood.language, spoken),
          "sentences in one language");
    }
    space = own;
  }
  return space.empty() ? index.contents().spaces.front() : space;
}

void to_unit_length(std::vector<float>& sum) {
  double squares = 0;
  for (const float x : sum) squares += static_cast<double>(x) * x;
  const double length = std::sqrt(squares);
  if (!(length > kCancelled)) {
    throw RequestError("the parts of the question cancel each other out",
                       "something to look for beside what to avoid");
  }
  for (float& x : sum) x = static_cast<float>(x / length);
}

void check_features(const Index& index, const std::vector<float>& features) {
  const std::size_t wanted = index.model().config().features.dim();
  const bool finite = std::ranges::all_of(features, [](float x) { return std::isfinite(x); });
  if (features.size() != wanted || !finite) {
    throw RequestError(fmt::format("a picture of {} features{}", features.size(),
                                   finite ? "" : ", some of them not finite"),
                       fmt::format("{} finite numbers", wanted));
  }
}

}  // namespace

ReadOne reading_with(TextEncoder& encoder) {
  return [&encoder](const Sentence& sentence) { return read_sentence(encoder, sentence); };
}

QuestionReader::QuestionReader(const Index& index, ReadOne read, const PictureReader* pictures,
                               const Engine* engine)
    : index_(index), read_(std::move(read)), pictures_(pictures), engine_(engine) {}

ReadPart QuestionReader::said(const Sentence& given, ReadSentence&& sentence, float weight) const {
  Understood understood{given.text, std::move(sentence.guess.language),
                        std::move(sentence.guess.equals), sentence.encoded.unknown_words,
                        sentence.encoded.guessed_words};
  return {Said{given, std::move(understood), std::move(sentence.encoded)}, weight};
}

ReadPart QuestionReader::part(const Question::Part& part, const std::string& language) const {
  const auto* sentence = std::get_if<Sentence>(&part.what);
  if (sentence == nullptr) return {picture(part), part.weight};
  const std::string& spoken = sentence->language.empty() ? language : sentence->language;
  if (!is_utf8(sentence->text)) throw RequestError("a query that is broken UTF-8", "UTF-8 text");
  const Sentence asked{spoken, sentence->text};
  ReadSentence read = read_(asked);
  check_known(index_.model(), asked, read.encoded);
  return said(*sentence, std::move(read), part.weight);
}

std::optional<ReadPart> QuestionReader::translation(const Sentence& sentence) const {
  ReadSentence read = read_(sentence);
  if (read.encoded.nothing_known()) return std::nullopt;
  return said(sentence, std::move(read), 1);
}

SeenPicture QuestionReader::picture(const Question::Part& part) const {
  if (const auto* indexed = std::get_if<Question::Indexed>(&part.what)) {
    if (engine_ != nullptr) return StoredVector{engine_->vector(indexed->image)};
    return position_of(index_, indexed->image);
  }
  std::vector<float> features;
  if (const auto* given = std::get_if<GivenPicture>(&part.what)) {
    if (pictures_ == nullptr) {
      throw RequestError("a picture to be read", "features, or an image's id");
    }
    if (index_.contents().encoders.empty()) {
      throw RequestError("the index does not know what makes a picture's features (" +
                             index_.contents().features + ")",
                         "an index made with hinny index --network FILE.onnx");
    }
    features = pictures_->features_of(*given);
  } else if (const auto* numbers = std::get_if<Question::Features>(&part.what)) {
    features = numbers->numbers;
  } else {
    throw RequestError("a sentence", "a picture");
  }
  check_features(index_, features);
  return features;
}

std::size_t position_of(const Index& index, const std::string& image) {
  if (const auto found = index.find(image)) return *found;
  throw UnknownImage(image);
}

std::vector<float> picture_vector(const Index& index, const SeenPicture& picture,
                                  const std::string& space) {
  if (const auto* image = std::get_if<std::size_t>(&picture)) return index.vector(*image, space);
  if (const auto* stored = std::get_if<StoredVector>(&picture)) {
    if (stored->numbers.size() == index.contents().dim) return stored->numbers;
    throw InputError(
        fmt::format("the database has {} numbers of a picture", stored->numbers.size()),
        fmt::format("{}, as the index that reads the question", index.contents().dim));
  }
  return ImageEncoder(index.model()).encode(std::get<std::vector<float>>(picture), space);
}

std::vector<float> picture_regions(const Index& index, const SeenPicture& picture,
                                   const std::string& space) {
  if (const auto* image = std::get_if<std::size_t>(&picture)) return index.regions_of(*image);
  const auto& features = std::get<std::vector<float>>(picture);
  return ImageEncoder(index.model()).encode_regions(features, space).items;
}

Query query_of(const Index& index, std::span<const ReadPart> parts, const std::string& language) {
  if (parts.empty()) throw RequestError("an empty question", "a sentence or a picture");
  const std::vector<const ReadPart*> sentences = sentences_of(parts);
  const std::vector<float> weights = weights_of(index.model().config(), sentences);
  // Hubs are known by how near sentences lie to them.
  Query query{
      index.contents().model, space_of(index, sentences, language), {}, !sentences.empty(), {}};
  const bool as_it_is = parts.size() == 1 && parts.front().weight == 1;
  const bool alone = index.regions() > 1 && sentences.size() == parts.size();
  auto sentence_weight = weights.begin();
  for (const ReadPart& part : parts) {
    const Said* said = part.said();
    const std::vector<float> vector =
        said != nullptr ? said->encoded.vector
                        : picture_vector(index, std::get<SeenPicture>(part.what), query.space);
    const float weight = said != nullptr ? *sentence_weight++ : part.weight;
    if (alone) query.sentences.push_back({said->encoded, weight});
    if (as_it_is) {  // to the last bit
      query.vector = vector;
      break;
    }
    query.vector.resize(vector.size());
    for (std::size_t i = 0; i < vector.size(); ++i) query.vector[i] += weight * vector[i];
  }
  if (!as_it_is) to_unit_length(query.vector);
  return query;
}

}  // namespace hinny
