#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "base/error.h"
#include "base/random.h"
#include "data/batching.h"
#include "data/sampler.h"

namespace hinny {
namespace {

// Languages that share batches, and the images that these batches are made of.
struct Group {
  std::vector<int> languages;
  std::vector<int> images;
};

class ImageSampler : public Sampler {
 public:
  ImageSampler(const Dataset& dataset, const std::vector<int>& images,
               const SamplerOptions& options)
      : dataset_(dataset), options_(options) {
    check_options(dataset, options);
    if (options.groups.empty()) {
      groups_.push_back(every_language(images));
    } else {
      for (const auto& codes : options.groups) groups_.push_back(group(codes, images));
    }
    for (const Group& group : groups_) {
      batches_per_group_ = std::max(batches_per_group_, batch_count(group.images.size(), options));
    }
    for (const std::string& code : dataset.languages()) {
      const auto found = options.captions_by_language.find(code);
      captions_per_image_.push_back(
          found == options.captions_by_language.end() ? options.captions_per_image : found->second);
    }
  }

  std::int64_t batches_per_epoch() const override {
    return batches_per_group_ * static_cast<std::int64_t>(groups_.size());
  }

  std::vector<BatchPlan> epoch(std::int64_t number) const override {
    const auto epoch = static_cast<std::uint64_t>(number);
    std::vector<std::vector<BatchPlan>> by_group;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      Random random(mix_seed({options_.seed, epoch, i + 1}));
      by_group.push_back(batches(groups_[i], random));
    }
    // Round by round, each group once, in another order every time.
    Random random(mix_seed({options_.seed, epoch, 0}));
    std::vector<std::size_t> order(groups_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<BatchPlan> plans;
    for (std::size_t round = 0; round < static_cast<std::size_t>(batches_per_group_); ++round) {
      random.shuffle(std::span(order));
      for (const std::size_t i : order) plans.push_back(std::move(by_group[i][round]));
    }
    return plans;
  }

 private:
  bool captioned(int image, int language) const {
    return !dataset_.captions_of(image, language).empty();
  }

  Group every_language(const std::vector<int>& images) const {
    Group group;
    group.languages.resize(dataset_.languages().size());
    std::iota(group.languages.begin(), group.languages.end(), 0);
    for (const int image : images) {
      const bool some = std::any_of(group.languages.begin(), group.languages.end(),
                                    [&](int language) { return captioned(image, language); });
      if (some) group.images.push_back(image);
    }
    if (group.images.empty()) throw InputError("no image with captions to train on");
    return group;
  }

  Group group(const std::vector<std::string>& codes, const std::vector<int>& images) const {
    if (codes.empty()) throw InputError("a language group without languages", "one or more");
    Group group;
    for (const std::string& code : codes) {
      const int language = dataset_.language(code);
      if (std::find(group.languages.begin(), group.languages.end(), language) !=
          group.languages.end()) {
        throw InputError(fmt::format("language '{}' twice in a group", code), "it once");
      }
      group.languages.push_back(language);
    }
    for (const int image : images) {
      const bool all = std::all_of(group.languages.begin(), group.languages.end(),
                                   [&](int language) { return captioned(image, language); });
      if (all) group.images.push_back(image);
    }
    if (group.images.empty()) {
      throw InputError(
          fmt::format("no image with captions in the whole group {}", fmt::join(codes, "+")));
    }
    return group;
  }

  // As many batches as every group has to give, in as many passes over its images as that takes.
  std::vector<BatchPlan> batches(const Group& group, Random& random) const {
    const auto per_batch = static_cast<std::size_t>(options_.images_per_batch);
    const std::int64_t per_pass = batch_count(group.images.size(), options_);
    std::vector<BatchPlan> plans;
    std::vector<int> images = group.images;
    for (std::int64_t i = 0; i < batches_per_group_; ++i) {
      if (i % per_pass == 0) random.shuffle(std::span(images));
      const std::size_t begin = static_cast<std::size_t>(i % per_pass) * per_batch;
      const std::size_t end = std::min(images.size(), begin + per_batch);
      plans.push_back(plan(group, std::span(images).subspan(begin, end - begin), random));
    }
    return plans;
  }

  BatchPlan plan(const Group& group, std::span<const int> images, Random& random) const {
    BatchPlan plan;
    plan.images.assign(images.begin(), images.end());
    for (const int language : group.languages) {
      LanguageBatch batch{language, {}, {}};
      for (std::size_t row = 0; row < images.size(); ++row) {
        draw(dataset_.captions_of(images[row], language),
             static_cast<std::size_t>(captions_per_image_[static_cast<std::size_t>(language)]),
             random, batch.captions);
        batch.rows.resize(batch.captions.size(), static_cast<int>(row));
      }
      if (!batch.captions.empty()) plan.languages.push_back(std::move(batch));
    }
    return plan;
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
  std::vector<Group> groups_;
  std::vector<int> captions_per_image_;  // by language
  std::int64_t batches_per_group_ = 0;
};

}  // namespace

std::unique_ptr<Sampler> sample_images(const Dataset& dataset, const std::vector<int>& images,
                                       const SamplerOptions& options) {
  return std::make_unique<ImageSampler>(dataset, images, options);
}

}  // namespace hinny
