#include "training/evaluation/spread.h"

#include <ATen/ops/cat.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "data/feature_facts.h"
#include "retrieval/recall.h"
#include "training/evaluation/encode_split.h"
#include "training/evaluation/evaluate.h"

namespace hinny {
namespace {

constexpr double kCollapsed = 0.02;  // spread that counts as one point
constexpr std::size_t kSome = 256;   // images and captions to look at where there is no validation

std::string counted(std::size_t some, std::size_t all, const std::string& of) {
  return some == all ? fmt::format("all {} {}", all, of)
                     : fmt::format("{} of {} {}", some, all, of);
}

// Of a language's captions on the images, evenly chosen.
std::vector<int> some_captions(const Dataset& dataset, const std::vector<int>& images,
                               std::size_t language) {
  std::vector<int> all;
  for (const int image : images) {
    const auto& own = dataset.captions_of(image, static_cast<int>(language));
    all.insert(all.end(), own.begin(), own.end());
  }
  std::vector<int> some;
  const std::size_t every = 1 + all.size() / kSome;
  for (std::size_t i = 0; i < all.size(); i += every) some.push_back(all[i]);
  return some;
}

std::optional<std::string> as_sentence(const std::vector<std::string>& collapsed) {
  if (collapsed.empty()) return std::nullopt;
  return fmt::format(
      "the model has collapsed: {} lie almost in one point. Try loss.warmup_epochs, better "
      "text.vectors or another train.learning_rate (docs/recipes.md)",
      fmt::join(collapsed, " and "));
}

std::string name_of_captions(const std::string& language) { return "captions in " + language; }

}  // namespace

double spread_of(const torch::Tensor& rows) {
  if (rows.size(0) == 0) return 1;
  const double square = rows.square().sum(1).mean().item<double>();
  return square == 0 ? 0.0 : 1.0 - rows.mean(0).square().sum().item<double>() / square;
}

double spread_of(const ScoreMatrix& scores) {
  if (scores.values.empty()) return 1;
  const auto [low, high] = std::ranges::minmax_element(scores.values);
  return static_cast<double>(*high) - static_cast<double>(*low);
}

void warn_of_length_0(const torch::Tensor& rows, const std::string& of, Warnings& warnings) {
  const std::string kind = "length 0: " + of;
  if (warnings.has(kind)) return;
  const auto all = static_cast<std::size_t>(rows.size(0));
  const auto none = static_cast<std::size_t>(rows.square().sum(1).eq(0).sum().item<std::int64_t>());
  if (none == 0) return;
  warnings.say(kind, fmt::format("{} have vectors of length 0: nothing tells them apart, and they "
                                 "are as near to everything as to nothing",
                                 counted(none, all, of)));
}

void warn_of_features(const Features& features, const std::vector<int>& images,
                      Warnings& warnings) {
  const FeatureFacts facts = feature_facts(features, images);
  const std::string of = fmt::format("features '{}': ", features.names());
  if (facts.all_equal()) {
    return warnings.say("features", of + fmt::format("the numbers of all {} training images are "
                                                     "the same: no image can be told from another",
                                                     facts.images));
  }
  if (facts.zero > 0) {
    warnings.say("zero features",
                 of + fmt::format("{} have nothing but zeros",
                                  counted(facts.zero, facts.images, "training images")));
  }
  if (facts.constant > 0) {
    warnings.say("constant features",
                 of + fmt::format("{} of {} numbers are the same for every training image",
                                  facts.constant, facts.numbers));
  }
}

std::optional<std::string> collapse_in(const Evaluation& evaluation) {
  const double chance = 100.0 * (1 + 5 + 10) / 3 / static_cast<double>(evaluation.table.images);
  const auto lies = [&](const std::string& what) {
    const auto found = evaluation.spread.find(what);
    return found != evaluation.spread.end() && found->second < kCollapsed;
  };
  std::vector<std::string> collapsed;
  bool near_chance = false;
  for (const LanguageRecall& recall : evaluation.table.languages) {
    if (recall.mean() >= 4 * chance) continue;
    near_chance = true;
    if (lies(recall.language)) collapsed.push_back(name_of_captions(recall.language));
  }
  if (near_chance && lies("pictures")) collapsed.emplace_back("pictures");
  return as_sentence(collapsed);
}

std::optional<std::string> collapse_in_training(Experiment& experiment) {
  RetrievalSystem& system = *experiment.system;
  system.eval();
  if (!experiment.dataset.has_split("train")) return std::nullopt;  // lines of another folder
  std::vector<int> images = experiment.dataset.split("train");
  if (!experiment.sentences_alone) images = train_images(experiment.dataset, experiment.features);
  images.resize(std::min(images.size(), kSome));
  std::vector<std::string> collapsed;
  for (std::size_t l = 0; l < experiment.dataset.languages().size(); ++l) {
    const std::vector<int> captions = some_captions(experiment.dataset, images, l);
    if (captions.size() < 2) continue;
    const SystemLanguage language = experiment.system_language[l];
    const double spread =
        system.compares_pairs()
            ? spread_of(
                  score_pairs(system, experiment.builder, images, captions, language, nullptr))
            : spread_of(encode_captions(system, experiment.builder, captions, language, nullptr));
    if (spread < kCollapsed) {
      collapsed.push_back(name_of_captions(experiment.dataset.languages()[l]));
    }
  }
  if (!experiment.sentences_alone && !system.compares_pairs() && images.size() > 1) {
    const torch::Tensor pictures = encode_images(system, experiment.builder, images,
                                                 experiment.system_language.front(), nullptr);
    warn_of_length_0(pictures, "training pictures looked at", experiment.warnings);
    if (spread_of(pictures) < kCollapsed) collapsed.emplace_back("pictures");
  }
  return as_sentence(collapsed);
}

}  // namespace hinny
