// The losses of san, dan and scan: triplets, and harder negatives of types of captions.
#include "systems/region_system.h"

#include <ATen/ops/tensor.h>

#include <cmath>
#include <map>

#include "base/error.h"
#include "tests/small_system.h"

namespace hinny {
namespace {

using Weights = std::map<std::string, double>;

const LossByHand kRegionMax{.hardest = 1, .sum = true, .text_to_image = 1.5, .image_to_text = 0.5};

class RegionLosses : public testing::TestWithParam<const char*> {
 protected:
  static SmallSystem make(const SmallSystem::Keys& more) {
    SmallSystem::Keys keys = {std::string("system=") + GetParam(),
                              "text.encoder=gru",
                              "text.bidirectional=true",
                              "text.project=false",
                              "loss.kind=triplet",
                              "loss.margin=0.3",
                              "loss.mining=max",
                              "loss.reduction=sum",
                              "loss.text_to_image=1.5",
                              "loss.image_to_text=0.5",
                              "loss.temperature=0.2"};
    keys.insert(keys.end(), more.begin(), more.end());
    SmallSystem small(keys, {"en", "de"}, SmallSystem::kRegions);
    small.batch.languages[0].captions.by_machine =
        at::tensor({0, 1, 0, 1, 0, 1}, at::kLong).to(at::kBool);
    small.batch.languages[1].captions.by_machine =
        at::tensor({0, 0, 0, 0, 0}, at::kLong).to(at::kBool);
    return small;
  }
  // scores[caption][image]
  static Rows scores(const SmallSystem& small, std::size_t place) {
    const Batch::Language& entry = small.batch.languages[place];
    return numbers(
        small.system->pair_scores(small.batch.features, entry.captions, entry.language).t());
  }
  static double ranking(const SmallSystem& small, const LossByHand& loss, std::size_t place) {
    return ranking_of_scores(loss, scores(small, place),
                             SmallSystem::images_of(small.batch.languages[place].captions));
  }

  struct Scored {
    std::string type;
    std::size_t image = 0;
    Row scores;  // with each image
  };
  static std::vector<Scored> scored(const SmallSystem& small, bool by_source) {
    std::vector<Scored> all;
    for (const std::size_t place : {0U, 1U}) {
      const CaptionBatch& captions = small.batch.languages[place].captions;
      const Rows rows = scores(small, place);
      for (std::size_t c = 0; c < rows.size(); ++c) {
        const bool machine =
            by_source && captions.by_machine[static_cast<std::int64_t>(c)].item<bool>();
        all.push_back({std::string(place == 0 ? "en" : "de") + (machine ? ":machine" : ""),
                       static_cast<std::size_t>(SmallSystem::images_of(captions)[c]), rows[c]});
      }
    }
    return all;
  }
  // Huang et al. 2020, Eq. 9, a number at a time; betas sum to 1.
  static double harder(const std::vector<Scored>& captions, const Weights& betas, bool sum = true) {
    double total = 0;
    for (const Scored& t : captions) {
      double caption = 0, image = -1e9;
      for (const auto& [type, beta] : betas) {
        double hardest = -1e9;
        for (const Scored& other : captions) {
          if (other.type == type && other.image != t.image) {
            hardest = std::max(hardest, other.scores[t.image]);
          }
        }
        caption += beta * hardest;
      }
      for (std::size_t i = 0; i < t.scores.size(); ++i) {
        if (i != t.image) image = std::max(image, t.scores[i]);
      }
      total +=
          kRegionMax.image_to_text *
              std::max(0.0, kRegionMax.margin - t.scores[t.image] + caption) +
          kRegionMax.text_to_image * std::max(0.0, kRegionMax.margin - t.scores[t.image] + image);
    }
    return sum ? total : total / static_cast<double>(captions.size());
  }
};

INSTANTIATE_TEST_SUITE_P(Systems, RegionLosses, testing::Values("san", "dan", "scan"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(RegionLosses, AreTripletsOfEachLanguage) {
  const SmallSystem small = make({});
  expect_terms(small.losses(), {{"rank_en", ranking(small, kRegionMax, 0), 1},
                                {"rank_de", ranking(small, kRegionMax, 1), 1}});
}

TEST_P(RegionLosses, MayBeMixedOrCrossEntropy) {
  const SmallSystem mixed = make({"loss.mining=mixed", "loss.hardening=2"});
  mixed.system->set_stage(Stage::full, {0.3});
  const double hard = 1 - std::exp(-0.6);
  LossByHand all = kRegionMax;
  all.hardest = 100;
  const auto rank = [&](std::size_t place) {
    return (1 - hard) * ranking(mixed, all, place) + hard * ranking(mixed, kRegionMax, place);
  };
  expect_terms(mixed.losses(), {{"rank_en", rank(0), 1}, {"rank_de", rank(1), 1}});
  const SmallSystem entropy = make({"loss.kind=infonce"});
  LossByHand infonce = kRegionMax;
  infonce.temperature = 0.2;
  expect_terms(entropy.losses(), {{"rank_en", ranking(entropy, infonce, 0), 1},
                                  {"rank_de", ranking(entropy, infonce, 1), 1}});
}

TEST_P(RegionLosses, HarderNegativesAreOneTermOfAllLanguages) {
  const SmallSystem alike = make({"loss.harder_negatives=true"});
  const double value = harder(scored(alike, false), {{"en", 0.5}, {"de", 0.5}});
  expect_terms(alike.losses(), {{"rank", value, 1}});
  const SmallSystem weighed =
      make({"loss.harder_negatives=true", "loss.language_weights={en = 3, de = 1}"});
  const double other = harder(scored(weighed, false), {{"en", 0.75}, {"de", 0.25}});
  ASSERT_GT(std::abs(other - value), 1e-3);
  expect_terms(weighed.losses(), {{"rank", other, 1}});
  const SmallSystem mean = make({"loss.harder_negatives=true", "loss.reduction=mean"});
  expect_terms(mean.losses(),
               {{"rank", harder(scored(mean, false), {{"en", 0.5}, {"de", 0.5}}, false), 1}});
}

TEST_P(RegionLosses, HarderNegativesOfPeopleAndMachines) {
  const SmallSystem::Keys sources = {"loss.harder_negatives=true", "loss.types=sources"};
  const auto with = [&](const char* weights) {
    SmallSystem::Keys keys = sources;
    keys.emplace_back(std::string("loss.language_weights=") + weights);
    return make(keys);
  };
  const SmallSystem alike = make(sources);
  const double third = 1.0 / 3;
  expect_terms(
      alike.losses(),
      {{"rank", harder(scored(alike, true), {{"en", third}, {"en:machine", third}, {"de", third}}),
        1}});
  const SmallSystem each = with(R"({en = 5, "en:machine" = 1, de = 4})");
  expect_terms(
      each.losses(),
      {{"rank", harder(scored(each, true), {{"en", 0.5}, {"en:machine", 0.1}, {"de", 0.4}}), 1}});
  // Without a beta of its own a machine's captions have that of their language.
  const SmallSystem inherited = with("{en = 2, de = 1}");
  expect_terms(
      inherited.losses(),
      {{"rank", harder(scored(inherited, true), {{"en", 0.4}, {"en:machine", 0.4}, {"de", 0.2}}),
        1}});
}

TEST_P(RegionLosses, WarmUpHasNoHarderNegatives) {
  const SmallSystem small =
      make({"loss.harder_negatives=true", "loss.warmup_epochs=1", "loss.warmup=infonce"});
  small.system->set_stage(Stage::warmup, {0});
  LossByHand infonce = kRegionMax;
  infonce.temperature = 0.2;
  expect_terms(small.losses(), {{"rank_en", ranking(small, infonce, 0), 1},
                                {"rank_de", ranking(small, infonce, 1), 1}});
  small.system->set_stage(Stage::full, {0.1});
  expect_terms(small.losses(),
               {{"rank", harder(scored(small, false), {{"en", 0.5}, {"de", 0.5}}), 1}});
}

// Vectors of san and dan are compared by their dot products.
TEST_P(RegionLosses, ScoresAreThoseOfVectorsWhereThereAreVectors) {
  const SmallSystem small = make({});
  if (small.system->compares_pairs()) GTEST_SKIP() << "no vectors";
  const Rows of_vectors = scores_by_hand(LossByHand(), small.sentences(0).vectors, small.images(0));
  const Rows found = scores(small, 0);
  for (std::size_t c = 0; c < found.size(); ++c) {
    EXPECT_THAT(found[c], testing::Pointwise(testing::DoubleNear(1e-9), of_vectors[c]));
  }
}

}  // namespace
}  // namespace hinny
