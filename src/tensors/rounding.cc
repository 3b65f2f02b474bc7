#include "tensors/rounding.h"

#include <cmath>

#include "base/every_processor.h"

namespace hinny {
namespace {

// Sums and maxima go by lanes: the compiler may not reorder them itself.
constexpr std::size_t kLanes = 16;

struct Size {
  float largest = 0;  // |x|
  float invalid = 0;  // NaN where a number is not finite
};
[[gnu::always_inline]] inline Size size_of(const float* x, std::size_t count) {
  float sizes[kLanes] = {}, sums[kLanes] = {};  // x - x is NaN for what is not finite
  const std::size_t whole = count / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float size = std::fabs(x[i + lane]);
      sizes[lane] = size > sizes[lane] ? size : sizes[lane];
      sums[lane] += x[i + lane] - x[i + lane];
    }
  }
  Size result;
  for (std::size_t i = whole; i < count; ++i) {
    const float size = std::fabs(x[i]);
    result.largest = size > result.largest ? size : result.largest;
    result.invalid += x[i] - x[i];
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    result.largest = sizes[lane] > result.largest ? sizes[lane] : result.largest;
    result.invalid += sums[lane];
  }
  return result;
}

namespace loops {

[[gnu::always_inline]] inline float split(const float* x, std::size_t count, std::int8_t* high,
                                          std::int8_t* low) {
  constexpr float kMost = 127 * kSplit;
  const Size size = size_of(x, count);
  const float inverse = size.largest > 0 ? kMost / size.largest : 0.0F;
  for (std::size_t i = 0; i < count; ++i) {
    float part = x[i] * inverse;
    part = part > -kMost ? part : -kMost;  // NaN too
    const auto whole = static_cast<std::int32_t>(std::rint(part));
    const std::int32_t upper = (whole + 64) >> 7;
    high[i] = static_cast<std::int8_t>(upper);
    low[i] = static_cast<std::int8_t>(whole - upper * 128);
  }
  return size.invalid == 0 ? size.largest / kMost : size.invalid;
}

[[gnu::always_inline]] inline float narrow(const float* x, std::size_t count,
                                           std::int8_t* numbers) {
  constexpr float kMost = 127;
  const Size size = size_of(x, count);
  const float inverse = size.largest > 0 ? kMost / size.largest : 0.0F;
  for (std::size_t i = 0; i < count; ++i) {
    float part = x[i] * inverse;
    part = part > -kMost ? part : -kMost;  // NaN too
    numbers[i] = static_cast<std::int8_t>(static_cast<std::int32_t>(std::rint(part)));
  }
  return size.invalid == 0 ? size.largest / kMost : size.invalid;
}

[[gnu::always_inline]] inline void scale_each(const std::int32_t* sums, float scale,
                                              const float* scales, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<float>(sums[i]) * scale * scales[i];
  }
}

[[gnu::always_inline]] inline void join(const std::int32_t* high, const std::int32_t* low,
                                        float scale, const float* scales, std::size_t count,
                                        float* out) {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] =
        (kSplit * static_cast<float>(high[i]) + static_cast<float>(low[i])) * scale * scales[i];
  }
}

}  // namespace loops
}  // namespace

float split(const float* x, std::size_t count, std::int8_t* high, std::int8_t* low) {
  return on_this_processor<loops::split>(x, count, high, low);
}

float narrow(const float* x, std::size_t count, std::int8_t* numbers) {
  return on_this_processor<loops::narrow>(x, count, numbers);
}

void scale_each(const std::int32_t* sums, float scale, const float* scales, std::size_t count,
                float* out) {
  on_this_processor<loops::scale_each>(sums, scale, scales, count, out);
}

void join(const std::int32_t* high, const std::int32_t* low, float scale, const float* scales,
          std::size_t count, float* out) {
  on_this_processor<loops::join>(high, low, scale, scales, count, out);
}

}  // namespace hinny
