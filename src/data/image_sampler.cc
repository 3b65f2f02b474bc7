#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/random.h"
#include "data/batching.h"
#include "data/sampler.h"

namespace hinny {
namespace {

// Languages whose captions an image brings into a batch, and the images that have them.
struct Group {
  std::vector<int> languages;
  // By round of an epoch: those that still have captions to give, in the first all.
  std::vector<std::vector<int>> rounds;
};

struct Item {
  int image = 0;
  std::size_t round = 0;
};

class ImageSampler : public Sampler {
 public:
  ImageSampler(const Dataset& dataset, const std::vector<int>& images,
               const SamplerOptions& options)
      : dataset_(dataset), options_(options) {
    check_options(dataset, options);
    for (const std::string& code : dataset.languages()) {
      const auto found = options.captions_by_language.find(code);
      captions_per_image_.push_back(static_cast<std::size_t>(
          found == options.captions_by_language.end() ? options.captions_per_image
                                                      : found->second));
    }
    add_groups(images);
    for (Group& group : groups_) {
      if (options.epoch_of == EpochOf::captions) add_rounds(group);
      batches_ = std::max(batches_, batches_in(group));
    }
  }

  std::int64_t batches_per_epoch() const override { return batches_; }

  std::vector<BatchPlan> epoch(std::int64_t number) const override {
    std::vector<BatchPlan> plans(static_cast<std::size_t>(batches_));
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      Random random(mix_seed({options_.seed, static_cast<std::uint64_t>(number), i + 1}));
      add_batches(groups_[i], random, plans);
    }
    return plans;
  }

 private:
  bool captioned(int image, int language) const {
    return !dataset_.captions_of(image, language).empty();
  }

  bool speaks_all(int image, const std::vector<int>& languages) const {
    return std::ranges::all_of(languages, [&](int language) { return captioned(image, language); });
  }

  void add_groups(const std::vector<int>& images) {
    if (options_.groups.empty()) {
      groups_.push_back(every_language(images));
    } else {
      for (const auto& codes : options_.groups) groups_.push_back({languages_of(codes), {}});
      for (Group& group : groups_) group.rounds = {images_of(group, images)};
    }
    share_ = static_cast<std::size_t>(options_.images_per_batch) / groups_.size();
    if (share_ == 0) {
      throw InputError(fmt::format("batches of {} images for {} language groups",
                                   options_.images_per_batch, groups_.size()),
                       "an image of each group or more");
    }
  }

  Group every_language(const std::vector<int>& images) const {
    Group group;
    group.languages.resize(dataset_.languages().size());
    std::iota(group.languages.begin(), group.languages.end(), 0);
    std::vector<int> captioned_images;
    for (const int image : images) {
      const bool some = std::any_of(group.languages.begin(), group.languages.end(),
                                    [&](int language) { return captioned(image, language); });
      if (some) captioned_images.push_back(image);
    }
    if (captioned_images.empty()) throw InputError("no image with captions to train on");
    group.rounds = {std::move(captioned_images)};
    return group;
  }

  std::vector<int> languages_of(const std::vector<std::string>& codes) const {
    if (codes.empty()) throw InputError("a language group without languages", "one or more");
    std::vector<int> languages;
    for (const std::string& code : codes) {
      const int language = trained_language(dataset_, "a group with language", code);
      if (std::ranges::find(languages, language) != languages.end()) {
        throw InputError(fmt::format("language '{}' twice in a group", code), "it once");
      }
      languages.push_back(language);
    }
    return languages;
  }

  // Those that speak all its languages, and not all of a group that has more besides.
  std::vector<int> images_of(const Group& group, const std::vector<int>& images) const {
    std::vector<const Group*> larger;
    for (const Group& other : groups_) {
      const bool has_all = std::ranges::all_of(group.languages, [&](int language) {
        return std::ranges::find(other.languages, language) != other.languages.end();
      });
      if (has_all && other.languages.size() > group.languages.size()) larger.push_back(&other);
    }
    std::vector<int> own;
    bool some = false;
    for (const int image : images) {
      if (!speaks_all(image, group.languages)) continue;
      some = true;
      const bool is_of_larger = std::ranges::any_of(
          larger, [&](const Group* other) { return speaks_all(image, other->languages); });
      if (!is_of_larger) own.push_back(image);
    }
    if (own.empty()) throw InputError(nothing_for(group, some));
    return own;
  }

  std::string nothing_for(const Group& group, bool but_larger) const {
    std::vector<std::string> codes;
    for (const int language : group.languages) {
      codes.push_back(dataset_.languages()[static_cast<std::size_t>(language)]);
    }
    return but_larger
               ? fmt::format("every image of the group {} is of a group with more languages",
                             fmt::join(codes, "+"))
               : fmt::format("no image with captions in the whole group {}", fmt::join(codes, "+"));
  }

  void add_rounds(Group& group) const {
    const auto rounds_of = [&](int image) {
      std::size_t rounds = 0;
      for (const int language : group.languages) {
        const std::size_t per_round = captions_per_image_[static_cast<std::size_t>(language)];
        const std::size_t captions = dataset_.captions_of(image, language).size();
        rounds = std::max(rounds, (captions + per_round - 1) / per_round);
      }
      return rounds;
    };
    const std::vector<int> images = group.rounds.front();
    for (const int image : images) {
      group.rounds.resize(std::max(group.rounds.size(), rounds_of(image)));
      for (std::size_t round = 1; round < rounds_of(image); ++round) {
        group.rounds[round].push_back(image);
      }
    }
  }

  std::int64_t batches_in(const Group& group) const {
    std::size_t items = 0;
    for (const auto& images : group.rounds) items += images.size();
    return batch_count(items, share_, options_.drop_last);
  }

  // As many batches as every group has to give, in as many passes over its images as that takes.
  void add_batches(Group group, Random& random, std::vector<BatchPlan>& plans) const {
    const auto per_pass = static_cast<std::size_t>(batches_in(group));
    std::vector<Item> items;
    std::uint64_t deal = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (i % per_pass == 0) {
        items = shuffled(group, random);
        if (options_.epoch_of == EpochOf::captions) deal = random.next();
      }
      const std::size_t begin = i % per_pass * share_;
      const std::size_t end = std::min(items.size(), begin + share_);
      add(group, std::span(items).subspan(begin, end - begin), deal, random, plans[i]);
    }
  }

  static std::vector<Item> shuffled(Group& group, Random& random) {
    std::vector<Item> items;
    for (std::size_t round = 0; round < group.rounds.size(); ++round) {
      random.shuffle(std::span(group.rounds[round]));
      for (const int image : group.rounds[round]) items.push_back({image, round});
    }
    return items;
  }

  // Two groups may bring the same image, and so may the end of a round and the start of the next:
  // it is one row of the batch.
  void add(const Group& group, std::span<const Item> items, std::uint64_t deal, Random& random,
           BatchPlan& plan) const {
    std::unordered_map<int, int> row_of_image;
    for (const int image : plan.images) {
      row_of_image.emplace(image, static_cast<int>(row_of_image.size()));
    }
    std::vector<int> rows;
    for (const Item& item : items) {
      const auto [place, is_new] =
          row_of_image.emplace(item.image, static_cast<int>(plan.images.size()));
      if (is_new) plan.images.push_back(item.image);
      rows.push_back(place->second);
    }
    for (const int language : group.languages) {
      const std::size_t count = captions_per_image_[static_cast<std::size_t>(language)];
      LanguageBatch& batch = batch_of(language, plan);
      const std::unordered_set<int> given(batch.rows.begin(), batch.rows.end());  // by a group
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (given.contains(rows[i])) continue;
        const std::vector<int>& captions = dataset_.captions_of(items[i].image, language);
        if (options_.epoch_of == EpochOf::images) {
          draw(captions, count, random, batch.captions);
        } else {
          deal_out(captions, count, items[i].round, deal, batch.captions);
        }
        batch.rows.resize(batch.captions.size(), rows[i]);
      }
    }
    std::erase_if(plan.languages, [](const LanguageBatch& batch) { return batch.rows.empty(); });
  }

  static LanguageBatch& batch_of(int language, BatchPlan& plan) {
    const auto found = std::ranges::find(plan.languages, language, &LanguageBatch::language);
    return found == plan.languages.end()
               ? plan.languages.emplace_back(LanguageBatch{language, {}, {}})
               : *found;
  }

  // A round's share of an image's captions, whose order is that of the pass.
  void deal_out(std::vector<int> captions, std::size_t count, std::size_t round, std::uint64_t deal,
                std::vector<int>& out) const {
    if (captions.empty()) return;
    Random random(mix_seed({deal, static_cast<std::uint64_t>(captions.front())}));
    random.shuffle(std::span(captions));
    const bool again = options_.replacement == Replacement::fill;
    const std::size_t end = (round + 1) * count;
    for (std::size_t i = round * count; i < (again ? end : std::min(end, captions.size())); ++i) {
      out.push_back(captions[i % captions.size()]);
    }
  }

  // Shuffled passes over an image's captions until there are enough: no caption comes for the
  // second time before all have come once.
  void draw(std::vector<int> captions, std::size_t count, Random& random,
            std::vector<int>& out) const {
    if (options_.replacement == Replacement::none) count = std::min(count, captions.size());
    if (captions.empty()) return;
    while (count > 0) {
      random.shuffle(std::span(captions));
      const std::size_t taken = std::min(count, captions.size());
      out.insert(out.end(), captions.begin(),
                 captions.begin() + static_cast<std::ptrdiff_t>(taken));
      count -= taken;
    }
  }

  const Dataset& dataset_;
  SamplerOptions options_;
  std::vector<std::size_t> captions_per_image_;  // by language
  std::vector<Group> groups_;
  std::size_t share_ = 0;  // of a batch's images, for each group
  std::int64_t batches_ = 0;
};

}  // namespace

std::unique_ptr<Sampler> sample_images(const Dataset& dataset, const std::vector<int>& images,
                                       const SamplerOptions& options) {
  return std::make_unique<ImageSampler>(dataset, images, options);
}

}  // namespace hinny
