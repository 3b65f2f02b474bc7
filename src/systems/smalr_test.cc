#include "systems/smalr.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>

#include <cmath>

#include "tests/word_space.h"

namespace hinny {
namespace {

const SmallSystem::Keys kSmalr = {"system=smalr",        "text.encoder=lstm",
                                  "text.mule_dim=6",     "loss.kind=triplet",
                                  "loss.margin=0.3",     "loss.mining=hardest",
                                  "loss.hardest=2",      "loss.neighbourhood=0.4",
                                  "loss.neighbours=any", "loss.neighbourhood_layers=joint",
                                  "loss.adversary=0",    "loss.word_drift=0",
                                  "loss.masked=0.6",     "loss.masked_ranking=0.8",
                                  "loss.mask_share=1",   "pretrain.epochs=1"};
const LossByHand kSmalrTriplet{.hardest = 2};

SmallSystem::Keys smalr_with(const SmallSystem::Keys& more) {
  return SmallSystem::joined(kSmalr, more);
}

// With mask_share = 1 every word is masked, and the mask is made the vector of one word of each
// language: what a masked sentence is can then be asked of the system by repeating that word.
class Masked {
 public:
  static constexpr std::int64_t kMask = 5;

  explicit Masked(const std::vector<std::string>& languages, const SmallSystem::Keys& more = {})
      : small(smalr_with(more), languages), languages_(languages) {
    const torch::NoGradGuard no_gradient;
    const torch::Tensor mask = small.parameter("masking.vector");
    for (const std::string& language : languages_) {
      // word = 0, so that it is the layer's bias
      small.parameter("text_" + language + ".words")[kMask].zero_();
      small.parameter("text_" + language + ".space.bias").copy_(mask[0]);
    }
    for (const Batch::Language& entry : small.batch.languages) {
      masked_.push_back(entry);
      masked_.back().captions.ids = at::full_like(entry.captions.ids, kMask);
    }
  }

  double masked_ranking(std::size_t place) const {
    return ranking_by_hand(kSmalrTriplet, small.sentences(masked_[place]), small.images(place));
  }
  // The masked cross-language model on averaged and on final sentences of two languages.
  double reconstruction(std::size_t i, std::size_t j) const {
    return missing("averaged", i, j, means(whole(i)), means(masked_[i]), means(whole(j)),
                   means(masked_[j])) +
           missing("final", i, j, small.sentences(i).vectors, small.sentences(masked_[i]).vectors,
                   small.sentences(j).vectors, small.sentences(masked_[j]).vectors);
  }

  SmallSystem small;

 private:
  const Batch::Language& whole(std::size_t place) const { return small.batch.languages[place]; }
  Rows means(const Batch::Language& entry) const {
    const std::string& language = languages_[static_cast<std::size_t>(entry.language)];
    return numbers(means_in_space(small, language, entry.captions));
  }
  // For the first caption of each image in both languages: how far what the layer adds to the
  // masked sentences leaves them from the whole ones, as unit vectors.
  double missing(const std::string& layer, std::size_t i, std::size_t j, const Rows& whole_i,
                 const Rows& masked_i, const Rows& whole_j, const Rows& masked_j) const {
    const Rows weight = numbers(small.parameter("masking." + layer + ".weight"));
    const Rows bias = numbers(small.parameter("masking." + layer + ".bias").unsqueeze(0));
    const std::vector<int> images_i = SmallSystem::images_of(whole(i).captions);
    const std::vector<int> images_j = SmallSystem::images_of(whole(j).captions);
    double sum = 0;
    int pairs = 0;
    for (int image = 0; image < SmallSystem::kImages; ++image) {
      const auto a = std::ranges::find(images_i, image), b = std::ranges::find(images_j, image);
      if (a == images_i.end() || b == images_j.end()) continue;
      const auto of_a = static_cast<std::size_t>(a - images_i.begin());
      const auto of_b = static_cast<std::size_t>(b - images_j.begin());
      Row both = masked_i[of_a];
      both.insert(both.end(), masked_j[of_b].begin(), masked_j[of_b].end());
      Row filled = both;
      for (std::size_t row = 0; row < both.size(); ++row) {
        filled[row] += bias[0][row];
        for (std::size_t k = 0; k < both.size(); ++k) filled[row] += weight[row][k] * both[k];
      }
      const auto half = static_cast<std::ptrdiff_t>(both.size() / 2);
      sum += apart(Row(filled.begin(), filled.begin() + half), whole_i[of_a]) +
             apart(Row(filled.begin() + half, filled.end()), whole_j[of_b]);
      ++pairs;
    }
    return sum / pairs;
  }
  static double apart(const Row& a, const Row& b) {
    const Row x = unit(a), y = unit(b);
    double squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) squares += std::pow(x[i] - y[i], 2);
    return std::sqrt(squares);
  }

  std::vector<std::string> languages_;
  std::vector<Batch::Language> masked_;  // the batch's captions with every word masked
};

std::vector<Wanted> of_mule(const SmallSystem& small, std::size_t languages) {
  const char* names[] = {"en", "de", "fr"};
  std::vector<Wanted> terms;
  std::vector<Items> sentences;
  for (std::size_t i = 0; i < languages; ++i) {
    terms.push_back({std::string("rank_") + names[i], small.ranking(kSmalrTriplet, i), 1});
    sentences.push_back(small.sentences(i));
  }
  terms.push_back({"near_joint", near_by_hand(kSmalrTriplet, together(sentences)), 0.4});
  return terms;
}

TEST(Smalr, LossIsMulesAndThatOfMaskedSentences) {
  const Masked masked({"en", "de", "fr"});
  std::vector<Wanted> wanted = of_mule(masked.small, 3);
  wanted.insert(wanted.end(), {{"masked_rank_en", masked.masked_ranking(0), 0.8},
                               {"masked_rank_de", masked.masked_ranking(1), 0.8},
                               {"masked_rank_fr", masked.masked_ranking(2), 0.8},
                               {"masked_en_de", masked.reconstruction(0, 1), 0.6},
                               {"masked_en_fr", masked.reconstruction(0, 2), 0.6},
                               {"masked_de_fr", masked.reconstruction(1, 2), 0.6}});
  expect_terms(masked.small.losses(), wanted);
}

TEST(Smalr, MaskedSentencesNeedNotBeRanked) {
  const Masked masked({"en", "de"}, {"loss.masked_ranking=0"});
  std::vector<Wanted> wanted = of_mule(masked.small, 2);
  wanted.push_back({"masked_en_de", masked.reconstruction(0, 1), 0.6});
  expect_terms(masked.small.losses(), wanted);
}

TEST(Smalr, ShareOfMaskedWords) {
  const auto rank = [](const char* share) {
    const Masked masked({"en", "de"}, {std::string("loss.mask_share=") + share});
    const std::vector<LossTerm> terms = masked.small.losses();
    EXPECT_EQ(terms[3].name, "masked_rank_en");
    const double plain = terms[0].value.item<double>(), all = masked.masked_ranking(0);
    EXPECT_GT(std::abs(plain - all), 1e-3);
    return std::pair(std::abs(terms[3].value.item<double>() - plain),
                     std::abs(terms[3].value.item<double>() - all));
  };
  EXPECT_LT(rank("0").first, 1e-9);  // nothing is masked
  EXPECT_LT(rank("1").second, 1e-9);
  EXPECT_GT(rank("0.5").first, 1e-3);
  EXPECT_GT(rank("0.5").second, 1e-3);
}

TEST(Smalr, WithoutMaskingLossIsMules) {
  const SmallSystem small(smalr_with({"loss.masked=0"}));
  expect_terms(small.losses(), of_mule(small, 2));
}

TEST(Smalr, PretrainingIsMules) {
  const SmallSystem small(smalr_with({"pretrain.loss=recipe"}));
  small.system->set_stage(Stage::pretrain, {0});
  const auto space = [&](std::size_t place, const char* language) {
    return units_in_space(small, language, small.batch.languages[place].captions);
  };
  const Items both = together({space(0, "en"), space(1, "de")});
  expect_terms(small.losses(), {{"near_mule", near_by_hand(kSmalrTriplet, both), 1}});
}

}  // namespace
}  // namespace hinny
