#include "training/evaluation/split_scorer.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include "base/error.h"
#include "nn/product.h"
#include "retrieval/score.h"
#include "training/evaluation/pair_hubs.h"
#include "training/evaluation/spread.h"
#include "training/experiment/parameter_counts.h"

namespace hinny {

SplitScorer::SplitScorer(Experiment& experiment, const std::string& split)
    : e_(experiment),
      split_(split),
      images_(usable_images(experiment.features, experiment.dataset.split(split), split)),
      image_vectors_(
          experiment.system->shares_image_space() ? 1 : experiment.dataset.languages().size()) {
  e_.system->eval();
}

std::vector<std::size_t> SplitScorer::languages() const {
  std::vector<std::size_t> spoken;
  for (std::size_t l = 0; l < e_.dataset.languages().size(); ++l) {
    if (!e_.dataset.silent(static_cast<int>(l))) spoken.push_back(l);
  }
  return spoken;
}

SplitCaptions SplitScorer::captions(std::size_t language) const {
  return captions_of(e_.dataset, images_, static_cast<int>(language), split_);
}

void SplitScorer::check_same_images(const SplitScorer& other) const {
  if (images_ == other.images_) return;
  throw InputError("features of other images: " + other.e_.features.names(),
                   "features of the same images as " + e_.features.names());
}

std::uint64_t SplitScorer::work(std::size_t captions) const {
  return captions + (e_.system->compares_pairs() ? 0 : images_.size() * image_vectors_.size());
}

// The product of an image's and a caption's row gets both penalties: [.., its own, 1] times
// [.., 1, its own].
torch::Tensor SplitScorer::corrected(const torch::Tensor& vectors, std::size_t language,
                                     bool of_images) const {
  if (!e_.hubs) return vectors;
  const auto place = static_cast<std::size_t>(e_.system_language[language]);
  const std::string& name = e_.recipe.languages[place];
  const HubBank::Space& space = e_.hubs->spaces.at(e_.system->describe().text.at(name).space);
  const std::vector<float> penalties =
      hub_penalties(*e_.hubs, of_images ? space.captions : space.images, vector_rows(vectors));
  const torch::Tensor own = at::tensor(penalties).unsqueeze(1);
  const torch::Tensor one = at::ones_like(own);
  return at::cat({vectors, of_images ? own : one, of_images ? one : own}, 1);
}

const torch::Tensor& SplitScorer::image_vectors(std::size_t language, Progress* progress) {
  torch::Tensor& vectors = image_vectors_[image_vectors_.size() == 1 ? 0 : language];
  if (!vectors.defined()) {
    const torch::Tensor plain =
        encode_images(*e_.system, e_.builder, images_, e_.system_language[language], progress);
    warn_of_length_0(plain, fmt::format("pictures of split '{}'", split_), e_.warnings);
    vectors = corrected(plain, language, true);
  }
  return vectors;
}

torch::Tensor SplitScorer::caption_vectors(std::size_t language, std::span<const int> captions,
                                           Progress* progress) {
  const torch::Tensor plain =
      encode_captions(*e_.system, e_.builder, captions, e_.system_language[language], progress);
  warn_of_length_0(
      plain, fmt::format("captions of split '{}' in {}", split_, e_.dataset.languages()[language]),
      e_.warnings);
  return corrected(plain, language, false);
}

torch::Tensor SplitScorer::without_hubs(const torch::Tensor& rows) const {
  return e_.hubs ? rows.narrow(1, 0, rows.size(1) - 2) : rows;
}

ScoreMatrix SplitScorer::scores(std::size_t language, std::span<const int> captions,
                                Progress* progress) {
  return compare(language, 0, images_.size(), captions, progress);
}

ScoreMatrix SplitScorer::scores(std::size_t language, const SplitCaptions& captions,
                                const Fold& fold, Progress* progress) {
  std::vector<int> theirs;
  for (const std::size_t row : fold.captions) theirs.push_back(captions.captions[row]);
  return compare(language, fold.begin, fold.end, theirs, progress);
}

ScoreMatrix SplitScorer::compare(std::size_t language, std::size_t begin, std::size_t end,
                                 std::span<const int> captions, Progress* progress) {
  const auto images = std::span(images_).subspan(begin, end - begin);
  if (e_.system->compares_pairs()) {
    ScoreMatrix scores = score_pairs(*e_.system, e_.builder, images, captions,
                                     e_.system_language[language], progress);
    if (e_.hubs) correct_hubs(e_, language, images, captions, scores);
    return scores;
  }
  const torch::Tensor pictures =
      image_vectors(language, progress)
          .narrow(0, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(images.size()));
  const torch::Tensor sentences = caption_vectors(language, captions, progress);
  if (e_.system->score() == Score::order) {
    return order_scores(vector_rows(pictures), vector_rows(sentences));
  }
  return score_matrix(row_products(sentences, pictures));
}

QueryRanks SplitScorer::ranks(std::size_t language, const SplitCaptions& captions,
                              Progress* progress) {
  if (e_.system->compares_pairs() || e_.system->score() == Score::order) {
    return rank_queries(scores(language, captions.captions, progress), captions.owners);
  }
  const torch::Tensor& pictures = image_vectors(language, progress);
  const torch::Tensor sentences = caption_vectors(language, captions.captions, progress);
  return rank_queries(vector_rows(pictures), vector_rows(sentences), captions.owners);
}

RecallTable SplitScorer::table() const {
  RecallTable table;
  table.split = split_;
  table.images = images_.size();
  const ParameterCounts counts = count_parameters(*e_.system);
  table.train_parameters = counts.train;
  table.search_parameters = counts.search;
  return table;
}

void SplitScorer::add_row(RecallTable& table, LanguageRecall recall, std::size_t language) const {
  recall.language = e_.dataset.languages()[language];
  recall.human = e_.dataset.human(static_cast<int>(language), images_);
  table.languages.push_back(std::move(recall));
}

}  // namespace hinny
