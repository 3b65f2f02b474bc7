#include "encoder/translation_decoder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "encoder/gates.h"
#include "encoder/matrix.h"
#include "encoder/sentence_encoder.h"

namespace hinny {
namespace {

EncoderSpec encoder_of(const TranslationSizes& sizes) {
  EncoderSpec spec;
  spec.kind = EncoderKind::lstm;
  spec.prefix = "encoder";
  spec.input = sizes.embedding;
  spec.hidden = sizes.hidden / 2;
  spec.bidirectional = true;
  return spec;
}

EncoderSpec decoder_of(const TranslationSizes& sizes) {
  EncoderSpec spec;
  spec.kind = EncoderKind::lstm;
  spec.prefix = "decoder";
  spec.input = sizes.embedding;
  spec.hidden = sizes.hidden;
  return spec;
}

// rows x weight^T + bias
std::vector<float> product(const Weights& weights, const std::string& weight,
                           const std::string& bias, std::span<const float> rows) {
  const Matrix matrix = weights.matrix(weight);
  const std::size_t count = rows.size() / matrix.columns;
  std::vector<float> result(count * matrix.rows);
  multiply(matrix, rows.data(), count, result.data());
  if (bias.empty()) return result;
  const auto numbers = weights.numbers(bias);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] += numbers[i % numbers.size()];
  return result;
}

void squash(std::vector<float>& rows) {
  for (float& number : rows) number = std::tanh(number);
}

void log_softmax(std::span<float> row) {
  const float most = *std::ranges::max_element(row);
  double sum = 0;
  for (const float number : row) sum += std::exp(static_cast<double>(number - most));
  const float shift = most + static_cast<float>(std::log(sum));
  for (float& number : row) number -= shift;
}

}  // namespace

TranslationDecoder::TranslationDecoder(const Weights& weights, const TranslationSizes& sizes)
    : weights_(weights), sizes_(sizes) {
  const std::size_t hidden = sizes.hidden, size = sizes.embedding;
  weights.check("words", {sizes.vocabulary, size});
  weights.check("bias", {sizes.vocabulary});
  check_sentence_encoder(weights, encoder_of(sizes));
  check_sentence_encoder(weights, decoder_of(sizes));
  weights.check("attention.weight", {hidden, hidden});
  weights.check("bridge.weight", {size, hidden});
  weights.check("bridge.bias", {size});
  weights.check("combine.weight", {size, 2 * hidden});
  weights.check("combine.bias", {size});
}

std::vector<float> TranslationDecoder::words(std::span<const std::int32_t> ids) const {
  const std::size_t size = sizes_.embedding;
  std::vector<float> rows(ids.size() * size);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    weights_.row("words", static_cast<std::size_t>(ids[i]),
                 std::span(rows).subspan(i * size, size));
  }
  const float scale = std::sqrt(static_cast<float>(size));
  for (float& number : rows) number *= scale;
  return rows;
}

TranslationDecoder::Source TranslationDecoder::encode(std::span<const std::int32_t> ids) const {
  const std::size_t half = sizes_.hidden / 2;
  Source source;
  source.states = encode_words(weights_, encoder_of(sizes_), words(ids));
  // What each direction knows at its end.
  std::vector<float> last(source.states.end() - static_cast<std::ptrdiff_t>(sizes_.hidden),
                          source.states.end() - static_cast<std::ptrdiff_t>(half));
  last.insert(last.end(), source.states.begin() + static_cast<std::ptrdiff_t>(half),
              source.states.begin() + static_cast<std::ptrdiff_t>(sizes_.hidden));
  source.start = product(weights_, "bridge.weight", "bridge.bias", last);
  squash(source.start);
  return source;
}

TranslationDecoder::States TranslationDecoder::step(std::span<const float> inputs,
                                                    States states) const {
  const std::size_t hidden = sizes_.hidden, width = 4 * hidden;
  const auto from_words = product(weights_, "decoder.weight_ih_l0", "decoder.bias_ih_l0", inputs);
  const auto from_states =
      product(weights_, "decoder.weight_hh_l0", "decoder.bias_hh_l0", states.hidden);
  for (std::size_t row = 0; row < states.hidden.size() / hidden; ++row) {
    lstm_step(from_words.data() + row * width, from_states.data() + row * width, hidden,
              states.hidden.data() + row * hidden, states.cell.data() + row * hidden);
  }
  return states;
}

TranslationDecoder::States TranslationDecoder::start(const Source& source) const {
  return step(source.start, {std::vector<float>(sizes_.hidden), std::vector<float>(sizes_.hidden)});
}

TranslationDecoder::States TranslationDecoder::advance(
    const States& states, std::span<const std::size_t> rows,
    std::span<const std::int32_t> words_after) const {
  States before;
  const auto copy = [&](const std::vector<float>& from, std::vector<float>& to) {
    for (const std::size_t row : rows) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * sizes_.hidden);
      to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(sizes_.hidden));
    }
  };
  copy(states.hidden, before.hidden);
  copy(states.cell, before.cell);
  return step(words(words_after), std::move(before));
}

std::vector<float> TranslationDecoder::attend(const Source& source, const States& states,
                                              std::vector<std::int64_t>& attended) const {
  const std::size_t hidden = sizes_.hidden;
  const std::size_t length = source.states.size() / hidden;
  const auto asked = product(weights_, "attention.weight", "", states.hidden);
  const Matrix sources{TensorType::float32,
                       reinterpret_cast<const std::byte*>(source.states.data()),
                       length,
                       hidden,
                       {}};
  const std::size_t rows = asked.size() / hidden;
  std::vector<float> scores(rows * length), contexts(rows * hidden);
  multiply(sources, asked.data(), rows, scores.data());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto weights = std::span(scores).subspan(row * length, length);
    attended.push_back(std::ranges::max_element(weights) - weights.begin());
    log_softmax(weights);
    for (std::size_t word = 0; word < length; ++word) {
      const float weight = std::exp(weights[word]);
      for (std::size_t i = 0; i < hidden; ++i) {
        contexts[row * hidden + i] += weight * source.states[word * hidden + i];
      }
    }
  }
  return contexts;
}

TranslationDecoder::Prediction TranslationDecoder::predict(const Source& source,
                                                           const States& states) const {
  const std::size_t hidden = sizes_.hidden, rows = states.hidden.size() / hidden;
  Prediction result;
  const std::vector<float> contexts = attend(source, states, result.attended);
  std::vector<float> both;
  for (std::size_t row = 0; row < rows; ++row) {
    for (const std::vector<float>* part : {&contexts, &states.hidden}) {
      const auto begin = part->begin() + static_cast<std::ptrdiff_t>(row * hidden);
      both.insert(both.end(), begin, begin + static_cast<std::ptrdiff_t>(hidden));
    }
  }
  std::vector<float> combined = product(weights_, "combine.weight", "combine.bias", both);
  squash(combined);
  result.log_probabilities = product(weights_, "words", "bias", combined);
  for (std::size_t row = 0; row < rows; ++row) {
    log_softmax(
        std::span(result.log_probabilities).subspan(row * sizes_.vocabulary, sizes_.vocabulary));
  }
  return result;
}

}  // namespace hinny
