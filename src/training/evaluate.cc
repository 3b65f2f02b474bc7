#include "training/evaluate.h"

#include <ATen/ops/cat.h>
#include <fmt/format.h>
#include <torch/utils.h>

#include <algorithm>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"

namespace hinny {
namespace {

constexpr std::size_t kImagesAtOnce = 1024;
constexpr std::size_t kCaptionsAtOnce = 512;

// Encodes `items` piece by piece; `encode` gets a span of them and returns [items, dim].
template <typename Encode>
torch::Tensor encode_all(std::span<const int> items, std::size_t at_once, Progress* progress,
                         const Encode& encode) {
  std::vector<torch::Tensor> pieces;
  for (std::size_t begin = 0; begin < items.size(); begin += at_once) {
    stop_if_interrupted();
    const auto piece = items.subspan(begin, std::min(at_once, items.size() - begin));
    pieces.push_back(encode(piece).to(at::kCPU));
    if (progress != nullptr) progress->add(piece.size());
  }
  return at::cat(pieces).contiguous();
}

VectorRows as_matrix(const torch::Tensor& rows) {
  return {{rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel())},
          static_cast<std::size_t>(rows.size(0)),
          static_cast<std::size_t>(rows.size(1))};
}

}  // namespace

Evaluation evaluate(Experiment& experiment, const EvaluationOptions& options) {
  RetrievalSystem& system = *experiment.system;
  const Dataset& dataset = experiment.dataset;
  const BatchBuilder& builder = *experiment.builder;
  const torch::NoGradGuard no_gradient;
  system.eval();
  const std::vector<int> images =
      usable_images(experiment.features, dataset.split(options.split), options.split);
  const std::size_t languages = dataset.languages().size();

  std::vector<std::vector<int>> captions(languages), owners(languages);
  std::uint64_t work = images.size();
  for (std::size_t l = 0; l < languages; ++l) {
    for (std::size_t row = 0; row < images.size(); ++row) {
      for (const int caption : dataset.captions_of(images[row], static_cast<int>(l))) {
        captions[l].push_back(caption);
        owners[l].push_back(static_cast<int>(row));
      }
    }
    if (captions[l].empty()) {
      throw InputError(fmt::format("no caption in language '{}' in split '{}'",
                                   dataset.languages()[l], options.split),
                       "at least one (or --languages without it)");
    }
    work += captions[l].size();
  }

  Evaluation result;
  result.table.split = options.split;
  result.table.images = images.size();
  const ParameterCounts counts = count_parameters(system);
  result.table.train_parameters = counts.train;
  result.table.search_parameters = counts.search;
  Progress bar("evaluate " + options.split, work);
  Progress* progress = options.progress ? &bar : nullptr;
  torch::Tensor image_vectors;
  for (std::size_t l = 0; l < languages; ++l) {
    const int language = experiment.system_language[l];
    if (!image_vectors.defined() || !system.shares_image_space()) {
      image_vectors = encode_all(images, kImagesAtOnce, progress, [&](std::span<const int> piece) {
        return system.encode_images(builder.images(piece), language);
      });
    }
    const torch::Tensor caption_vectors =
        encode_all(captions[l], kCaptionsAtOnce, progress, [&](std::span<const int> piece) {
          return system.encode_captions(builder.captions(piece, {}), language);
        });
    LanguageRecall recall = measure_recall_in_folds(
        as_matrix(image_vectors), as_matrix(caption_vectors), owners[l], options.folds);
    recall.language = dataset.languages()[l];
    recall.human = dataset.human(static_cast<int>(l), images);
    recall.captions = captions[l].size();
    result.table.languages.push_back(recall);
    result.caption_spread.push_back(1.0 - caption_vectors.mean(0).square().sum().item<double>());
  }
  return result;
}

}  // namespace hinny
