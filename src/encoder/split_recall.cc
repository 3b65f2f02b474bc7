#include "encoder/split_recall.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "base/error.h"
#include "base/progress.h"
#include "encoder/image_encoder.h"
#include "encoder/read_sentences.h"
#include "text/language_code.h"

namespace hinny {
namespace {

// Vectors [rows, dim + 2]: what is taken off for hubs stands beside them, so that a product of two
// of them is a corrected score.
std::vector<float> beside_hubs(const std::vector<float>& vectors, std::size_t dim,
                               const HubBank* bank, const std::string& space, bool of_images) {
  if (bank == nullptr) return vectors;
  const HubBank::Space& remembered = bank->spaces.at(space);
  const std::size_t rows = vectors.size() / dim;
  const std::vector<float> penalties = hub_penalties(
      *bank, of_images ? remembered.captions : remembered.images, {vectors, rows, dim});
  std::vector<float> result(rows * (dim + 2));
  for (std::size_t row = 0; row < rows; ++row) {
    float* const to = std::copy_n(vectors.data() + row * dim, dim, result.data() + row * (dim + 2));
    to[of_images ? 0 : 1] = penalties[row];
    to[of_images ? 1 : 0] = 1;
  }
  return result;
}

class Measuring {
 public:
  Measuring(const Model& model, const Dataset& dataset, const Features& features,
            const std::string& split)
      : model_(model),
        dataset_(dataset),
        features_(features),
        split_(split),
        images_(usable_images(features, dataset.split(split), split)) {}

  std::size_t images() const { return images_.size(); }

  // Positions of the dataset's languages that the model has.
  std::vector<int> languages() const {
    std::vector<int> known;
    for (std::size_t i = 0; i < dataset_.languages().size(); ++i) {
      if (dataset_.silent(static_cast<int>(i))) continue;
      if (find_language(model_.config().languages, dataset_.languages()[i])) {
        known.push_back(static_cast<int>(i));
      }
    }
    if (!known.empty()) return known;
    throw InputError(dataset_.folder(),
                     fmt::format("captions in {}", fmt::join(dataset_.languages(), ", ")),
                     languages_expected(model_.config().languages));
  }

  LanguageRecall measure(int language, int folds, const HubBank* hubs) {
    const std::string& code = dataset_.languages()[static_cast<std::size_t>(language)];
    const std::string& space = model_.text(code).space;
    std::vector<Sentence> sentences;
    std::vector<int> owners;
    for (std::size_t row = 0; row < images_.size(); ++row) {
      for (const int caption : dataset_.captions_of(images_[row], language)) {
        sentences.push_back({code, dataset_.captions()[static_cast<std::size_t>(caption)].text});
        owners.push_back(static_cast<int>(row));
      }
    }
    if (sentences.empty()) {
      throw InputError(dataset_.folder(), fmt::format("no caption in {} on '{}'", code, split_),
                       "another split, or --languages without it");
    }
    const std::size_t dim = model_.config().dim;
    std::vector<float> vectors(sentences.size() * dim);
    read_sentences(model_, sentences, [&](std::size_t at, ReadSentence&& read) {
      std::ranges::copy(read.encoded.vector, vectors.data() + at * dim);
    });
    const std::vector<float> pictures = beside_hubs(image_vectors(space), dim, hubs, space, true);
    const std::vector<float> captions = beside_hubs(vectors, dim, hubs, space, false);
    const std::size_t size = hubs == nullptr ? dim : dim + 2;
    LanguageRecall recall = measure_recall_in_folds(
        {pictures, images_.size(), size}, {captions, sentences.size(), size}, owners, folds);
    recall.language = code;
    recall.human = dataset_.human(language, images_);
    recall.captions = sentences.size();
    return recall;
  }

 private:
  const std::vector<float>& image_vectors(const std::string& space) {
    if (space == space_ && !vectors_.empty()) return vectors_;
    std::vector<float> rows(images_.size() * static_cast<std::size_t>(features_.dim()));
    features_.gather(images_, rows);
    vectors_ = ImageEncoder(model_).encode(rows, space);
    space_ = space;
    return vectors_;
  }

  const Model& model_;
  const Dataset& dataset_;
  const Features& features_;
  const std::string& split_;
  std::vector<int> images_;
  std::string space_;
  std::vector<float> vectors_;  // of the images in it
};

}  // namespace

RecallTable measure_split(const Model& model, const Dataset& dataset, const Features& features,
                          const std::string& split, int folds, bool hubs) {
  model.check_searchable();
  const std::optional<HubBank> bank = hubs ? hubs_of(model) : std::nullopt;
  Measuring measuring(model, dataset, features, split);
  RecallTable table;
  table.split = split;
  table.images = measuring.images();
  table.train_parameters = model.config().train_parameters;
  table.search_parameters = model.config().search_parameters;
  for (const int language : measuring.languages()) {
    table.languages.push_back(measuring.measure(language, folds, bank ? &*bank : nullptr));
  }
  return table;
}

}  // namespace hinny
