#include "nn/loss.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "nn/info_nce.h"
#include "nn/layers.h"
#include "nn/neighbourhood.h"
#include "nn/similarity.h"
#include "nn/triplet.h"

namespace hinny {
namespace {

// Two captions of image 0, one of 1, one of 2, none of 3.
torch::Tensor rows() { return at::tensor({0, 0, 1, 2}, at::kLong); }

torch::Tensor random_unit(std::int64_t count, std::int64_t dim, std::uint64_t seed) {
  torch::manual_seed(seed);
  return unit_rows(at::rand({count, dim}, at::kDouble) - 0.5);
}

// Compares the gradient with central differences in every coordinate.
void expect_gradient(const std::function<torch::Tensor(const torch::Tensor&)>& f,
                     const torch::Tensor& at_point) {
  torch::Tensor x = at_point.detach().clone().set_requires_grad(true);
  f(x).backward();
  const torch::Tensor& analytic = x.grad();
  const torch::NoGradGuard no_gradient;
  torch::Tensor flat = x.detach().clone();
  auto* numbers = flat.data_ptr<double>();
  constexpr double kStep = 1e-6;
  for (std::int64_t i = 0; i < flat.numel(); ++i) {
    const double kept = numbers[i];
    numbers[i] = kept + kStep;
    const auto above = f(flat).item<double>();
    numbers[i] = kept - kStep;
    const auto below = f(flat).item<double>();
    numbers[i] = kept;
    EXPECT_NEAR(analytic.flatten()[i].item<double>(), (above - below) / (2 * kStep), 1e-6) << i;
  }
}

struct Case {
  const char* name;
  LossOptions options;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const char* name, const std::function<void(LossOptions&)>& change) {
    LossOptions options;
    options.margin = 0.3;
    options.hardest = 2;
    change(options);
    all.push_back({name, options});
  };
  add("all", [](LossOptions& o) { o.mining = Mining::all; });
  add("hardest", [](LossOptions& o) { o.mining = Mining::hardest; });
  add("max_sum", [](LossOptions& o) { o.mining = Mining::max, o.reduction = Reduction::sum; });
  add("euclidean", [](LossOptions& o) { o.distance = Distance::euclidean; });
  add("order", [](LossOptions& o) { o.distance = Distance::order, o.mining = Mining::all; });
  // The two captions of image 0 have two negatives each: fewer than three count.
  add("mean_of_hinges", [](LossOptions& o) { o.hinges = Reduction::mean, o.hardest = 3; });
  add("mean_of_all_hinges",
      [](LossOptions& o) { o.hinges = Reduction::mean, o.mining = Mining::all; });
  add("weights", [](LossOptions& o) { o.text_to_image = 1.5, o.image_to_text = 0.25; });
  add("infonce", [](LossOptions& o) { o.kind = LossKind::infonce, o.temperature = 0.2; });
  return all;
}

class LossTest : public testing::TestWithParam<Case> {};

TEST_P(LossTest, GradientsAgreeWithNumericJacobian) {
  const auto loss = make_loss(GetParam().options);
  loss->to(at::kDouble);
  const torch::Tensor images = random_unit(4, 5, 1);
  const torch::Tensor captions = random_unit(4, 5, 2);
  expect_gradient([&](const torch::Tensor& x) { return loss->forward(x, captions, rows()); },
                  images);
  expect_gradient([&](const torch::Tensor& x) { return loss->forward(images, x, rows()); },
                  captions);
}

// The definition, one triplet at a time.
double reference(const LossOptions& o, const torch::Tensor& images, const torch::Tensor& captions) {
  const torch::Tensor s = similarity(captions, images, o.distance);
  const auto score = [&](int c, std::int64_t i) { return s[c][i].item<double>(); };
  const std::vector<std::int64_t> own = {0, 0, 1, 2};
  double total = 0;
  for (const bool text : {true, false}) {
    double direction = 0;
    for (int c = 0; c < 4; ++c) {
      std::vector<double> negatives;
      if (text) {
        for (std::int64_t i = 0; i < 4; ++i) {
          if (i != own[static_cast<std::size_t>(c)]) negatives.push_back(score(c, i));
        }
      } else {
        const std::int64_t image = own[static_cast<std::size_t>(c)];
        for (int d = 0; d < 4; ++d) {
          if (own[static_cast<std::size_t>(d)] != image) negatives.push_back(score(d, image));
        }
      }
      const double positive = score(c, own[static_cast<std::size_t>(c)]);
      if (o.kind == LossKind::infonce) {
        double sum = std::exp(positive / o.temperature);
        for (const double n : negatives) sum += std::exp(n / o.temperature);
        direction += std::log(sum) - positive / o.temperature;
        continue;
      }
      std::sort(negatives.rbegin(), negatives.rend());
      std::size_t keep = negatives.size();
      if (o.mining == Mining::max) keep = 1;
      if (o.mining == Mining::hardest) keep = std::min(keep, static_cast<std::size_t>(o.hardest));
      const double each = o.hinges == Reduction::mean ? 1 / static_cast<double>(keep) : 1;
      for (std::size_t n = 0; n < keep; ++n) {
        direction += each * std::max(0.0, o.margin - positive + negatives[n]);
      }
    }
    if (o.reduction == Reduction::mean || o.kind == LossKind::infonce) direction /= 4;
    total += (text ? o.text_to_image : o.image_to_text) * direction;
  }
  return total;
}

TEST_P(LossTest, EqualsItsDefinitionComputedTripletByTriplet) {
  const auto loss = make_loss(GetParam().options);
  loss->to(at::kDouble);
  const torch::Tensor images = random_unit(4, 5, 3);
  const torch::Tensor captions = random_unit(4, 5, 4);
  EXPECT_NEAR(loss->forward(images, captions, rows()).item<double>(),
              reference(GetParam().options, images, captions), 1e-6);
}

TEST_P(LossTest, OfPairsComparedAlreadyIsTheSame) {
  const auto loss = make_loss(GetParam().options);
  loss->to(at::kDouble);
  const torch::Tensor images = random_unit(4, 5, 3);
  const torch::Tensor captions = random_unit(4, 5, 4);
  EXPECT_NEAR(loss->of_scores(similarity(captions, images, GetParam().options.distance), rows())
                  .item<double>(),
              reference(GetParam().options, images, captions), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, LossTest, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

// LIWE: from all negatives to the worst.
TEST(Triplet, MixesAllNegativesWithTheWorst) {
  const auto value = [](Mining mining, double share) {
    LossOptions options;
    options.margin = 0.3;
    options.mining = mining;
    options.reduction = Reduction::sum;
    const auto loss = make_loss(options);
    loss->set_hard_share(share);
    return loss->forward(random_unit(4, 5, 3), random_unit(4, 5, 4), rows()).item<double>();
  };
  const double all = value(Mining::all, 0), max = value(Mining::max, 0);
  ASSERT_GT(all, max + 0.1);
  EXPECT_NEAR(value(Mining::mixed, 0), all, 1e-6);
  EXPECT_NEAR(value(Mining::mixed, 1), max, 1e-6);
  EXPECT_NEAR(value(Mining::mixed, 0.25), 0.75 * all + 0.25 * max, 1e-6);
}

// The module's own passes against libtorch's operators: several captions an image, and an image
// that no other caption can be told from.
TEST(InfoNce, EqualsLibtorchsOperators) {
  const auto check = [](const torch::Tensor& rows, std::int64_t images, double text_to_image,
                        double image_to_text) {
    LossOptions options;
    options.kind = LossKind::infonce;
    options.text_to_image = text_to_image;
    options.image_to_text = image_to_text;
    const auto loss = make_loss(options);
    loss->to(at::kDouble);
    torch::Tensor scale = loss->parameters().front();
    torch::manual_seed(2);
    torch::Tensor ours = at::rand({rows.size(0), images}, at::kDouble).set_requires_grad(true);
    torch::Tensor theirs = ours.detach().clone().set_requires_grad(true);
    torch::Tensor log_scale = scale.detach().clone().set_requires_grad(true);
    const torch::Tensor value = loss->of_scores(ours, rows);
    const torch::Tensor expected = info_nce_by_operators(theirs, log_scale, rows, options);
    (3 * value).backward();
    (3 * expected).backward();
    EXPECT_NEAR(value.item<double>(), expected.item<double>(), 1e-12);
    EXPECT_TRUE(ours.grad().allclose(theirs.grad(), 1e-9, 1e-12));
    EXPECT_NEAR(scale.grad().item<double>(), log_scale.grad().item<double>(), 1e-9);
  };
  check(rows(), 4, 1, 1);
  check(rows(), 4, 0.5, 2);
  check(rows(), 4, 1, 0);
  check(rows(), 4, 0, 1);
  check(at::tensor({1, 1, 1}, at::kLong), 3, 1, 1);
  check(at::tensor({0}, at::kLong), 1, 1, 1);
  check(at::tensor({0, 5, 36, 5, 12}, at::kLong), 37, 1.5, 0.5);
}

TEST(InfoNce, LearnsItsTemperature) {
  LossOptions options;
  options.kind = LossKind::infonce;
  const auto loss = make_loss(options);
  loss->to(at::kDouble);
  loss->forward(random_unit(4, 5, 1), random_unit(4, 5, 2), rows()).backward();
  ASSERT_EQ(loss->parameters().size(), 1U);
  EXPECT_NE(loss->parameters()[0].grad().item<double>(), 0.0);
}

TEST(Neighbourhood, HasTheGradientOfDifferences) {
  LossOptions options;
  options.margin = 0.3;
  options.mining = Mining::hardest;
  options.hardest = 2;
  options.distance = Distance::euclidean;
  for (const LossKind kind : {LossKind::triplet, LossKind::infonce}) {
    options.kind = kind;
    expect_gradient(
        [&](const torch::Tensor& x) {
          return neighbourhood_loss({x, rows()}, options);
        },
        random_unit(4, 5, 7));
  }
}

// Pieces of three rows of 512 x 700 numbers each, beside one expression for all.
TEST(OrderSimilarity, IsTheSameInPieces) {
  torch::manual_seed(1);
  torch::Tensor a = at::rand({8, 700}).set_requires_grad(true);
  torch::Tensor b = at::rand({512, 700}).set_requires_grad(true);
  const torch::Tensor weights = at::rand({8, 512});
  const torch::Tensor whole = -(a.unsqueeze(1) - b.unsqueeze(0)).clamp_min(0).square().sum(2);
  const auto expected = torch::autograd::grad({(whole * weights).sum()}, {a, b});
  const torch::Tensor pieces = order_similarity(a, b);
  const auto found = torch::autograd::grad({(pieces * weights).sum()}, {a, b});
  EXPECT_TRUE(at::allclose(pieces, whole, 1e-4, 1e-4));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(at::allclose(found[i], expected[i], 1e-4, 1e-3)) << i;
  }
}

}  // namespace
}  // namespace hinny
