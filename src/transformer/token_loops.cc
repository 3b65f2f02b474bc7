#include "transformer/token_loops.h"

#include <cmath>

#include "base/every_processor.h"
#include "base/vector_math.h"

namespace hinny {
namespace {

// Sums go by lanes: the compiler may not reorder them itself.
constexpr std::size_t kSumLanes = 16;

[[gnu::always_inline]] inline float sum_by_lanes(const float* x, std::size_t count, float mean,
                                                 bool squares) {
  float lanes[kSumLanes] = {};
  std::size_t i = 0;
  for (; i + kSumLanes <= count; i += kSumLanes) {
    for (std::size_t lane = 0; lane < kSumLanes; ++lane) {
      const float from_mean = x[i + lane] - mean;
      lanes[lane] += squares ? from_mean * from_mean : from_mean;
    }
  }
  float sum = 0;
  for (; i < count; ++i) sum += squares ? (x[i] - mean) * (x[i] - mean) : x[i] - mean;
  for (const float lane : lanes) sum += lane;
  return sum;
}

// Abramowitz and Stegun 1964, 7.1.26, to 1.5e-7.
[[gnu::always_inline]] inline float quick_erf(float x) {
  const float size = std::fabs(x);
  const float t = 1.0F / (1.0F + 0.3275911F * size);
  float p = 1.061405429F;
  p = p * t - 1.453152027F;
  p = p * t + 1.421413741F;
  p = p * t - 0.284496736F;
  p = p * t + 0.254829592F;
  return std::copysign(1.0F - p * t * quick_exp(-size * size), x);
}

namespace loops {

[[gnu::always_inline]] inline void add_to_rows(const float* bias, std::size_t size,
                                               std::size_t rows, float* x) {
  for (std::size_t row = 0; row < rows; ++row) {
    float* const to = x + row * size;
    for (std::size_t i = 0; i < size; ++i) to[i] += bias[i];
  }
}

[[gnu::always_inline]] inline void add_numbers(const float* more, std::size_t count, float* x) {
  for (std::size_t i = 0; i < count; ++i) x[i] += more[i];
}

[[gnu::always_inline]] inline void layer_norm(const float* weight, const float* bias,
                                              std::size_t size, float epsilon, const float* x,
                                              std::size_t rows, float* out) {
  const auto count = static_cast<float>(size);
  for (std::size_t row = 0; row < rows; ++row) {
    const float* const from = x + row * size;
    float* const to = out + row * size;
    const float mean = sum_by_lanes(from, size, 0, false) / count;
    const float variance = sum_by_lanes(from, size, mean, true) / count;
    const float scale = 1.0F / std::sqrt(variance + epsilon);
    for (std::size_t i = 0; i < size; ++i) {
      to[i] = (from[i] - mean) * scale * weight[i] + bias[i];
    }
  }
}

[[gnu::always_inline]] inline void gelu(float* x, std::size_t count) {
  constexpr float kRootOfHalf = 0.70710678F;
  for (std::size_t i = 0; i < count; ++i)
    x[i] = 0.5F * x[i] * (1.0F + quick_erf(x[i] * kRootOfHalf));
}

[[gnu::always_inline]] inline void gelu_tanh(float* x, std::size_t count) {
  constexpr float kRoot = 0.79788456F;  // of 2 / pi
  for (std::size_t i = 0; i < count; ++i) {
    const float inner = kRoot * (x[i] + 0.044715F * x[i] * x[i] * x[i]);
    x[i] = x[i] * sigmoid(inner + inner);  // 0.5 (1 + tanh y) = sigmoid(2 y)
  }
}

[[gnu::always_inline]] inline void quick_gelu(float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = x[i] * sigmoid(1.702F * x[i]);
}

[[gnu::always_inline]] inline void swiglu_row(const float* x, std::size_t size, float* out) {
  for (std::size_t i = 0; i < size; ++i) out[i] = x[i] * sigmoid(x[i]) * x[size + i];
}

}  // namespace loops
}  // namespace

void add_to_rows(std::span<const float> bias, std::size_t rows, float* x) {
  on_this_processor<loops::add_to_rows>(bias.data(), bias.size(), rows, x);
}

void add_numbers(const float* more, std::size_t count, float* x) {
  on_this_processor<loops::add_numbers>(more, count, x);
}

void layer_norm(std::span<const float> weight, std::span<const float> bias, double epsilon,
                const float* x, std::size_t rows, float* out) {
  on_this_processor<loops::layer_norm>(weight.data(), bias.data(), weight.size(),
                                       static_cast<float>(epsilon), x, rows, out);
}

void activate(Activation activation, float* x, std::size_t count) {
  switch (activation) {
    case Activation::gelu:
      return on_this_processor<loops::gelu>(x, count);
    case Activation::gelu_tanh:
      return on_this_processor<loops::gelu_tanh>(x, count);
    case Activation::quick_gelu:
      return on_this_processor<loops::quick_gelu>(x, count);
    case Activation::swiglu:
      return;
  }
}

// Row by row from the first: what is written lies before what is read.
void swiglu(const float* x, std::size_t rows, std::size_t size, float* out) {
  for (std::size_t row = 0; row < rows; ++row) {
    on_this_processor<loops::swiglu_row>(x + row * 2 * size, size, out + row * size);
  }
}

}  // namespace hinny
