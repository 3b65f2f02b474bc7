#include "training/experiment/select_captions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "base/terminal_text.h"
#include "data/parallel_text.h"

namespace hinny {
namespace {

// Each choice draws by itself, so that one more setting does not change the others.
enum class Draw : std::uint64_t { images = 1, captions };

class Selection {
 public:
  Selection(const Dataset& dataset, const DataSettings& settings, std::uint64_t seed)
      : dataset_(dataset),
        settings_(settings),
        seed_(seed),
        keep_(dataset.captions().size(), true) {}

  Dataset select() {
    for (const auto& item : settings_.sources_by_language) {
      dataset_.language(item.first);  // throws if the dataset lacks it
    }
    filter_sources();
    std::vector<int> train = dataset_.split("train");
    if (!settings_.parallel.empty()) filter_parallel(train);
    Random(mix_seed({seed_, static_cast<std::uint64_t>(Draw::images)})).shuffle(std::span(train));
    const auto kept =
        static_cast<std::size_t>(std::ceil(settings_.images * static_cast<double>(train.size())));
    for (std::size_t i = 0; i < train.size(); ++i) filter_image(train[i], i, i < kept);
    Dataset selected = dataset_.with_captions(keep_);
    check(selected);
    return selected;
  }

 private:
  std::vector<bool>::reference keep(int caption) {
    return keep_[static_cast<std::size_t>(caption)];
  }

  const std::vector<std::string>& sources_of(int language) const {
    const auto own = settings_.sources_by_language.find(
        dataset_.languages()[static_cast<std::size_t>(language)]);
    return own == settings_.sources_by_language.end() ? settings_.sources : own->second;
  }

  void filter_sources() {
    for (std::size_t i = 0; i < keep_.size(); ++i) {
      const Caption& caption = dataset_.captions()[i];
      if (dataset_.images()[static_cast<std::size_t>(caption.image)].split != "train") continue;
      const std::vector<std::string>& wanted = sources_of(caption.language);
      keep_[i] =
          wanted.empty() || std::ranges::find(wanted, source_name(caption.source)) != wanted.end();
    }
  }

  void filter_parallel(std::span<const int> train) {
    const ParallelText text = ParallelText::read(settings_.parallel, dataset_.languages());
    const std::size_t found = filter_parallel_captions(dataset_, text, train, keep_);
    print_line(stderr, "data.parallel: {} of {} training images have captions of one line\n", found,
               train.size());
  }

  // `place` is the image's in the shuffled split, so that languages take turns.
  void filter_image(int image, std::size_t place, bool wanted) {
    const std::size_t languages = dataset_.languages().size();
    for (std::size_t l = 0; l < languages; ++l) {
      const bool speaks = settings_.overlap == Overlap::all || place % languages == l;
      filter_captions(image, static_cast<int>(l), wanted && speaks);
    }
  }

  void filter_captions(int image, int language, bool any) {
    std::vector<int> captions;
    for (const int caption : dataset_.captions_of(image, language)) {
      if (!any) keep(caption) = false;
      if (keep(caption)) captions.push_back(caption);
    }
    const auto most = static_cast<std::size_t>(settings_.captions);
    if (most == 0 || captions.size() <= most) return;
    Random random(
        mix_seed({seed_, static_cast<std::uint64_t>(Draw::captions),
                  static_cast<std::uint64_t>(image), static_cast<std::uint64_t>(language)}));
    random.shuffle(std::span(captions));
    for (std::size_t i = most; i < captions.size(); ++i) keep(captions[i]) = false;
  }

  static void check(const Dataset& selected) {
    const std::vector<int> train = selected.split("train");
    for (std::size_t l = 0; l < selected.languages().size(); ++l) {
      const bool any = std::ranges::any_of(train, [&](int image) {
        return !selected.captions_of(image, static_cast<int>(l)).empty();
      });
      if (any) continue;
      throw InputError(fmt::format("the keys of [data] leave language '{}' no training caption",
                                   selected.languages()[l]),
                       "other data.sources, or languages without it");
    }
  }

  const Dataset& dataset_;
  const DataSettings& settings_;
  std::uint64_t seed_;
  std::vector<bool> keep_;  // by caption
};

}  // namespace

Dataset select_captions(Dataset dataset, const DataSettings& settings, std::uint64_t seed) {
  const bool all = settings.sources.empty() && settings.sources_by_language.empty() &&
                   settings.images == 1 && settings.captions == 0 && settings.parallel.empty() &&
                   settings.overlap == Overlap::all;
  if (all) return dataset;
  return Selection(dataset, settings, seed).select();
}

}  // namespace hinny
