#include "cli/line_translator.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/lines.h"
#include "cli/learn/engine.h"
#include "data/dataset_path.h"
#include "translation/train_translation.h"
#include "translation/translate.h"

namespace hinny {
namespace {

class RunTranslator : public LineTranslator {
 public:
  RunTranslator(TranslationModel model, const LineTranslatorOptions& options)
      : model_(std::move(model)), direction_(model_.direction(options.from, options.to)) {}

  std::vector<std::vector<Translation>> translate(std::size_t, std::span<const std::string> lines,
                                                  const SearchOptions& search) override {
    return hinny::translate(model_, direction_, lines, {search});
  }

 private:
  TranslationModel model_;
  Direction direction_;
};

// Of lines that stand for images, by the ids of --image.
class SeeingTranslator : public LineTranslator {
 public:
  SeeingTranslator(const LineTranslatorOptions& options, torch::Device device)
      : experiment_(
            open_translation_on(options.run, find_dataset(options.data), options.features, device)),
        direction_(experiment_->model.direction(options.from, options.to)) {
    if (!experiment_->model.sees()) {
      throw InputError("--image for a model of text alone", "a model of system mmt");
    }
    for_each_line(options.images, [&](std::string_view id, std::size_t line) {
      const int image = experiment_->dataset.find(std::string(id));
      if (image < 0 || !experiment_->features->has(image)) {
        throw InputError(std::filesystem::path(options.images), line,
                         fmt::format("no image '{}' with features", id), "an image of --data");
      }
      images_.push_back(image);
    });
  }

  std::optional<std::size_t> count() const override { return images_.size(); }
  std::vector<std::vector<Translation>> translate(std::size_t first,
                                                  std::span<const std::string> lines,
                                                  const SearchOptions& search) override {
    const auto begin = images_.begin() + static_cast<std::ptrdiff_t>(first);
    return hinny::translate(
        experiment_->model, direction_, lines, {search},
        experiment_->regions_of({begin, begin + static_cast<std::ptrdiff_t>(lines.size())}));
  }

 private:
  std::unique_ptr<TranslationExperiment> experiment_;
  Direction direction_;
  std::vector<int> images_;
};

}  // namespace

std::unique_ptr<LineTranslator> open_line_translator(const LineTranslatorOptions& options) {
  const auto device = set_up_engine(options.device);
  if (!options.images.empty()) return std::make_unique<SeeingTranslator>(options, device);
  return std::make_unique<RunTranslator>(open_translation(options.run, device), options);
}

}  // namespace hinny
