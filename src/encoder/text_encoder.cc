#include "encoder/text_encoder.h"

#include <span>

#include "encoder/layers.h"
#include "encoder/sentence_encoder.h"

namespace hinny {
namespace {

std::vector<std::int32_t> ids_of(const std::vector<std::string>& words,
                                 const Vocabulary& vocabulary, const TextSpec& spec,
                                 EncodedText& result) {
  std::vector<std::int32_t> ids;
  const auto add = [&](std::int32_t id, const std::string& word) {
    ids.push_back(id);
    result.tokens.push_back(word);
  };
  if (spec.markers) add(kStart, "");
  for (const std::string& word : words) {
    const std::int32_t id = vocabulary.id(word);
    (id == kUnknown ? result.unknown_words : result.known_words).push_back(word);
    if (id != kUnknown || spec.unknown == UnknownWords::token) add(id, word);
  }
  if (ids.size() == (spec.markers ? 1U : 0U)) {  // no word left
    result.tokens = {""};
    return {kUnknown};
  }
  if (spec.markers) add(kEnd, "");
  return ids;
}

std::vector<float> look_up_all(const Model& model, const TextSpec& spec,
                               const std::vector<std::int32_t>& ids) {
  std::vector<float> vectors;
  vectors.reserve(ids.size() * spec.encoder.input);
  for (const std::int32_t id : ids) {
    const std::vector<float> word = model.word(spec, id);
    vectors.insert(vectors.end(), word.begin(), word.end());
  }
  return vectors;
}

std::vector<float> spell_all(const Model& model, const TextSpec& spec,
                             const std::vector<std::string>& words, EncodedText& result) {
  std::vector<float> vectors;
  bool known = false;
  for (const std::string& word : words) {
    const std::vector<float> vector = model.spelled(spec, word, known);
    (known ? result.known_words : result.unknown_words).push_back(word);
    result.tokens.push_back(word);
    vectors.insert(vectors.end(), vector.begin(), vector.end());
  }
  if (words.empty()) {  // as a caption without words
    vectors = model.spelled(spec, "", known);
    result.tokens = {""};
  }
  return vectors;
}

}  // namespace

Tokenizer& TextEncoder::tokenizer(const std::string& language) {
  const auto found = tokenizers_.find(language);
  if (found != tokenizers_.end()) return found->second;
  const ModelConfig& config = model_.config();
  return tokenizers_
      .try_emplace(language, language,
                   TokenizerOptions{config.given_tokens, config.max_words, config.stems})
      .first->second;
}

std::vector<std::string> TextEncoder::words(std::string_view text, const std::string& language) {
  return tokenizer(language).words(text);
}

EncodedText TextEncoder::encode(std::string_view text, const std::string& language) {
  const TextSpec& spec = model_.text(language);
  if (spec.encoder.kind == EncoderKind::given) model_.check_reads_words();
  EncodedText result;
  const std::vector<float> vectors =
      spec.characters.empty()
          ? look_up_all(model_, spec,
                        ids_of(words(text, language), model_.vocabulary(language), spec, result))
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
