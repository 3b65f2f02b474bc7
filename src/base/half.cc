#include "base/half.h"

#include <cstring>
#include <stdexcept>

#include "base/every_processor.h"

namespace hinny {
namespace {

inline std::uint16_t at(const std::byte* numbers, std::size_t i) {
  std::uint16_t bits = 0;  // files may keep them at odd addresses
  std::memcpy(&bits, numbers + i * sizeof bits, sizeof bits);
  return bits;
}

[[gnu::always_inline]] inline void widen_halves(const std::byte* numbers, std::size_t count,
                                                float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = half_to_float(at(numbers, i));
}

[[gnu::always_inline]] inline void widen_bfloat16s(const std::byte* numbers, std::size_t count,
                                                   float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = bfloat16_to_float(at(numbers, i));
}

void check_sizes(std::span<const std::byte> numbers, std::span<float> out) {
  if (numbers.size() != out.size() * 2) throw std::invalid_argument("numbers of two bytes each");
}

}  // namespace

void halves_to_floats(std::span<const std::byte> numbers, std::span<float> out) {
  check_sizes(numbers, out);
  on_this_processor<widen_halves>(numbers.data(), out.size(), out.data());
}

void bfloat16s_to_floats(std::span<const std::byte> numbers, std::span<float> out) {
  check_sizes(numbers, out);
  on_this_processor<widen_bfloat16s>(numbers.data(), out.size(), out.data());
}

}  // namespace hinny
