#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/random.h"
#include "data/batching.h"
#include "data/sampler.h"

namespace hinny {
namespace {

// An endless stream of one language's captions, reshuffled after each pass.
class CaptionStream {
 public:
  CaptionStream(std::vector<int> captions, std::uint64_t seed)
      : captions_(std::move(captions)), random_(seed) {
    random_.shuffle(std::span(captions_));
  }

  std::vector<int> next(std::size_t count) {
    count = std::min(count, captions_.size());
    std::vector<int> taken;
    take(count, taken);
    if (taken.size() < count) {
      reshuffle_after(taken);
      take(count - taken.size(), taken);
    }
    return taken;
  }
  // As next, and quicker.
  void skip(std::size_t count) {
    count = std::min(count, captions_.size());
    if (next_ + count <= captions_.size()) {
      next_ += count;
    } else {
      next(count);
    }
  }

 private:
  void take(std::size_t count, std::vector<int>& taken) {
    const std::size_t end = std::min(captions_.size(), next_ + count);
    taken.insert(taken.end(), captions_.begin() + static_cast<std::ptrdiff_t>(next_),
                 captions_.begin() + static_cast<std::ptrdiff_t>(end));
    next_ = end;
  }
  // A new pass; what the unfinished batch holds already comes last in it.
  void reshuffle_after(const std::vector<int>& taken) {
    random_.shuffle(std::span(captions_));
    const std::unordered_set<int> held(taken.begin(), taken.end());
    std::stable_partition(captions_.begin(), captions_.end(),
                          [&](int caption) { return !held.contains(caption); });
    next_ = 0;
  }

  std::vector<int> captions_;
  std::size_t next_ = 0;
  Random random_;
};

// An endless stream of caption pairs, reshuffled after each pass. Pairs of one image never meet in
// a batch, where each would be a negative of the other: the later ones wait for the next batch.
class PairStream {
 public:
  PairStream(const Dataset& dataset, std::vector<CaptionPair> pairs, std::uint64_t seed)
      : dataset_(dataset), pairs_(std::move(pairs)), random_(seed) {
    random_.shuffle(std::span(pairs_));
  }

  std::vector<CaptionPair> next(std::size_t count) {
    std::vector<CaptionPair> taken, waiting = std::move(waiting_);
    waiting_.clear();
    std::unordered_set<int> images;
    const auto offer = [&](const CaptionPair& pair) {
      const int image = dataset_.captions()[static_cast<std::size_t>(pair.first)].image;
      const bool fits = taken.size() < count && images.insert(image).second;
      (fits ? taken : waiting_).push_back(pair);
    };
    for (const CaptionPair& pair : waiting) offer(pair);
    // One pass at most, in case there are fewer images than the batch has room for.
    for (std::size_t seen = 0; seen < pairs_.size() && taken.size() < count; ++seen) {
      if (next_ == pairs_.size()) {
        random_.shuffle(std::span(pairs_));
        next_ = 0;
        waiting_.clear();
      }
      offer(pairs_[next_++]);
    }
    return taken;
  }

 private:
  const Dataset& dataset_;
  std::vector<CaptionPair> pairs_;
  std::vector<CaptionPair> waiting_;
  std::size_t next_ = 0;
  Random random_;
};

class CaptionSampler : public Sampler {
 public:
  CaptionSampler(const Dataset& dataset, const std::vector<int>& images,
                 const SamplerOptions& options)
      : dataset_(dataset), options_(options) {
    check_options(dataset, options);
    if (!options.groups.empty()) {
      throw InputError("language groups for batches of one language", "no groups");
    }
    std::size_t total = 0;
    for (std::size_t i = 0; i < dataset.languages().size(); ++i) {
      const int language = static_cast<int>(i);
      std::vector<int> captions;
      for (const int image : images) {
        const std::vector<int>& its = dataset.captions_of(image, language);
        captions.insert(captions.end(), its.begin(), its.end());
      }
      if (captions.empty()) continue;
      total += captions.size();
      languages_.push_back(language);
      captions_.push_back(std::move(captions));
    }
    if (total == 0) throw InputError("no captions to train on");
    batches_ =
        batch_count(total, static_cast<std::size_t>(options.images_per_batch), options.drop_last);
    if (options.caption_pairs > 0) add_pairs(images);
  }

  std::int64_t batches_per_epoch() const override { return batches_; }

  // Streams go on from epoch to epoch, so the epochs before are drawn too.
  std::vector<BatchPlan> epoch(std::int64_t number) const override {
    std::vector<CaptionStream> streams;
    for (std::size_t i = 0; i < languages_.size(); ++i) {
      streams.emplace_back(captions_[i], mix_seed({options_.seed, 0, i + 1}));
    }
    PairStream pairs(dataset_, pairs_, mix_seed({options_.seed, 0, languages_.size() + 1}));
    const auto count = static_cast<std::size_t>(options_.images_per_batch);
    std::vector<BatchPlan> plans;
    for (std::int64_t at = 0; at <= number; ++at) {
      Random random(mix_seed({options_.seed, static_cast<std::uint64_t>(at), 0}));
      for (std::int64_t i = 0; i < batches_; ++i) {
        const std::optional<std::size_t> language = draw(random);
        if (!language) {
          std::vector<CaptionPair> taken = pairs.next(count);
          if (at == number) plans.push_back({{}, {}, std::move(taken)});
        } else if (at == number) {
          plans.push_back(plan(languages_[*language], streams[*language].next(count)));
        } else {
          streams[*language].skip(count);
        }
      }
    }
    return plans;
  }

 private:
  // The language of a batch, as its place among those that have captions; none: pairs.
  std::optional<std::size_t> draw(Random& random) const {
    if (options_.caption_pairs > 0 && random.uniform() < options_.caption_pairs) return {};
    return random.below(languages_.size());
  }

  void add_pairs(const std::vector<int>& images) {
    for (const int image : images) {
      for (std::size_t i = 0; i < languages_.size(); ++i) {
        for (std::size_t j = i + 1; j < languages_.size(); ++j) {
          for (const int first : dataset_.captions_of(image, languages_[i])) {
            for (const int second : dataset_.captions_of(image, languages_[j])) {
              pairs_.push_back({first, second});
            }
          }
        }
      }
    }
    if (pairs_.empty()) {
      throw InputError("caption pairs, but no image has captions in two languages",
                       "sample.caption_pairs = 0, or languages that share images");
    }
  }

  BatchPlan plan(int language, std::vector<int> captions) const {
    BatchPlan plan;
    LanguageBatch batch{language, std::move(captions), {}};
    std::unordered_map<int, int> row_of_image;
    for (const int caption : batch.captions) {
      const int image = dataset_.captions()[static_cast<std::size_t>(caption)].image;
      const auto [place, is_new] =
          row_of_image.emplace(image, static_cast<int>(plan.images.size()));
      if (is_new) plan.images.push_back(image);
      batch.rows.push_back(place->second);
    }
    plan.languages.push_back(std::move(batch));
    return plan;
  }

  const Dataset& dataset_;
  SamplerOptions options_;
  std::vector<int> languages_;              // that have captions
  std::vector<std::vector<int>> captions_;  // of each of them
  std::vector<CaptionPair> pairs_;
  std::int64_t batches_ = 0;
};

}  // namespace

std::unique_ptr<Sampler> sample_captions(const Dataset& dataset, const std::vector<int>& images,
                                         const SamplerOptions& options) {
  return std::make_unique<CaptionSampler>(dataset, images, options);
}

}  // namespace hinny
