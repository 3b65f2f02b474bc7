#include "systems/mule.h"

#include <ATen/ops/cat.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "tests/word_space.h"

namespace hinny {
namespace {

const SmallSystem::Keys kMule = {"system=mule",
                                 "text.encoder=lstm",
                                 "text.mule_dim=6",
                                 "loss.kind=triplet",
                                 "loss.margin=0.3",
                                 "loss.mining=hardest",
                                 "loss.hardest=2",
                                 "loss.text_to_image=1.5",
                                 "loss.distance=euclidean",
                                 "loss.temperature=0.2",
                                 "loss.neighbourhood=0.4",
                                 "loss.neighbours=any",
                                 "loss.neighbourhood_layers=both",
                                 "loss.adversary=0.2",
                                 "loss.word_drift=0.3",
                                 "pretrain.epochs=1"};
const LossByHand kMuleTriplet{.hardest = 2, .distance = "euclidean", .text_to_image = 1.5};
const LossByHand kMuleInfoNce{.temperature = 0.2, .distance = "euclidean", .text_to_image = 1.5};

SmallSystem::Keys mule_with(const SmallSystem::Keys& more) {
  return SmallSystem::joined(kMule, more);
}

class ByHand {
 public:
  explicit ByHand(const SmallSystem& small) : small_(small) {}

  Items space(std::size_t place) const {
    return units_in_space(small_, name(place), captions(place));
  }
  double near_mule(const LossByHand& loss) const {
    return near_by_hand(loss, together({space(0), space(1)}));
  }
  double near_joint(const LossByHand& loss) const {
    return near_by_hand(loss, together({small_.sentences(0), small_.sentences(1)}));
  }
  // -log of the probability that the classifier gives each caption's language, the mean; with the
  // gradients of autograd.
  torch::Tensor classified() const {
    std::vector<torch::Tensor> losses;
    for (const std::size_t place : {0U, 1U}) {
      const torch::Tensor logits = means_in_space(small_, name(place), captions(place))
                                       .matmul(small_.parameter("adversary.fc.weight").t()) +
                                   small_.parameter("adversary.fc.bias");
      const auto language = static_cast<std::int64_t>(place);
      losses.push_back(logits.exp().sum(1).log() - logits.select(1, language));
    }
    return at::cat(losses).mean();
  }
  double drift(std::size_t place) const {
    double sum = 0;
    const Rows now = numbers(small_.parameter("text_" + name(place) + ".words"));
    const Rows first =
        numbers(small_.system->named_buffers()["text_" + name(place) + ".words_start"]);
    for (std::size_t word = 0; word < now.size(); ++word) {
      for (std::size_t i = 0; i < now[word].size(); ++i) {
        sum += std::pow(now[word][i] - first[word][i], 2);
      }
    }
    return sum / 2;
  }
  std::vector<Wanted> all(const LossByHand& loss) const {
    return {{"rank_en", small_.ranking(loss, 0), 1},
            {"rank_de", small_.ranking(loss, 1), 1},
            {"near_joint", near_joint(loss), 0.4},
            {"near_mule", near_mule(loss), 0.4},
            {"adversary", classified().item<double>(), 0.2},
            {"drift_en", drift(0), 0.15},
            {"drift_de", drift(1), 0.15}};
  }

 private:
  static std::string name(std::size_t place) { return place == 0 ? "en" : "de"; }
  const CaptionBatch& captions(std::size_t place) const {
    return small_.batch.languages[place].captions;
  }
  const SmallSystem& small_;
};

TEST(Mule, LossHasEveryPartOfEquationFour) {
  const SmallSystem small(kMule);
  expect_terms(small.losses(), ByHand(small).all(kMuleTriplet));
}

TEST(Mule, NeighboursInEachSpaceByItself) {
  for (const std::string layers : {"joint", "mule"}) {
    const SmallSystem small(mule_with({"loss.neighbourhood_layers=" + layers}));
    std::vector<Wanted> wanted = ByHand(small).all(kMuleTriplet);
    const std::string left_out = layers == "joint" ? "near_mule" : "near_joint";
    std::erase_if(wanted, [&](const Wanted& term) { return term.name == left_out; });
    expect_terms(small.losses(), wanted);
  }
}

TEST(Mule, PartsOfWeightZeroAreLeftOut) {
  const SmallSystem small(
      mule_with({"loss.neighbourhood=0", "loss.adversary=0", "loss.word_drift=0"}));
  expect_terms(small.losses(), {{"rank_en", small.ranking(kMuleTriplet, 0), 1},
                                {"rank_de", small.ranking(kMuleTriplet, 1), 1}});
}

TEST(Mule, WarmUpHasEveryPartByItsOwnLoss) {
  const SmallSystem small(mule_with({"loss.warmup_epochs=1", "loss.warmup=infonce"}));
  small.system->set_stage(Stage::warmup, {0});
  expect_terms(small.losses(), ByHand(small).all(kMuleInfoNce));
}

// Whatever the weights are afterwards; words stay as they are given.
TEST(Mule, PretrainingIsNeighboursInTheSharedSpaceAlone) {
  const LossByHand all{.distance = "euclidean"};
  const std::pair<const char*, LossByHand> ways[] = {
      {"recipe", kMuleTriplet}, {"infonce", kMuleInfoNce}, {"all", all}};
  for (const auto& [way, loss] : ways) {
    const SmallSystem small(
        mule_with({std::string("pretrain.loss=") + way, "loss.neighbourhood=0"}));
    small.system->set_stage(Stage::pretrain, {0});
    const std::vector<LossTerm> terms = small.losses();
    expect_terms(terms, {{"near_mule", ByHand(small).near_mule(loss), 1}});
    total_loss(terms).backward();
    EXPECT_FALSE(small.parameter("text_en.words").grad().defined());
    EXPECT_GT(small.parameter("text_en.space.weight").grad().abs().sum().item<double>(), 1e-3);
    small.system->set_stage(Stage::full, {0});
    total_loss(small.losses()).backward();
    EXPECT_GT(small.parameter("text_en.words").grad().abs().sum().item<double>(), 1e-3);
  }
}

TEST(Mule, PretrainingWithNeighboursOfPairsOfLanguages) {
  const SmallSystem small(mule_with({"pretrain.loss=recipe", "loss.neighbours=pairs",
                                     "loss.neighbourhood=0", "loss.cross_neighbourhood=0"}));
  small.system->set_stage(Stage::pretrain, {0});
  const ByHand by_hand(small);
  const Items en = by_hand.space(0), de = by_hand.space(1);
  expect_terms(small.losses(), {{"near_mule_en", near_by_hand(kMuleTriplet, en), 1},
                                {"near_mule_en_de", near_by_hand(kMuleTriplet, en, de, false), 1},
                                {"near_mule_de", near_by_hand(kMuleTriplet, de), 1}});
}

// The classifier learns to tell languages apart; the words learn the opposite, the more the longer
// the training lasts.
TEST(Mule, AdversaryReversesTheGradientOfWords) {
  const auto gradient = [](const SmallSystem& small, const torch::Tensor& loss,
                           const std::string& of) {
    return torch::autograd::grad({loss}, {small.parameter(of)}).front();
  };
  const SmallSystem small(kMule);
  for (const double done : {0.05, 0.5}) {
    small.system->set_stage(Stage::full, {done});
    const double strength = 2 / (1 + std::exp(-10 * done)) - 1;
    for (const auto& [of, factor] : {std::pair<const char*, double>{"adversary.fc.weight", 1.0},
                                     {"text_en.space.weight", -strength},
                                     {"text_de.words", -strength}}) {
      torch::Tensor adversary;
      for (const LossTerm& term : small.losses()) {
        if (term.name == "adversary") adversary = term.value;
      }
      const torch::Tensor plain = gradient(small, ByHand(small).classified(), of);
      const torch::Tensor found = gradient(small, adversary, of);
      EXPECT_GT(plain.abs().max().item<double>(), 1e-3);
      EXPECT_LT((found - factor * plain).abs().max().item<double>(), 1e-7) << of << " " << done;
    }
  }
}

}  // namespace
}  // namespace hinny
