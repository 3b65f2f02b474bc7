#include "training/evaluation/pair_hubs.h"

#include <ATen/ops/from_blob.h>
#include <torch/utils.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/run_files.h"
#include "nn/layers.h"
#include "training/evaluation/encode_split.h"

namespace hinny {
namespace {

constexpr std::size_t kAtOnce = 256;  // images or captions

// Not owned; one of `shape` may be -1.
torch::Tensor as_tensor(const std::vector<float>& rows, at::IntArrayRef shape) {
  return at::from_blob(const_cast<float*>(rows.data()), {static_cast<std::int64_t>(rows.size())})
      .view(shape);
}

// Of each row of `scores` [any number, remembered]; appended.
void add_penalties(const HubBank& bank, const torch::Tensor& scores,
                   std::vector<float>& penalties) {
  torch::Tensor rows = scores.to(at::kCPU).contiguous().clone();
  const auto each = static_cast<std::size_t>(rows.size(1));
  for (std::int64_t row = 0; row < rows.size(0); ++row) {
    penalties.push_back(
        hub_penalty(bank, numbers_of(rows).subspan(static_cast<std::size_t>(row) * each, each)));
  }
}

class PairHubs {
 public:
  PairHubs(Experiment& e, std::size_t language) : e_(e), language_(e.system_language[language]) {
    const std::string& name = e.recipe.languages[static_cast<std::size_t>(language_)];
    space_ = &e.hubs->spaces.at(e.system->describe().text.at(name).space);
    const auto dim = static_cast<std::int64_t>(e.hubs->dim);
    if (space_->lengths.empty() ||
        static_cast<std::int64_t>(space_->regions) != e.features.regions()) {
      throw InputError(std::string(kHubsFile) + " of a system that compares vectors",
                       "words and regions");
    }
    words_ = as_tensor(space_->captions, {-1, dim}).to(e.builder.device());
    regions_ = as_tensor(space_->images, {-1, static_cast<std::int64_t>(space_->regions), dim})
                   .to(e.builder.device());
    remembered_.lengths = positions(space_->lengths);
  }

  std::vector<float> of_images(std::span<const int> images) const {
    return in_blocks(images, [&](std::span<const int> some) {
      return e_.system->compare(e_.system->encode_images(e_.builder.images(some), language_),
                                words_, remembered_);
    });
  }
  std::vector<float> of_captions(std::span<const int> captions) const {
    return in_blocks(captions, [&](std::span<const int> some) {
      const CaptionBatch batch = e_.builder.captions(some, {});
      return e_.system->compare(regions_, e_.system->encode_captions(batch, language_), batch).t();
    });
  }

 private:
  template <typename Scores>
  std::vector<float> in_blocks(std::span<const int> items, const Scores& scores) const {
    const torch::NoGradGuard no_gradient;
    std::vector<float> penalties;
    for (std::size_t first = 0; first < items.size(); first += kAtOnce) {
      stop_if_interrupted();
      const auto some = items.subspan(first, std::min(kAtOnce, items.size() - first));
      add_penalties(*e_.hubs, scores(some), penalties);
    }
    return penalties;
  }

  Experiment& e_;
  SystemLanguage language_;
  const HubBank::Space* space_ = nullptr;
  torch::Tensor words_, regions_;
  CaptionBatch remembered_;  // their lengths alone
};

}  // namespace

void correct_hubs(Experiment& experiment, std::size_t language, std::span<const int> images,
                  std::span<const int> captions, ScoreMatrix& scores) {
  const PairHubs hubs(experiment, language);
  const std::vector<float> of_images = hubs.of_images(images);
  const std::vector<float> of_captions = hubs.of_captions(captions);
  for (std::size_t i = 0; i < scores.images; ++i) {
    for (std::size_t c = 0; c < scores.captions; ++c) {
      scores.values[i * scores.captions + c] += of_images[i] + of_captions[c];
    }
  }
}

}  // namespace hinny
