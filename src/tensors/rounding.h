// Numbers rounded to bytes for products of whole numbers, and what the products stand for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hinny {

constexpr float kSplit = 128;

// x[i] = (kSplit * high[i] + low[i]) * scale, to 15 bits of the largest |x|. Returns the scale. A
// number that is not finite makes the scale NaN.
float split(const float* x, std::size_t count, std::int8_t* high, std::int8_t* low);

// x[i] = numbers[i] * scale, to 7 bits of the largest |x|, else as `split`.
float narrow(const float* x, std::size_t count, std::int8_t* numbers);

// out[i] = sums[i] * scale * scales[i]
void scale_each(const std::int32_t* sums, float scale, const float* scales, std::size_t count,
                float* out);

// out[i] = (kSplit * high[i] + low[i]) * scale * scales[i], what the products of a split vector
// stand for.
void join(const std::int32_t* high, const std::int32_t* low, float scale, const float* scales,
          std::size_t count, float* out);

}  // namespace hinny
