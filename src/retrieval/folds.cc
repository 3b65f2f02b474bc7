#include "retrieval/folds.h"

#include <fmt/format.h>

#include "base/error.h"

namespace hinny {

std::vector<Fold> cut_into_folds(std::size_t images, std::span<const int> image_of_caption,
                                 int folds) {
  if (folds < 1 || images == 0 || images % static_cast<std::size_t>(folds) != 0) {
    throw InputError(fmt::format("{} images cannot be cut into {} folds", images, folds),
                     "folds of equal size");
  }
  const std::size_t size = images / static_cast<std::size_t>(folds);
  std::vector<Fold> cut(static_cast<std::size_t>(folds));
  for (std::size_t c = 0; c < image_of_caption.size(); ++c) {
    const auto image = static_cast<std::size_t>(image_of_caption[c]);
    Fold& fold = cut.at(image / size);
    fold.captions.push_back(c);
    fold.owners.push_back(static_cast<int>(image % size));
  }
  for (std::size_t i = 0; i < cut.size(); ++i) {
    cut[i].begin = i * size;
    cut[i].end = (i + 1) * size;
    if (cut[i].captions.empty()) {
      throw InputError(fmt::format("images {} to {} have no caption", cut[i].begin, cut[i].end - 1),
                       "captions in every fold");
    }
  }
  return cut;
}

LanguageRecall mean_of(std::span<const LanguageRecall> folds) {
  LanguageRecall mean;
  const auto count = static_cast<double>(folds.size());
  const auto add = [&](Recall& to, const Recall& from) {
    to.r1 += from.r1 / count;
    to.r5 += from.r5 / count;
    to.r10 += from.r10 / count;
  };
  for (const LanguageRecall& fold : folds) {
    add(mean.image_to_text, fold.image_to_text);
    add(mean.text_to_image, fold.text_to_image);
    mean.captions += fold.captions;
  }
  return mean;
}

}  // namespace hinny
