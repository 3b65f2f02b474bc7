#include "encoder/translation_decoder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "encoder/gates.h"
#include "encoder/sentence_encoder.h"
#include "tensors/matrix.h"

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

EncoderSpec decoder_of(const TranslationSizes& sizes, const char* prefix, std::size_t hidden) {
  EncoderSpec spec;
  spec.kind = EncoderKind::lstm;
  spec.prefix = prefix;
  spec.input = sizes.embedding;
  spec.hidden = hidden;
  return spec;
}

// rows x weight^T + bias
std::vector<float> product(const Weights& weights, const std::string& weight,
                           const std::string& bias, std::span<const float> rows) {
  const Matrix matrix = weights.matrix(weight);
  const std::size_t count = rows.size() / matrix.columns;
  std::vector<float> result(count * matrix.rows);
  multiply_coarsely(matrix, rows.data(), count, result.data());
  if (bias.empty()) return result;
  const auto numbers = weights.numbers(bias);
  for (std::size_t row = 0; row < count; ++row) {
    add_each(numbers.data(), matrix.rows, result.data() + row * matrix.rows);
  }
  return result;
}

// One word for all rows of the LSTM `name`.
void advance_lstm(const Weights& weights, const std::string& name, std::span<const float> inputs,
                  std::size_t hidden, TranslationDecoder::Lstm& state) {
  const std::size_t width = 4 * hidden;
  const auto from_inputs = product(weights, name + ".weight_ih_l0", name + ".bias_ih_l0", inputs);
  const auto from_states =
      product(weights, name + ".weight_hh_l0", name + ".bias_hh_l0", state.hidden);
  for (std::size_t row = 0; row < state.hidden.size() / hidden; ++row) {
    lstm_step(from_inputs.data() + row * width, from_states.data() + row * width, hidden,
              state.hidden.data() + row * hidden, state.cell.data() + row * hidden);
  }
}

TranslationDecoder::Lstm rows_of(const TranslationDecoder::Lstm& state, std::size_t size,
                                 std::span<const std::size_t> rows) {
  TranslationDecoder::Lstm result;
  const auto copy = [&](const std::vector<float>& from, std::vector<float>& to) {
    for (const std::size_t row : rows) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(row * size);
      to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(size));
    }
  };
  copy(state.hidden, result.hidden);
  copy(state.cell, result.cell);
  return result;
}

}  // namespace

TranslationDecoder::TranslationDecoder(const Weights& weights, const TranslationSizes& sizes)
    : weights_(weights), sizes_(sizes) {
  const std::size_t hidden = sizes.hidden, size = sizes.embedding;
  weights.check("words", {sizes.vocabulary, size});
  weights.check("bias", {sizes.vocabulary});
  check_sentence_encoder(weights, encoder_of(sizes));
  check_sentence_encoder(weights, decoder_of(sizes, "decoder", hidden));
  if (sizes.decoder_layers > 1) {
    check_sentence_encoder(weights, decoder_of(sizes, "second", size));
  }
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
  tanh_each(source.start.data(), source.start.size());
  return source;
}

TranslationDecoder::States TranslationDecoder::step(std::span<const Source* const> sources,
                                                    std::span<const float> inputs, Lstm first,
                                                    Lstm second) const {
  States states{std::move(first), std::move(second), {}, {}};
  advance_lstm(weights_, "decoder", inputs, sizes_.hidden, states.first);
  states.output = product(weights_, "combine.weight", "combine.bias",
                          attend(sources, states.first.hidden, states.attended));
  tanh_each(states.output.data(), states.output.size());
  if (sizes_.decoder_layers > 1) {
    advance_lstm(weights_, "second", states.output, sizes_.embedding, states.second);
    std::ranges::transform(states.output, states.second.hidden, states.output.begin(),
                           std::plus<>());
  }
  return states;
}

TranslationDecoder::States TranslationDecoder::start(std::span<const Source* const> sources) const {
  std::vector<float> inputs;
  for (const Source* source : sources) {
    inputs.insert(inputs.end(), source->start.begin(), source->start.end());
  }
  const std::vector<float> hidden(sources.size() * sizes_.hidden), output(inputs.size());
  return step(sources, inputs, {hidden, hidden}, {output, output});
}

TranslationDecoder::States TranslationDecoder::advance(
    std::span<const Source* const> sources, const States& states, std::span<const std::size_t> rows,
    std::span<const std::int32_t> words_after) const {
  return step(sources, words(words_after), rows_of(states.first, sizes_.hidden, rows),
              sizes_.decoder_layers > 1 ? rows_of(states.second, sizes_.embedding, rows) : Lstm{});
}

std::vector<float> TranslationDecoder::attend(std::span<const Source* const> sources,
                                              const std::vector<float>& states,
                                              std::vector<std::int64_t>& attended) const {
  const std::size_t hidden = sizes_.hidden;
  const auto asked = product(weights_, "attention.weight", "", states);
  std::vector<float> both(sources.size() * 2 * hidden), scores;
  for (std::size_t row = 0, end = 0; row < sources.size(); row = end) {
    while (end < sources.size() && sources[end] == sources[row]) ++end;
    const Source& source = *sources[row];
    const Matrix words{TensorType::float32,
                       reinterpret_cast<const std::byte*>(source.states.data()),
                       source.states.size() / hidden,
                       hidden,
                       {}};
    scores.resize((end - row) * words.rows);
    multiply(words, asked.data() + row * hidden, end - row, scores.data());
    for (std::size_t r = row; r < end; ++r) {
      const std::span<float> seen(scores.data() + (r - row) * words.rows, words.rows);
      attended.push_back(std::ranges::max_element(seen) - seen.begin());
      const float all = log_sum_exp(seen.data(), seen.size());
      for (float& score : seen) score = std::exp(score - all);
      float* const place = both.data() + r * 2 * hidden;
      weighted_sum(seen.data(), words.rows, source.states.data(), hidden, place);
      std::copy_n(states.data() + r * hidden, hidden, place + hidden);
    }
  }
  return both;
}

std::vector<float> TranslationDecoder::predict(const States& states) const {
  return product(weights_, "words", "bias", states.output);
}

}  // namespace hinny
