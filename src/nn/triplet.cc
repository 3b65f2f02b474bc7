#include "nn/triplet.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/relu.h>

#include <algorithm>
#include <limits>

#include "nn/similarity.h"

namespace hinny {
namespace {

constexpr double kExcluded = -std::numeric_limits<double>::infinity();

// Every (image, caption) pair is an anchor. The negatives are those of the image, so the worst
// ones are looked for once per image and then handed to its captions: no [pairs, captions] matrix
// unless all negatives are wanted.
torch::Tensor from_images(const torch::Tensor& positive, const torch::Tensor& other,
                          const torch::Tensor& rows, const LossOptions& options) {
  const torch::Tensor hardest =
      hardest_negatives(other.transpose(0, 1), options);  // [images, kept]
  return triplet_hinges(positive, hardest.index_select(0, rows), options);
}

class Triplet : public RetrievalLoss {
 public:
  explicit Triplet(const LossOptions& options) : options_(options) {}

  torch::Tensor of_scores(const torch::Tensor& scores, const torch::Tensor& rows) override {
    return triplet_loss(scores, rows, options_);
  }

  void set_hard_share(double share) override { options_.hard_share = share; }

 protected:
  torch::Tensor compare(const torch::Tensor& captions, const torch::Tensor& images) override {
    return similarity(captions, images, options_.distance);
  }

 private:
  LossOptions options_;
};

}  // namespace

torch::Tensor hardest_negatives(const torch::Tensor& negatives, const LossOptions& options) {
  if (options.mining == Mining::all || options.mining == Mining::mixed) return negatives;
  const std::int64_t keep = options.mining == Mining::max ? 1 : options.hardest;
  return std::get<0>(negatives.topk(std::min(keep, negatives.size(1)), 1, true, /*sorted=*/false));
}

PairScores pair_scores(const torch::Tensor& scores, const torch::Tensor& rows) {
  const torch::Tensor own = rows.unsqueeze(1);  // [captions, 1]
  const torch::Tensor images = at::arange(scores.size(1), rows.options()).unsqueeze(0);
  return {scores.gather(1, own).squeeze(1), scores.masked_fill(own == images, kExcluded)};
}

torch::Tensor triplet_loss(const torch::Tensor& scores, const torch::Tensor& rows,
                           const LossOptions& options) {
  const auto [positive, other] = pair_scores(scores, rows);
  torch::Tensor loss = scores.new_zeros({});
  if (options.text_to_image != 0) {
    loss = loss + options.text_to_image * triplet_hinges(positive, other, options);
  }
  if (options.image_to_text != 0) {
    loss = loss + options.image_to_text * from_images(positive, other, rows, options);
  }
  return loss;
}

torch::Tensor triplet_hinges(const torch::Tensor& positive, const torch::Tensor& negatives,
                             const LossOptions& options) {
  if (positive.size(0) == 0 || negatives.size(1) == 0) return positive.new_zeros({});
  if (options.mining == Mining::mixed) {
    LossOptions all = options, max = options;
    all.mining = Mining::all;
    max.mining = Mining::max;
    return (1 - options.hard_share) * triplet_hinges(positive, negatives, all) +
           options.hard_share * triplet_hinges(positive, negatives, max);
  }
  const torch::Tensor hardest = hardest_negatives(negatives, options);
  torch::Tensor hinges = at::relu(options.margin - positive.unsqueeze(1) + hardest).sum(1);
  if (options.hinges == Reduction::mean) {  // those that meet their margin count as 0
    hinges = hinges / hardest.ne(kExcluded).sum(1).clamp_min(1);
  }
  return options.reduction == Reduction::sum ? hinges.sum() : hinges.mean();
}

std::shared_ptr<RetrievalLoss> make_triplet(const LossOptions& options) {
  return std::make_shared<Triplet>(options);
}

}  // namespace hinny
