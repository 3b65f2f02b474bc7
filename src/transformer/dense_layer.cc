#include "transformer/dense_layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "tensors/panels.h"
#include "transformer/token_loops.h"

namespace hinny {
namespace {

Panels panels_in(const Weights& weights, const std::string& prefix) {
  const TensorView& view = weights.file().at(prefix + ".weight");
  Panels panels{view.type,
                view.bytes.data(),
                static_cast<std::size_t>(view.shape[1]),
                weights.rows(prefix + ".bias"),
                {}};
  if (view.type == TensorType::int8) {
    panels.scales = weights.numbers(scale_name(prefix + ".weight"));
  }
  return panels;
}

class InPanels : public DenseLayer {
 public:
  InPanels(const Weights& weights, const std::string& prefix)
      : weight_(panels_in(weights, prefix)), bias_(weights.numbers(prefix + ".bias")) {}
  std::size_t outputs() const override { return weight_.outputs; }
  void apply(const float* x, std::size_t rows, float* out) const override {
    multiply(weight_, x, rows, out);
    add_to_rows(bias_, rows, out);
  }

 private:
  Panels weight_;
  std::span<const float> bias_;
};

}  // namespace

std::unique_ptr<DenseLayer> panel_layer(const Weights& weights, const std::string& prefix) {
  return std::make_unique<InPanels>(weights, prefix);
}

void check_panels(const Weights& weights, const std::string& prefix, std::size_t outputs,
                  std::size_t inputs) {
  const std::string name = prefix + ".weight";
  const TensorView& view = weights.file().at(name);
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(panels_of(outputs)),
                                           static_cast<std::int64_t>(inputs), kPanelOutputs};
  const bool known = view.type == TensorType::float32 || view.type == TensorType::bfloat16 ||
                     view.type == TensorType::int8;
  if (view.shape != shape || !known) {
    throw InputError(weights.path(),
                     fmt::format("tensor '{}' is [{}]", name, fmt::join(view.shape, ", ")),
                     fmt::format("[{}] in F32, BF16 or I8", fmt::join(shape, ", ")));
  }
  if (view.type == TensorType::int8) weights.check(scale_name(name), {outputs});
  weights.check(prefix + ".bias", {outputs});
}

}  // namespace hinny
