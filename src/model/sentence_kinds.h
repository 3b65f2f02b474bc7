// How a sentence becomes a vector: the choices that a recipe makes and a model's file repeats.
#pragma once

#include "base/choice.h"

namespace hinny {

// given: vectors of whole sentences that another program makes.
enum class EncoderKind { mean, gru, lstm, given };

// The state of a sentence, or one at each of its words.
enum class EncoderOutput { sentence, words };

// Where a GRU's reset gate stands: after the recurrent product as in PyTorch and cuDNN, or before
// it as in TensorFlow (Cho et al. 2014).
enum class ResetGate { after, before };

// What becomes of a word outside the vocabulary: left out, or one token for all such words.
enum class UnknownWords { drop, token };

template <>
struct Choices<EncoderKind> {
  static constexpr Choice<EncoderKind> all[] = {{EncoderKind::mean, "mean"},
                                                {EncoderKind::gru, "gru"},
                                                {EncoderKind::lstm, "lstm"},
                                                {EncoderKind::given, "given"}};
};

template <>
struct Choices<EncoderOutput> {
  static constexpr Choice<EncoderOutput> all[] = {{EncoderOutput::sentence, "sentence"},
                                                  {EncoderOutput::words, "words"}};
};

template <>
struct Choices<ResetGate> {
  static constexpr Choice<ResetGate> all[] = {{ResetGate::after, "after"},
                                              {ResetGate::before, "before"}};
};

template <>
struct Choices<UnknownWords> {
  static constexpr Choice<UnknownWords> all[] = {{UnknownWords::drop, "drop"},
                                                 {UnknownWords::token, "token"}};
};

}  // namespace hinny
