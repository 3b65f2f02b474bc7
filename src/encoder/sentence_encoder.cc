#include "encoder/sentence_encoder.h"

#include <algorithm>
#include <string>

#include "encoder/gates.h"
#include "tensors/matrix.h"

namespace hinny {
namespace {

std::size_t gates(const EncoderSpec& spec) {
  return (spec.kind == EncoderKind::lstm ? 4 : 3) * spec.hidden;
}

// One direction's weights, and its state while it runs.
class Recurrence {
 public:
  Recurrence(const Weights& weights, const EncoderSpec& spec, const std::string& suffix)
      : spec_(spec),
        input_weight_(weights.matrix(spec.prefix + ".weight_ih_l0" + suffix)),
        weight_(weights.matrix(spec.prefix + ".weight_hh_l0" + suffix)),
        input_bias_(weights.numbers(spec.prefix + ".bias_ih_l0" + suffix)),
        bias_(weights.numbers(spec.prefix + ".bias_hh_l0" + suffix)),
        state_(spec.hidden),
        cell_(spec.hidden),
        recurrent_(gates(spec)) {}

  // The last state. `each` takes that at each word, in rows of `stride` numbers.
  std::vector<float> run(std::span<const float> words, bool backward, float* each = nullptr,
                         std::size_t stride = 0) {
    const std::size_t time = words.size() / spec_.input;
    const std::size_t width = gates(spec_);
    std::vector<float> from_words(time * width);
    multiply(input_weight_, words.data(), time, from_words.data());
    for (std::size_t step = 0; step < time; ++step) {
      const std::size_t word = backward ? time - 1 - step : step;
      float* gate = from_words.data() + word * width;
      for (std::size_t i = 0; i < width; ++i) gate[i] += input_bias_[i];
      step_ = step;
      if (spec_.kind == EncoderKind::lstm) {
        recur(0, width, state_);
        lstm_step(gate, recurrent_.data(), spec_.hidden, state_.data(), cell_.data());
      } else {
        run_gru(gate);
      }
      if (each != nullptr) std::ranges::copy(state_, each + word * stride);
    }
    return std::move(state_);
  }

 private:
  // recurrent_[begin, end) = rows of the recurrent weight times `vector`, plus their bias. The
  // first state is zero, so there is nothing to multiply.
  void recur(std::size_t begin, std::size_t end, const std::vector<float>& vector) {
    if (step_ == 0) {
      std::fill_n(recurrent_.begin() + static_cast<std::ptrdiff_t>(begin), end - begin, 0.0F);
    } else {
      multiply(weight_.part(begin, end - begin), vector.data(), 1, recurrent_.data() + begin,
               step_ % 2 == 0 ? RowOrder::forward : RowOrder::backward);
    }
    for (std::size_t i = begin; i < end; ++i) recurrent_[i] += bias_[i];
  }

  void run_gru(const float* gate) {
    const std::size_t hidden = spec_.hidden;
    const bool after = spec_.reset == ResetGate::after;
    std::vector<float> reset(hidden);
    recur(0, after ? 3 * hidden : 2 * hidden, state_);
    gru_reset(gate, recurrent_.data(), hidden, reset.data());
    if (!after) {
      std::vector<float> kept(hidden);
      for (std::size_t i = 0; i < hidden; ++i) kept[i] = reset[i] * state_[i];
      recur(2 * hidden, 3 * hidden, kept);
    }
    gru_step(gate, recurrent_.data(), after ? reset.data() : nullptr, hidden, state_.data());
  }

  const EncoderSpec& spec_;
  Matrix input_weight_, weight_;
  std::span<const float> input_bias_, bias_;
  std::vector<float> state_, cell_, recurrent_;
  std::size_t step_ = 0;
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

std::vector<float> encode_words(const Weights& weights, const EncoderSpec& spec,
                                std::span<const float> words) {
  const std::size_t width = spec.hidden * (spec.bidirectional ? 2 : 1);
  std::vector<float> states(words.size() / spec.input * width);
  Recurrence(weights, spec, "").run(words, false, states.data(), width);
  if (spec.bidirectional) {
    Recurrence(weights, spec, "_reverse").run(words, true, states.data() + spec.hidden, width);
  }
  return states;
}

std::vector<float> encode_sentence(const Weights& weights, const EncoderSpec& spec,
                                   std::span<const float> words) {
  if (spec.kind == EncoderKind::mean) {
    return spec.every_word ? std::vector<float>(words.begin(), words.end())
                           : mean(words, spec.input);
  }
  if (spec.every_word) {
    std::vector<float> both = encode_words(weights, spec, words);
    if (!spec.bidirectional) return both;
    std::vector<float> means(both.size() / 2);
    for (std::size_t i = 0; i < means.size(); ++i) {
      const float* state = both.data() + i / spec.hidden * 2 * spec.hidden + i % spec.hidden;
      means[i] = 0.5F * (state[0] + state[spec.hidden]);
    }
    return means;
  }
  std::vector<float> result = Recurrence(weights, spec, "").run(words, false);
  if (spec.bidirectional) {
    const std::vector<float> back = Recurrence(weights, spec, "_reverse").run(words, true);
    result.insert(result.end(), back.begin(), back.end());
  }
  return result;
}

}  // namespace hinny
