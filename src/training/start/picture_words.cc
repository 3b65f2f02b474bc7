#include "training/start/picture_words.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/random.h"
#include "nn/layers.h"
#include "text/pca.h"

namespace hinny {
namespace {

constexpr std::size_t kSample = 16384;  // images that directions are found by
constexpr std::size_t kBlock = 4096;    // images in memory at a time after that
constexpr double kPriorImages = 2;      // average images that each word starts with
constexpr double kSpread = 0.3;         // of the numbers
constexpr double kSeldom = 3;  // fewer captions than this tell less of a word than lines do

// [images, numbers of a region], the mean over an image's regions.
torch::Tensor pictures(const PreparedData& data, std::span<const int> images) {
  torch::Tensor rows = image_rows(data.features, data.transform, images);
  if (data.features.regions() == 1) return rows;
  return rows.view({rows.size(0), data.features.regions(), -1}).mean(1);
}

torch::Tensor random_normal(std::int64_t rows, std::int64_t columns) {
  torch::Tensor result = at::empty({rows, columns});
  Random random(1);
  for (float& number : numbers_of(result)) number = static_cast<float>(random.normal());
  return result;
}

std::vector<int> evenly_chosen(const std::vector<int>& images) {
  std::vector<int> chosen;
  const std::size_t count = std::min(kSample, images.size());
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(images[i * images.size() / count]);
  return chosen;
}

// Sums of pictures over the captions that say a word.
struct Said {
  Said(std::int32_t words, std::int64_t dim)
      : vectors(at::zeros({words, dim})), captions(static_cast<std::size_t>(words)) {}

  void add(std::span<const std::int32_t> caption, std::span<const float> picture) {
    for (const std::int32_t word : std::set(caption.begin(), caption.end())) {
      float* sum = vectors.data_ptr<float>() + word * vectors.size(1);
      for (const float number : picture) *sum++ += number;
      ++captions[static_cast<std::size_t>(word)];
    }
  }
  torch::Tensor vectors;         // [vocabulary, dim]
  std::vector<double> captions;  // [vocabulary]
};

struct SaidOfPictures {
  std::vector<Said> by_language;
  double squares = 0;  // the mean of the pictures' squared numbers
};

SaidOfPictures said_of(const PreparedData& data, const std::vector<int>& images,
                       const PictureDirections& main, std::int64_t dim) {
  SaidOfPictures result;
  std::vector<Said>& said = result.by_language;
  for (const std::string& language : data.dataset.languages()) {
    said.emplace_back(
        data.vocabularies.at(vocabulary_name(data.recipe.model.text, language)).size(), dim);
  }
  Progress progress("word vectors: images", images.size());
  for (std::size_t first = 0; first < images.size(); first += kBlock) {
    const auto block = std::span(images).subspan(first, std::min(kBlock, images.size() - first));
    const torch::Tensor rows = (pictures(data, block) - main.mean).matmul(main.directions);
    result.squares += rows.square().sum().item<double>() /
                      static_cast<double>(images.size() * static_cast<std::size_t>(dim));
    for (std::size_t i = 0; i < block.size(); ++i) {
      stop_if_interrupted();
      const torch::Tensor picture = rows[static_cast<std::int64_t>(i)];
      for (std::size_t l = 0; l < said.size(); ++l) {
        for (const int caption : data.dataset.captions_of(block[i], static_cast<int>(l))) {
          said[l].add(data.corpus.caption(caption), numbers_of(picture));
        }
      }
      progress.add();
    }
  }
  return result;
}

// Of the lines' languages those that captions are in too: what is said there. A language that is
// added to a trained model has none in the pivot's.
struct SpokenTwice {
  int line_language;  // of the lines' dataset
  std::size_t said;   // of the captions'
};

std::vector<SpokenTwice> spoken_twice(const PreparedData& data) {
  std::vector<SpokenTwice> both;
  for (std::size_t l = 0; l < data.parallel->languages.size(); ++l) {
    const auto found = std::ranges::find(data.system_language, data.parallel->languages[l]);
    if (found == data.system_language.end()) continue;
    both.push_back(
        {static_cast<int>(l), static_cast<std::size_t>(found - data.system_language.begin())});
  }
  return both;
}

// What each line shows, as far as the words of it that captions say tell, in all its languages
// together; as large as pictures are.
torch::Tensor pictures_of_lines(const PreparedData& data, const SaidOfPictures& known) {
  const ParallelSentences& parallel = *data.parallel;
  const std::int64_t dim = known.by_language.front().vectors.size(1);
  const std::vector<SpokenTwice> languages = spoken_twice(data);
  torch::Tensor rows = at::zeros({static_cast<std::int64_t>(parallel.sentences.size()), dim});
  for (std::size_t i = 0; i < parallel.sentences.size(); ++i) {
    const std::span<float> row =
        numbers_of(rows).subspan(i * static_cast<std::size_t>(dim), static_cast<std::size_t>(dim));
    for (const auto& [language, place] : languages) {
      const Said& said = known.by_language[place];
      for (const int caption : parallel.dataset.captions_of(parallel.sentences[i], language)) {
        const auto words = data.parallel_corpus->caption(caption);
        for (const std::int32_t word : words) {
          const double times = said.captions[static_cast<std::size_t>(word)] + kPriorImages;
          const auto share = static_cast<float>(1 / (times * static_cast<double>(words.size())));
          const float* number = said.vectors.data_ptr<float>() + word * dim;
          for (float& sum : row) sum += share * *number++;
        }
      }
    }
  }
  const double squares = rows.square().mean().item<double>();
  return squares > 0 ? rows.mul_(std::sqrt(known.squares / squares)) : rows;
}

// Words that captions seldom say are also the mean of the lines that say them.
void add_lines(const PreparedData& data, SaidOfPictures& known) {
  const torch::Tensor shown = pictures_of_lines(data, known);
  const ParallelSentences& parallel = *data.parallel;
  for (const auto& [language, place] : spoken_twice(data)) {
    Said& said = known.by_language[place];
    Said more(static_cast<std::int32_t>(said.captions.size()), said.vectors.size(1));
    for (std::size_t i = 0; i < parallel.sentences.size(); ++i) {
      const torch::Tensor picture = shown[static_cast<std::int64_t>(i)];
      for (const int caption : parallel.dataset.captions_of(parallel.sentences[i], language)) {
        more.add(data.parallel_corpus->caption(caption), numbers_of(picture));
      }
    }
    for (std::size_t word = 0; word < said.captions.size(); ++word) {
      if (said.captions[word] >= kSeldom) continue;
      said.vectors[static_cast<std::int64_t>(word)] +=
          more.vectors[static_cast<std::int64_t>(word)];
      said.captions[word] += more.captions[word];
    }
  }
}

}  // namespace

// A randomised subspace iteration (Halko et al. 2011, Alg. 4.4), then principal components within
// it: the features may have thousands of numbers.
PictureDirections picture_directions(const PreparedData& data, const std::vector<int>& images,
                                     std::int64_t most) {
  constexpr std::int64_t kMore = 20;
  constexpr int kIterations = 4;
  if (images.size() < 2) throw InputError("pictures with one to learn from", "two or more");
  torch::Tensor rows = pictures(data, evenly_chosen(images));
  PictureDirections result;
  result.mean = rows.mean(0);
  rows = rows - result.mean;
  const std::int64_t there = std::min(rows.size(0), rows.size(1));
  torch::Tensor basis = random_normal(rows.size(1), std::min(most + kMore, there));
  for (int i = 0; i < kIterations; ++i) {
    stop_if_interrupted();
    basis = std::get<0>(at::linalg_qr(rows.t().matmul(rows.matmul(basis))));
  }
  const torch::Tensor inside = rows.matmul(basis).contiguous();
  const std::int64_t kept = std::min(most, inside.size(1));
  const Pca pca = fit_pca(numbers_of(inside), static_cast<std::size_t>(inside.size(1)),
                          static_cast<std::size_t>(kept));
  result.directions = basis.matmul(at::tensor(pca.components).to(at::kFloat).view({kept, -1}).t());
  result.spread = at::tensor(pca.variance).sqrt().to(at::kFloat);
  return result;
}

std::vector<WordVectors> picture_words(const PreparedData& data, const std::vector<int>& images,
                                       const PictureDirections& main, std::int64_t dim) {
  SaidOfPictures known = said_of(data, images, main, dim);
  if (data.parallel) add_lines(data, known);
  std::vector<Said>& said = known.by_language;
  double squares = 0, count = 0;
  for (Said& language : said) {
    for (std::size_t word = 0; word < language.captions.size(); ++word) {
      if (language.captions[word] == 0) continue;
      torch::Tensor vector = language.vectors[static_cast<std::int64_t>(word)];
      vector /= language.captions[word] + kPriorImages;
      squares += vector.square().sum().item<double>();
      count += static_cast<double>(dim);
    }
  }
  const double scale = squares > 0 ? kSpread / std::sqrt(squares / count) : 0.0;
  std::vector<WordVectors> result;
  for (std::size_t l = 0; l < said.size(); ++l) {
    const std::string name = vocabulary_name(data.recipe.model.text, data.dataset.languages()[l]);
    const Vocabulary& vocabulary = data.vocabularies.at(name);
    WordVectors& vectors = result.emplace_back(static_cast<std::size_t>(dim));
    for (std::int32_t word = kFirstWord; word < vocabulary.size(); ++word) {
      if (said[l].captions[static_cast<std::size_t>(word)] == 0) continue;
      vectors.add(vocabulary.word(word), numbers_of(said[l].vectors[word].mul(scale)));
    }
  }
  return result;
}

}  // namespace hinny
