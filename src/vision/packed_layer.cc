#include "vision/packed_layer.h"

#include <span>
#include <type_traits>
#include <vector>

#include "kernels/gemm.h"
#include "transformer/token_loops.h"

namespace hinny {
namespace {

template <typename T>
std::vector<T> rounded(const std::vector<float>& numbers) {
  std::vector<T> result(numbers.size());
  convert(numbers.data(), numbers.size(), result.data());
  return result;
}

template <typename T>
class Packed : public DenseLayer {
 public:
  Packed(const std::vector<float>& weight, std::span<const float> bias)
      : bias_(bias),
        inputs_(static_cast<std::int64_t>(weight.size() / bias.size())),
        matrix_(inputs_, static_cast<std::int64_t>(bias.size()),
                {rounded<T>(weight).data(), inputs_, true}) {}
  std::size_t outputs() const override { return bias_.size(); }
  void apply(const float* x, std::size_t rows, float* out) const override {
    const auto width = static_cast<std::int64_t>(bias_.size());
    const auto count = static_cast<std::int64_t>(rows);
    if constexpr (std::is_same_v<T, float>) {
      matrix_.multiply(count, x, inputs_, out, width);
    } else {
      thread_local std::vector<T> narrow;
      narrow.resize(rows * static_cast<std::size_t>(inputs_));
      convert(x, narrow.size(), narrow.data());
      matrix_.multiply(count, narrow.data(), inputs_, out, width);
    }
    add_to_rows(bias_, rows, out);
  }

 private:
  std::span<const float> bias_;
  std::int64_t inputs_;
  PackedMatrix<T> matrix_;
};

}  // namespace

std::unique_ptr<DenseLayer> packed_layer(const Weights& weights, const std::string& prefix,
                                         Reads reads) {
  const std::vector<float> weight = weights.copy(prefix + ".weight");
  const std::span<const float> bias = weights.numbers(prefix + ".bias");
  if (reads == Reads::bfloat16) return std::make_unique<Packed<BFloat16>>(weight, bias);
  return std::make_unique<Packed<float>>(weight, bias);
}

Reads best_reads(TensorType stored) {
  return stored == TensorType::bfloat16 && bfloat16_pays() ? Reads::bfloat16 : Reads::whole;
}

}  // namespace hinny
