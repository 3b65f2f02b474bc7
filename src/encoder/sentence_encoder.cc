#include "encoder/sentence_encoder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "encoder/kernels.h"

namespace hinny {
namespace {

float sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }
// Twice as fast as std::tanh, and as exact as float sums before it are.
float fast_tanh(float x) { return 2.0F * sigmoid(2.0F * x) - 1.0F; }

std::size_t gates(const EncoderSpec& spec) {
  return (spec.kind == EncoderKind::lstm ? 4 : 3) * spec.hidden;
}

// One direction's weights, and its state while it runs.
class Recurrence {
 public:
  Recurrence(const Weights& weights, const EncoderSpec& spec, const std::string& suffix)
      : spec_(spec),
        input_weight_(weights.numbers(spec.prefix + ".weight_ih_l0" + suffix)),
        weight_(weights.numbers(spec.prefix + ".weight_hh_l0" + suffix)),
        input_bias_(weights.numbers(spec.prefix + ".bias_ih_l0" + suffix)),
        bias_(weights.numbers(spec.prefix + ".bias_hh_l0" + suffix)),
        state_(spec.hidden),
        cell_(spec.hidden),
        recurrent_(gates(spec)),
        reset_(spec.hidden) {}

  std::vector<float> run(std::span<const float> words, bool backward) {
    const std::size_t time = words.size() / spec_.input;
    const std::size_t width = gates(spec_);
    std::vector<float> from_words(time * width);
    multiply_each(input_weight_.data(), width, spec_.input, words.data(), time, from_words.data());
    for (std::size_t step = 0; step < time; ++step) {
      float* gate = from_words.data() + (backward ? time - 1 - step : step) * width;
      for (std::size_t i = 0; i < width; ++i) gate[i] += input_bias_[i];
      first_ = step == 0;
      if (spec_.kind == EncoderKind::lstm) {
        lstm_step(gate);
      } else {
        gru_step(gate);
      }
    }
    return std::move(state_);
  }

 private:
  // recurrent_[begin, end) = rows of the recurrent weight times `vector`, plus their bias. The
  // first state is zero, so there is nothing to multiply.
  void recur(std::size_t begin, std::size_t end, const std::vector<float>& vector) {
    const std::size_t hidden = spec_.hidden;
    if (first_) {
      std::copy(bias_.begin() + static_cast<std::ptrdiff_t>(begin),
                bias_.begin() + static_cast<std::ptrdiff_t>(end),
                recurrent_.begin() + static_cast<std::ptrdiff_t>(begin));
      return;
    }
    multiply(weight_.data() + begin * hidden, end - begin, hidden, vector.data(),
             recurrent_.data() + begin);
    for (std::size_t i = begin; i < end; ++i) recurrent_[i] += bias_[i];
  }

  // Gates r, z, n.
  void gru_step(const float* gate) {
    const std::size_t hidden = spec_.hidden;
    recur(0, spec_.reset_after ? 3 * hidden : 2 * hidden, state_);
    for (std::size_t i = 0; i < hidden; ++i) reset_[i] = sigmoid(gate[i] + recurrent_[i]);
    if (!spec_.reset_after) {
      std::vector<float> kept(hidden);
      for (std::size_t i = 0; i < hidden; ++i) kept[i] = reset_[i] * state_[i];
      recur(2 * hidden, 3 * hidden, kept);
    }
    for (std::size_t i = 0; i < hidden; ++i) {
      const float update = sigmoid(gate[hidden + i] + recurrent_[hidden + i]);
      const float reset = spec_.reset_after ? reset_[i] : 1.0F;
      const float fresh = fast_tanh(gate[2 * hidden + i] + reset * recurrent_[2 * hidden + i]);
      state_[i] = (1.0F - update) * fresh + update * state_[i];
    }
  }

  // Gates i, f, g, o.
  void lstm_step(const float* gate) {
    const std::size_t hidden = spec_.hidden;
    recur(0, 4 * hidden, state_);
    const auto sum = [&](std::size_t kind, std::size_t i) {
      return gate[kind * hidden + i] + recurrent_[kind * hidden + i];
    };
    for (std::size_t i = 0; i < hidden; ++i) {
      cell_[i] = sigmoid(sum(1, i)) * cell_[i] + sigmoid(sum(0, i)) * fast_tanh(sum(2, i));
      state_[i] = sigmoid(sum(3, i)) * fast_tanh(cell_[i]);
    }
  }

  const EncoderSpec& spec_;
  std::span<const float> input_weight_, weight_, input_bias_, bias_;
  std::vector<float> state_, cell_, recurrent_, reset_;
  bool first_ = true;
};

std::vector<float> mean(std::span<const float> words, std::size_t size) {
  std::vector<float> result(size);
  for (std::size_t i = 0; i < words.size(); ++i) result[i % size] += words[i];
  const std::size_t count = words.size() / size;
  for (float& number : result) number /= static_cast<float>(count);
  return result;
}

}  // namespace

void check_sentence_encoder(const Weights& weights, const EncoderSpec& spec) {
  if (spec.kind == EncoderKind::mean) return;
  for (const char* suffix : {"", "_reverse"}) {
    if (*suffix != '\0' && !spec.bidirectional) break;
    const auto name = [&](const char* tensor) { return spec.prefix + "." + tensor + suffix; };
    weights.check(name("weight_ih_l0"), {gates(spec), spec.input});
    weights.check(name("weight_hh_l0"), {gates(spec), spec.hidden});
    weights.check(name("bias_ih_l0"), {gates(spec)});
    weights.check(name("bias_hh_l0"), {gates(spec)});
  }
}

std::vector<float> encode_sentence(const Weights& weights, const EncoderSpec& spec,
                                   std::span<const float> words) {
  if (spec.kind == EncoderKind::mean) return mean(words, spec.input);
  std::vector<float> result = Recurrence(weights, spec, "").run(words, false);
  if (spec.bidirectional) {
    const std::vector<float> back = Recurrence(weights, spec, "_reverse").run(words, true);
    result.insert(result.end(), back.begin(), back.end());
  }
  return result;
}

}  // namespace hinny
