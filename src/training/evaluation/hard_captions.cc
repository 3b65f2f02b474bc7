#include "training/evaluation/hard_captions.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/progress.h"
#include "retrieval/ranker.h"
#include "training/evaluation/split_scorer.h"

namespace hinny {
namespace {

// The row of the image with the largest score.
std::size_t best_image(const ScoreMatrix& scores, std::size_t caption) {
  std::size_t best = 0;
  const auto score = [&](std::size_t image) {
    return scores.values[image * scores.captions + caption];
  };
  for (std::size_t image = 1; image < scores.images; ++image) {
    if (score(image) > score(best)) best = image;
  }
  return best;
}

// Up to `most` of them, at even distances.
std::vector<std::size_t> some_of(const std::vector<std::size_t>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
  return some;
}

}  // namespace

HardCaptions hard_captions(std::span<const std::unique_ptr<Experiment>> experiments,
                           const std::string& split, std::size_t each) {
  std::vector<SplitScorer> scorers;
  for (const auto& experiment : experiments) {
    scorers.emplace_back(*experiment, split);
    scorers.front().check_same_images(scorers.back());
  }
  const Dataset& dataset = experiments.front()->dataset;
  HardCaptions result;
  Progress progress("evaluate " + split, 0);
  for (const std::size_t l : scorers.front().languages()) {
    const SplitCaptions captions = scorers.front().captions(l);
    std::vector<bool> missed(captions.captions.size(), true);
    for (SplitScorer& scorer : scorers) {
      const QueryRanks ranks = scorer.ranks(l, captions, &progress);
      for (std::size_t c = 0; c < missed.size(); ++c) {
        if (ranks.by_caption[c] < static_cast<int>(Ranker::kMiss)) missed[c] = false;
      }
    }
    std::vector<std::size_t> hard;
    for (std::size_t c = 0; c < missed.size(); ++c) {
      if (missed[c]) hard.push_back(c);
    }
    result.hard += hard.size();
    result.all += missed.size();
    const std::vector<std::size_t> shown = some_of(hard, each);
    std::vector<int> positions;
    for (const std::size_t c : shown) positions.push_back(captions.captions[c]);
    if (positions.empty()) continue;
    const ScoreMatrix scores = scorers.front().scores(l, positions, nullptr);
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const auto image_at = [&](std::size_t row) {
        return static_cast<std::size_t>(scorers.front().images()[row]);
      };
      const std::size_t own = image_at(static_cast<std::size_t>(captions.owners[shown[i]]));
      const std::size_t found = image_at(best_image(scores, i));
      const auto& others = dataset.captions_of(static_cast<int>(found), static_cast<int>(l));
      const auto text = [&](int caption) {
        return dataset.captions()[static_cast<std::size_t>(caption)].text;
      };
      result.some.push_back({dataset.languages()[l], text(positions[i]), dataset.images()[own].id,
                             dataset.images()[found].id,
                             others.empty() ? std::string() : text(others.front())});
    }
  }
  return result;
}

std::string as_text(const HardCaptions& captions) {
  std::string text;
  for (const HardCaption& one : captions.some) {
    text += fmt::format("{} {}: {}\n    found {}: {}\n", one.language, one.image, one.caption,
                        one.found, one.found_caption);
  }
  return text + fmt::format("{} of {} captions are beyond the first ten of every system\n",
                            captions.hard, captions.all);
}

std::string as_json(const HardCaptions& captions) {
  nlohmann::ordered_json some = nlohmann::ordered_json::array();
  for (const HardCaption& one : captions.some) {
    some.push_back({{"language", one.language},
                    {"caption", one.caption},
                    {"image", one.image},
                    {"found", one.found},
                    {"found_caption", one.found_caption}});
  }
  return nlohmann::ordered_json{
      {"hard", captions.hard}, {"captions", captions.all}, {"some", std::move(some)}}
      .dump();
}

}  // namespace hinny
