// A transformer of pictures in FILE.safetensors (docs/formats/picture-tower.md): of CLIP, SigLIP,
// DINOv2 and their kin, on the project's own products.
#include <fmt/format.h>

#include <algorithm>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/threads.h"
#include "transformer/picture_tower.h"
#include "vision/packed_layer.h"
#include "vision/picture_encoder.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// Pictures that a thread computes together: enough rows for products, few enough for the cache.
constexpr std::size_t kTogether = 8;

std::unique_ptr<DenseLayer> as_stored(const Weights& weights, const std::string& prefix) {
  return packed_layer(weights, prefix, best_reads(weights.file().at(prefix + ".weight").type));
}

class TowerEncoder : public PictureEncoder {
 public:
  TowerEncoder(const fs::path& file, const Preprocess& how)
      : file_(file), how_(how), weights_(file), spec_(picture_tower_spec(weights_)) {
    if (how_.crop != static_cast<int>(spec_.side)) {
      throw InputError(
          file_, fmt::format("sees {0} x {0} pixels", spec_.side),
          fmt::format("\"crop\": {} in its sidecar, which says {}", spec_.side, how_.crop));
    }
    check_picture_tower(weights_, spec_);
    tower_ = std::make_unique<PictureTower>(weights_, spec_, as_stored);
  }

  std::string name() const override { return file_.stem().string(); }
  std::string identity() const override {
    return content_hash(file_) + " " + preprocess_text(how_);
  }
  std::vector<std::int64_t> shape() const override {
    return {static_cast<std::int64_t>(tower_->outputs())};
  }
  int least_side() const override { return 2 * how_.size; }
  std::vector<float> prepare(const Picture& picture) const override {
    return hinny::prepare(picture, how_);
  }
  void encode(std::span<const std::vector<float>> prepared, std::span<float> rows) override;

 private:
  fs::path file_;
  Preprocess how_;
  Weights weights_;
  TransformerSpec spec_;
  std::unique_ptr<PictureTower> tower_;
};

void TowerEncoder::encode(std::span<const std::vector<float>> prepared, std::span<float> rows) {
  const auto crops = static_cast<std::size_t>(how_.crops());
  const std::size_t size = tower_->outputs(), pixels = 3 * spec_.side * spec_.side;
  std::ranges::fill(rows, 0.0F);
  parallel_blocks(prepared.size(), [&](std::size_t begin, std::size_t end) {
    std::vector<const float*> inputs;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t crop = 0; crop < crops; ++crop) {
        inputs.push_back(prepared[i].data() + crop * pixels);
      }
    }
    for (std::size_t first = 0; first < inputs.size(); first += kTogether) {
      const std::size_t count = std::min(kTogether, inputs.size() - first);
      const std::vector<float> some = tower_->run(std::span(inputs).subspan(first, count));
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t picture = begin + (first + i) / crops;
        for (std::size_t number = 0; number < size; ++number) {
          rows[picture * size + number] += some[i * size + number] / static_cast<float>(crops);
        }
      }
    }
  });
}

}  // namespace

std::unique_ptr<PictureEncoder> open_tower_encoder(const fs::path& network, const Preprocess& how) {
  return std::make_unique<TowerEncoder>(network, how);
}

}  // namespace hinny
