#include "training/evaluation/training_hubs.h"

#include <algorithm>

#include "base/random.h"
#include "base/run_files.h"
#include "nn/layers.h"
#include "training/evaluation/encode_split.h"

namespace hinny {
namespace {

constexpr std::uint64_t kDrawn = 0x4ab5;  // apart from what else the seed draws

// At most `count` of them, in an order that the seed draws.
template <typename Item>
void draw(std::vector<Item>& items, std::int64_t count, std::uint64_t seed) {
  Random(mix_seed({seed, kDrawn})).shuffle(std::span(items));
  items.resize(std::min(items.size(), static_cast<std::size_t>(count)));
}

std::vector<float> numbers_in(const torch::Tensor& rows) {
  const std::span<const float> values = numbers_of(rows);
  return {values.begin(), values.end()};
}

struct HubCaption {
  std::size_t language;
  int position;
};

class Remembering {
 public:
  explicit Remembering(Experiment& e)
      : e_(e), settings_(e.recipe.hubs), images_(train_images(e.dataset, e.features)) {
    e_.system->eval();
  }

  HubBank result() {
    const ModelConfig config = e_.system->describe();
    HubBank bank{config.dim, settings_.temperature, settings_.weight, {}};
    std::map<std::string, std::vector<std::size_t>> spaces;
    for (std::size_t l = 0; l < e_.dataset.languages().size(); ++l) {
      const auto place = static_cast<std::size_t>(e_.system_language[l]);
      spaces[config.text.at(e_.recipe.languages[place]).space].push_back(l);
    }
    for (const auto& [name, languages] : spaces) {
      HubBank::Space& space = bank.spaces[name];
      add_captions(languages, space);
      add_images(languages.front(), space);
    }
    return bank;
  }

 private:
  std::uint64_t seed() const { return static_cast<std::uint64_t>(e_.recipe.train.seed); }

  void add_captions(const std::vector<std::size_t>& languages, HubBank::Space& space) {
    std::vector<HubCaption> all;
    for (const std::size_t l : languages) {
      for (const int image : images_) {
        for (const int caption : e_.dataset.captions_of(image, static_cast<int>(l))) {
          all.push_back({l, caption});
        }
      }
    }
    draw(all, settings_.size, seed());
    for (const std::size_t l : languages) {
      std::vector<int> own;
      for (const HubCaption& caption : all) {
        if (caption.language == l) own.push_back(caption.position);
      }
      if (own.empty()) continue;
      const std::vector<float> some =
          numbers_in(encode_captions(*e_.system, e_.builder, own, e_.system_language[l], nullptr));
      space.captions.insert(space.captions.end(), some.begin(), some.end());
      if (!e_.system->compares_pairs()) continue;
      for (const int caption : own) {
        space.lengths.push_back(static_cast<std::int64_t>(e_.corpus.caption(caption).size()));
      }
    }
  }

  void add_images(std::size_t language, HubBank::Space& space) {
    std::vector<int> some = images_;
    draw(some, settings_.size, seed());
    space.images = numbers_in(
        encode_images(*e_.system, e_.builder, some, e_.system_language[language], nullptr));
    if (e_.system->compares_pairs())
      space.regions = static_cast<std::size_t>(e_.features.regions());
  }

  Experiment& e_;
  const HubSettings& settings_;
  std::vector<int> images_;
};

}  // namespace

HubBank remember_hubs(Experiment& experiment) { return Remembering(experiment).result(); }

}  // namespace hinny
