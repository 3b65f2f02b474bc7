#include "encoder/text_encoder.h"

#include <algorithm>
#include <span>

#include "encoder/layers.h"
#include "encoder/sentence_encoder.h"

namespace hinny {
namespace {

std::vector<float> spell_all(const Model& model, const TextSpec& spec,
                             const std::vector<ReadWord>& words, EncodedText& result) {
  std::vector<float> vectors;
  bool known = false;
  for (const ReadWord& one : words) {
    const std::vector<float> vector = model.spelled(spec, one.word, known);
    (known ? result.known_words : result.unknown_words).push_back(known ? one.word : one.typed);
    result.tokens.push_back(one.word);
    vectors.insert(vectors.end(), vector.begin(), vector.end());
  }
  if (words.empty()) {  // as a caption without words
    vectors = model.spelled(spec, "", known);
    result.tokens = {""};
  }
  return vectors;
}

std::vector<std::string> between_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r\f\v";
  std::vector<std::string> words;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (text.empty()) return words;
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

// A word that is read: the vocabulary's, or those that it is like.
struct TextEncoder::Place {
  std::int32_t id = kUnknown;
  std::vector<WordParts::Alike> alike{};
};

std::vector<TextEncoder::Place> TextEncoder::places_of(const std::vector<ReadWord>& words,
                                                       const std::string& language,
                                                       EncodedText& result) const {
  const TextSpec& spec = model_.text(language);
  const Vocabulary& vocabulary = model_.vocabulary(language);
  std::vector<Place> places;
  const auto add = [&](Place place, const std::string& word) {
    places.push_back(std::move(place));
    result.tokens.push_back(word);
  };
  if (spec.markers) add({kStart}, "");
  for (const auto& [word, typed, id, exact] : words) {
    Place place{id};
    if (id == kUnknown && unknown_ == Unknown::guess) {
      place.alike = model_.parts(language).alike(word);
    }
    if (!place.alike.empty()) {
      EncodedText::Guess guess{typed, {}};
      for (const auto& one : place.alike) guess.like.push_back(vocabulary.word(one.id));
      result.guessed_words.push_back(std::move(guess));
    } else {
      (id == kUnknown ? result.unknown_words : result.known_words)
          .push_back(id == kUnknown ? typed : word);
      if (id == kUnknown && spec.unknown != UnknownWords::token) continue;
    }
    add(std::move(place), word);
  }
  if (places.size() == (spec.markers ? 1U : 0U)) {  // no word left
    result.tokens = {""};
    return {Place{}};
  }
  if (spec.markers) add({kEnd}, "");
  return places;
}

std::vector<float> TextEncoder::look_up_all(const TextSpec& spec,
                                            const std::vector<Place>& places) const {
  std::vector<float> vectors;
  vectors.reserve(places.size() * spec.encoder.input);
  for (const Place& place : places) {
    if (place.alike.empty()) {
      const std::vector<float> word = model_.word(spec, place.id);
      vectors.insert(vectors.end(), word.begin(), word.end());
      continue;
    }
    std::vector<float> sum(spec.encoder.input);
    for (const auto& [id, share] : place.alike) {
      const std::vector<float> word = model_.word(spec, id);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share * word[i];
    }
    vectors.insert(vectors.end(), sum.begin(), sum.end());
  }
  return vectors;
}

WordReader& TextEncoder::reader(const std::string& language) {
  const auto found = readers_.find(language);
  if (found != readers_.end()) return found->second;
  const ModelConfig& config = model_.config();
  const std::string& own = model_.language(language);
  return readers_
      .try_emplace(
          language, own, TokenizerOptions{config.given_tokens, config.max_words, config.stems},
          model_.vocabulary(own),
          [&model = model_, &own]() -> const PlainWords& { return model.plain_words(own); })
      .first->second;
}

std::vector<ReadWord> TextEncoder::words(std::string_view text, const std::string& language) {
  if (model_.tower() != nullptr) {
    std::vector<ReadWord> words;
    for (const std::string& word : between_blanks(text)) words.push_back({word, word, kFirstWord});
    return words;
  }
  return reader(language).read(text);
}

EncodedText TextEncoder::read_by_tower(std::string_view text, const TextSpec& spec) const {
  const TextTower& tower = *model_.tower();
  const SubwordTokenizer& tokenizer = model_.tokenizer();
  const std::vector<std::int32_t> ids = tokenizer.ids(text, tower.spec().positions);
  EncodedText result;
  // Marks alone say nothing.
  if (ids.size() > tokenizer.marks()) {
    result.known_words = between_blanks(text);
  }
  result.vector =
      apply_layers(model_.weights(), spec.layers, tower.run(ids, tokenizer.padding()), 1);
  return result;
}

EncodedText TextEncoder::encode(std::string_view text, const std::string& language) {
  const TextSpec& spec = model_.text(language);
  if (model_.tower() != nullptr) return read_by_tower(text, spec);
  if (spec.encoder.kind == EncoderKind::given) model_.check_reads_words();
  EncodedText result;
  const std::vector<float> vectors =
      spec.characters.empty()
          ? look_up_all(spec, places_of(words(text, language), language, result))
          : spell_all(model_, spec, words(text, language), result);
  std::vector<float> rows = encode_sentence(model_.weights(), spec.encoder, vectors);
  const std::size_t count = rows.size() / spec.encoder.output();
  PooledItems pooled;
  result.vector =
      apply_layers(model_.weights(), spec.layers, std::move(rows), count, count, &pooled);
  if (spec.encoder.every_word) {
    result.items = std::move(pooled.items);
    result.attention = std::move(pooled.attention);
  } else {
    result.tokens.clear();
  }
  return result;
}

}  // namespace hinny
