#include "training/evaluation/encode_split.h"

#include <ATen/ops/cat.h>
#include <fmt/format.h>
#include <torch/utils.h>

#include <algorithm>

#include "base/error.h"
#include "base/interrupt.h"
#include "nn/layers.h"

namespace hinny {
namespace {

constexpr std::size_t kImagesAtOnce = 1024;
constexpr std::size_t kCaptionsAtOnce = 512;

// Encodes `items` piece by piece; `encode` gets a span of them and returns a tensor in which they
// are the dimension `along`.
template <typename Encode>
torch::Tensor encode_all(std::span<const int> items, std::size_t at_once, Progress* progress,
                         const Encode& encode, std::int64_t along = 0) {
  const torch::NoGradGuard no_gradient;
  std::vector<torch::Tensor> pieces;
  for (std::size_t begin = 0; begin < items.size(); begin += at_once) {
    stop_if_interrupted();
    const auto piece = items.subspan(begin, std::min(at_once, items.size() - begin));
    pieces.push_back(encode(piece).to(at::kCPU));
    if (progress != nullptr) progress->add(piece.size());
  }
  return at::cat(pieces, along).contiguous();
}

}  // namespace

SplitCaptions captions_of(const Dataset& dataset, std::span<const int> images, int language,
                          const std::string& split) {
  SplitCaptions found;
  for (std::size_t row = 0; row < images.size(); ++row) {
    for (const int caption : dataset.captions_of(images[row], language)) {
      found.captions.push_back(caption);
      found.owners.push_back(static_cast<int>(row));
    }
  }
  if (!found.captions.empty()) return found;
  throw InputError(fmt::format("no caption in language '{}' in split '{}'",
                               dataset.languages()[static_cast<std::size_t>(language)], split),
                   "at least one (or --languages without it)");
}

torch::Tensor encode_images(RetrievalSystem& system, const BatchBuilder& builder,
                            std::span<const int> images, SystemLanguage language,
                            Progress* progress) {
  return encode_all(images, kImagesAtOnce, progress, [&](std::span<const int> piece) {
    return system.encode_images(builder.images(piece), language);
  });
}

torch::Tensor encode_captions(RetrievalSystem& system, const BatchBuilder& builder,
                              std::span<const int> captions, SystemLanguage language,
                              Progress* progress) {
  return encode_all(captions, kCaptionsAtOnce, progress, [&](std::span<const int> piece) {
    return system.encode_captions(builder.captions(piece, {}), language);
  });
}

ScoreMatrix score_pairs(RetrievalSystem& system, const BatchBuilder& builder,
                        std::span<const int> images, std::span<const int> captions,
                        SystemLanguage language, Progress* progress) {
  std::vector<torch::Tensor> features;
  for (std::size_t begin = 0; begin < images.size(); begin += kImagesAtOnce) {
    features.push_back(
        builder.images(images.subspan(begin, std::min(kImagesAtOnce, images.size() - begin))));
  }
  const auto columns_of = [&](std::span<const int> some) {
    const CaptionBatch batch = builder.captions(some, {});
    std::vector<torch::Tensor> rows;
    rows.reserve(features.size());
    for (const torch::Tensor& piece : features) {
      rows.push_back(system.pair_scores(piece, batch, language));
    }
    return at::cat(rows);
  };
  const torch::Tensor scores = encode_all(captions, kCaptionsAtOnce, progress, columns_of, 1);
  return score_matrix(scores.t());  // turned as numbers, not in memory
}

ScoreMatrix score_matrix(const torch::Tensor& by_caption) {
  const torch::Tensor turned = by_caption.t().contiguous();
  const auto* numbers = turned.data_ptr<float>();
  return {static_cast<std::size_t>(turned.size(0)), static_cast<std::size_t>(turned.size(1)),
          std::vector<float>(numbers, numbers + turned.numel())};
}

VectorRows vector_rows(const torch::Tensor& rows) {
  return {numbers_of(rows), static_cast<std::size_t>(rows.size(0)),
          static_cast<std::size_t>(rows.size(1))};
}

}  // namespace hinny
