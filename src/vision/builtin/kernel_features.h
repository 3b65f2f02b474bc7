// Random Fourier features (Rahimi and Recht 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hinny {

// cos(w x + b) with normal w and uniform b: the products of such vectors approximate a Gaussian
// kernel of the given width. Their sum over several things therefore lets a linear model count
// the things of any kind that the kernel tells apart. Equal arguments, equal numbers.
class KernelFeatures {
 public:
  KernelFeatures(int inputs, int outputs, float width, std::uint64_t seed);
  // Adds `weight` times the features of `x`, [inputs], to `out`, [outputs].
  void add(std::span<const float> x, float weight, std::span<float> out) const;

 private:
  std::vector<float> matrix_;  // [outputs, inputs]
  std::vector<float> phase_;
};

}  // namespace hinny
