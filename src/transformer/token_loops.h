// What a transformer computes of a token's numbers beside products: loops, on the calling thread.
#pragma once

#include <cstddef>
#include <span>

#include "model/transformer_config.h"

namespace hinny {

// x [rows, bias.size()] += bias, row by row
void add_to_rows(std::span<const float> bias, std::size_t rows, float* x);

// x[i] += more[i]
void add_numbers(const float* more, std::size_t count, float* x);

// out = (x - mean) / sqrt(variance + epsilon) * weight + bias, each row of x [rows, size] by itself
// (Ba et al. 2016). `out` may be x.
void layer_norm(std::span<const float> weight, std::span<const float> bias, double epsilon,
                const float* x, std::size_t rows, float* out);

// Of all but swiglu.
void activate(Activation activation, float* x, std::size_t count);

// out [rows, size] = x sigmoid(x) of the first half of each row of x [rows, 2 size] times the
// second. `out` may be x.
void swiglu(const float* x, std::size_t rows, std::size_t size, float* out);

}  // namespace hinny
