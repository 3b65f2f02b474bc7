// A system of a few units in double precision, a batch for it, and what its losses should be.
#pragma once

#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>
#include <torch/utils.h>

#include <memory>
#include <string>
#include <vector>

#include "recipe/read_recipe.h"
#include "systems/retrieval_system.h"
#include "tests/loss_by_hand.h"

namespace hinny {

struct Wanted {
  std::string name;
  double value = 0;
  double weight = 1;
};

// The terms by name and order, their values and weights, and their sum, which is what is minimised.
// A value that is 0 would show nothing, so none may be.
inline void expect_terms(const std::vector<LossTerm>& found, const std::vector<Wanted>& wanted) {
  std::vector<std::string> names, wanted_names;
  for (const LossTerm& term : found) names.push_back(term.name);
  for (const Wanted& term : wanted) wanted_names.push_back(term.name);
  ASSERT_EQ(names, wanted_names);
  double total = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_GT(wanted[i].value, 1e-3) << names[i];
    EXPECT_NEAR(found[i].value.item<double>(), wanted[i].value, 1e-6) << names[i];
    EXPECT_DOUBLE_EQ(found[i].weight, wanted[i].weight) << names[i];
    total += wanted[i].weight * wanted[i].value;
  }
  EXPECT_NEAR(total_loss(found).item<double>(), total, 1e-6);
}

// Of 12 words a language and 5 images of 6 numbers, or of 3 regions of 6 numbers.
class SmallSystem {
 public:
  // Recipe keys, as in "loss.margin=0.3".
  using Keys = std::vector<std::string>;
  static constexpr std::int64_t kWords = 12, kImages = 5, kNumbers = 6, kRegions = 3;
  static constexpr std::int64_t kLetters = 7;  // of words known by their spelling

  explicit SmallSystem(const Keys& keys, std::vector<std::string> languages = {"en", "de"},
                       std::int64_t regions = 1)
      : languages_(std::move(languages)) {
    torch::manual_seed(7);
    SystemInput input;
    input.languages = languages_;
    input.vocabulary_sizes.assign(languages_.size(), kWords);
    input.feature_dim = regions * kNumbers;
    input.regions = regions;
    const SystemOptions chosen = options(keys);
    if (chosen.text.characters > 0) {
      input.characters = kLetters;
      const auto size = static_cast<std::size_t>(kWords * chosen.text.most_characters);
      for (std::size_t i = 0; i < size; ++i) {
        input.spelling.push_back(static_cast<std::int32_t>(i * i % kLetters));
      }
    }
    system = make_system(chosen, input);
    system->to(at::kDouble);
    system->eval();
    batch.features = at::randn({kImages, regions * kNumbers}, at::kDouble);
    for (std::size_t l = 0; l < languages_.size(); ++l) {
      batch.languages.push_back({SystemLanguage{static_cast<int>(l)}, captions(images_of(l))});
    }
    for (auto& item : system->named_parameters()) {  // away from zeros and starts of all kinds
      const torch::NoGradGuard no_gradient;
      if (item.key().find("loss.") == std::string::npos) {
        item.value().add_(0.3 * at::randn(item.value().sizes(), at::kDouble));
      }
    }
  }

  static SystemOptions options(const Keys& keys) {
    Recipe recipe;
    for (const char* small : {"dim=8", "text.dim=4", "text.hidden=8", "image.hidden=0"}) {
      set_key(recipe, small);
    }
    for (const std::string& key : keys) set_key(recipe, key);
    return recipe.model;
  }

  // The later of two assignments to a key counts.
  static Keys joined(Keys keys, const Keys& more) {
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
  }

  std::vector<LossTerm> losses() const { return system->losses(batch); }
  torch::Tensor parameter(const std::string& name) const {
    return system->named_parameters()[name];
  }

  // Captions with these images' rows, of one to four random words.
  static CaptionBatch captions(const std::vector<std::int64_t>& images) {
    std::vector<std::vector<std::int32_t>> words;
    for (std::size_t i = 0; i < images.size(); ++i) {
      const torch::Tensor ids =
          at::randint(4, kWords, {static_cast<std::int64_t>(1 + i % 4)}, at::kInt);
      words.emplace_back(ids.data_ptr<std::int32_t>(), ids.data_ptr<std::int32_t>() + ids.numel());
    }
    CaptionBatch batch = caption_batch(words, at::kCPU);
    batch.rows = at::tensor(images, at::kLong);
    return batch;
  }

  static std::vector<int> images_of(const CaptionBatch& captions) {
    const auto* first = captions.rows.data_ptr<std::int64_t>();
    return {first, first + captions.rows.numel()};
  }
  // What the system makes of the batch's captions in the language at this place of the batch.
  Items sentences(std::size_t place) const { return sentences(batch.languages[place]); }
  Items sentences(const Batch::Language& entry) const {
    return {numbers(system->encode_captions(entry.captions, entry.language)),
            images_of(entry.captions)};
  }
  Rows images(std::size_t place) const {
    return numbers(system->encode_images(batch.features, batch.languages[place].language));
  }
  // The images against the captions of one of the batch's languages.
  double ranking(const LossByHand& loss, std::size_t place) const {
    return ranking_by_hand(loss, sentences(place), images(place));
  }

  std::shared_ptr<RetrievalSystem> system;
  Batch batch;

 private:
  // Some images have two captions in a language and some none.
  static std::vector<std::int64_t> images_of(std::size_t language) {
    const std::vector<std::vector<std::int64_t>> images = {
        {0, 0, 1, 2, 3, 3}, {0, 1, 1, 2, 4}, {4, 2, 2, 0, 1, 1, 3}};
    return images[language];
  }

  std::vector<std::string> languages_;
};

}  // namespace hinny
