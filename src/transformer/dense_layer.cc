#include "transformer/dense_layer.h"

#include "tensors/matrix.h"
#include "transformer/token_loops.h"

namespace hinny {
namespace {

class Stored : public DenseLayer {
 public:
  Stored(const Weights& weights, const std::string& prefix)
      : weight_(weights.matrix(prefix + ".weight")), bias_(weights.numbers(prefix + ".bias")) {}
  std::size_t outputs() const override { return weight_.rows; }
  void apply(const float* x, std::size_t rows, float* out) const override {
    multiply_coarsely(weight_, x, rows, out);
    add_to_rows(bias_, rows, out);
  }

 private:
  Matrix weight_;
  std::span<const float> bias_;
};

}  // namespace

std::unique_ptr<DenseLayer> stored_layer(const Weights& weights, const std::string& prefix) {
  return std::make_unique<Stored>(weights, prefix);
}

}  // namespace hinny
