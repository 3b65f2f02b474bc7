// Whatever numbers and sizes come, every kind of processor's kernels say what the formula does:
// whole numbers exactly, others as near as rounding allows. The input's first bytes are the sizes,
// the rest the numbers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "retrieval/dot_kernels.h"

namespace {

class Numbers {
 public:
  Numbers(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t byte() { return size_ == 0 ? 0 : data_[place_++ % size_]; }
  // Of any size that a model's numbers may have: 2^-31 to 2^32, and both zeros.
  float number() {
    const std::uint32_t sign = byte() & 0x80U, exponent = 96U + (byte() & 0x3FU);
    const std::uint32_t digits = byte() | static_cast<std::uint32_t>(byte()) << 8U;
    const bool zero = (digits & 0xFU) == 7;
    return std::bit_cast<float>(sign << 24U | (zero ? 0 : exponent << 23U | digits << 7U));
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, place_ = 0;
};

struct Input {
  std::size_t rows, columns, times;
  std::vector<float> w, x;
};

Input read(Numbers& numbers) {
  Input input{};
  input.rows = 1 + numbers.byte() % 21;
  input.columns = numbers.byte() % 200;
  input.times = 1 + numbers.byte() % 9;
  for (std::size_t i = 0; i < input.rows * input.columns; ++i) input.w.push_back(numbers.number());
  for (std::size_t i = 0; i < input.times * input.columns; ++i) input.x.push_back(numbers.number());
  return input;
}

// Sums in any order differ by the rounding of each step.
void expect_near(const Input& input, const std::vector<float>& w, const std::vector<float>& found) {
  constexpr double kRounding = 1.2e-7;
  for (std::size_t t = 0; t < input.times; ++t) {
    for (std::size_t r = 0; r < input.rows; ++r) {
      double sum = 0, size = 0;
      for (std::size_t i = 0; i < input.columns; ++i) {
        const double product = static_cast<double>(w[r * input.columns + i]) *
                               static_cast<double>(input.x[t * input.columns + i]);
        sum += product;
        size += std::fabs(product);
      }
      const double most = size * kRounding * (1 + static_cast<double>(input.columns));
      if (!(std::fabs(static_cast<double>(found[t * input.rows + r]) - sum) <= most)) std::abort();
    }
  }
}

std::vector<float> of_floats(const hinny::DotKernels& kernels, const Input& input) {
  std::vector<float> out(input.times * input.rows, -1);
  kernels.f32(input.w.data(), input.rows, input.columns, input.x.data(), input.times, out.data());
  return out;
}

// As a bfloat16 keeps it.
float cut(float number) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(number) & 0xFFFF0000U);
}

std::vector<float> of_halves(const hinny::DotKernels& kernels, const Input& input) {
  std::vector<std::byte> w;
  for (const float number : input.w) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(number) >> 16U;
    w.push_back(static_cast<std::byte>(bits & 0xFFU));
    w.push_back(static_cast<std::byte>(bits >> 8U));
  }
  std::vector<float> out(input.times * input.rows, -1);
  kernels.bf16(w.data(), input.rows, input.columns, input.x.data(), input.times, out.data());
  return out;
}

std::vector<std::int8_t> bytes_of(const std::vector<float>& numbers) {
  std::vector<std::int8_t> bytes;
  for (const float number : numbers) {
    const std::uint32_t digits = std::bit_cast<std::uint32_t>(number) >> 7U;
    bytes.push_back(std::bit_cast<std::int8_t>(static_cast<std::uint8_t>(digits)));
  }
  return bytes;
}

void expect_exact(const hinny::DotKernels& kernels, const Input& input) {
  const std::vector<std::int8_t> w = bytes_of(input.w), x = bytes_of(input.x);
  std::vector<std::int32_t> out(input.times * input.rows, -1), alone(input.rows, -1);
  kernels.i8(w.data(), input.rows, input.columns, x.data(), input.times, out.data());
  std::vector<const std::int8_t*> apart;
  for (std::size_t r = 0; r < input.rows; ++r) apart.push_back(w.data() + r * input.columns);
  kernels.i8_apart(apart.data(), input.rows, input.columns, x.data(), alone.data());
  for (std::size_t t = 0; t < input.times; ++t) {
    for (std::size_t r = 0; r < input.rows; ++r) {
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < input.columns; ++i) {
        sum += std::int32_t{w[r * input.columns + i]} * x[t * input.columns + i];
      }
      if (out[t * input.rows + r] != sum || (t == 0 && alone[r] != sum)) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Numbers numbers(data, size);
  const Input input = read(numbers);
  std::vector<float> halves;
  for (const float number : input.w) halves.push_back(cut(number));
  for (const hinny::Processor processor : hinny::processors()) {
    const hinny::DotKernels& kernels = hinny::dot_kernels(processor);
    expect_near(input, input.w, of_floats(kernels, input));
    expect_near(input, halves, of_halves(kernels, input));
    expect_exact(kernels, input);
  }
  return 0;
}
