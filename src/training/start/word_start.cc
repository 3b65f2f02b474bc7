#include "training/start/word_start.h"

#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include <filesystem>
#include <mutex>

#include "base/error.h"
#include "base/progress.h"
#include "base/terminal_text.h"
#include "base/threads.h"
#include "text/pca.h"
#include "text/vector_training.h"
#include "text/word_vectors.h"
#include "training/start/picture_words.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

std::int64_t given_dim(const TextSettings& text) { return text.pca > 0 ? text.pca : text.dim; }

WordVectors learn(const PreparedData& data, const std::vector<int>& images, int language) {
  std::vector<std::string_view> captions;
  for (const int image : images) {
    for (const int caption : data.dataset.captions_of(image, language)) {
      captions.push_back(data.dataset.captions()[static_cast<std::size_t>(caption)].text);
    }
  }
  const TextSettings& text = data.recipe.model.text;
  VectorTrainingOptions options;
  options.dim = static_cast<int>(given_dim(text));
  options.min_count = text.min_count;
  options.seed = static_cast<std::uint32_t>(data.recipe.train.seed);
  options.tokenizer = {text.given, static_cast<int>(text.max_words), text.stems};
  return train_word_vectors(captions, data.dataset.languages()[static_cast<std::size_t>(language)],
                            options);
}

// Languages side by side: each is learnt by one thread, so the result does not depend on how many.
std::vector<WordVectors> learn_all(const PreparedData& data, const std::vector<int>& images) {
  const std::size_t languages = data.dataset.languages().size();
  std::vector<WordVectors> vectors(languages, WordVectors(1));
  Progress progress("word vectors", languages);
  std::mutex lock;
  parallel_blocks(languages, [&](std::size_t begin, std::size_t end) {
    for (std::size_t l = begin; l < end; ++l) {
      vectors[l] = learn(data, images, static_cast<int>(l));
      const std::lock_guard guard(lock);
      progress.add();
    }
  });
  return vectors;
}

std::vector<WordVectors> read_all(const PreparedData& data, const fs::path& folder) {
  std::vector<WordVectors> vectors;
  for (const std::string& language : data.dataset.languages()) {
    const Vocabulary& words =
        data.vocabularies.at(vocabulary_name(data.recipe.model.text, language));
    const fs::path file = folder / (language + ".vec");
    vectors.push_back(
        read_word_vectors(file, [&](std::string_view word) { return words.id(word) != kUnknown; }));
    if (vectors.back().dim() != static_cast<std::size_t>(given_dim(data.recipe.model.text))) {
      throw InputError(file, fmt::format("vectors of {} numbers", vectors.back().dim()),
                       fmt::format("{}", given_dim(data.recipe.model.text)));
    }
  }
  return vectors;
}

void set_words(RetrievalSystem& system, const PreparedData& data,
               std::vector<WordVectors> vectors) {
  const TextSettings& text = data.recipe.model.text;
  for (WordVectors& one : vectors) {
    if (text.pca > 0) {
      one = reduce(one, fit_pca(one.rows(), one.dim(), static_cast<std::size_t>(text.dim)));
    }
    // Towers with tokens whiten their own words, of which they keep some components, by themselves.
    if (text.whiten && text.latents == 0) one = whitened(one);
  }

  for (std::size_t l = 0; l < vectors.size(); ++l) {
    const std::string name = vocabulary_name(text, data.dataset.languages()[l]);
    if (text.vocabulary == Sharing::shared && l > 0) break;
    // A shared word takes the vector of the first language that has it.
    const std::size_t last = text.vocabulary == Sharing::shared ? vectors.size() : l + 1;
    const InitialVectors start =
        initial_vectors({vectors.data() + l, last - l}, data.vocabularies.at(name),
                        static_cast<std::uint64_t>(data.recipe.train.seed));
    print_line(stderr, "word vectors {}: {} words found, {} start at random\n", name, start.found,
               start.missing);
    system.set_words(
        data.system_language[l],
        at::from_blob(const_cast<float*>(start.rows.data()),
                      {data.vocabularies.at(name).size(), static_cast<std::int64_t>(start.dim)}));
  }
}

// `joint_space`: whether image.start is done as well.
void start(RetrievalSystem& system, const PreparedData& data, const std::vector<int>& images,
           bool joint_space) {
  const TextSettings& text = data.recipe.model.text;
  const auto source = choice_of<VectorSource>(text.vectors);
  if (!source) return set_words(system, data, read_all(data, text.vectors));
  if (source == VectorSource::train) set_words(system, data, learn_all(data, images));
  if (source != VectorSource::pictures) return;
  const PictureDirections main = picture_directions(data, images, given_dim(text));
  if (joint_space && data.recipe.model.image.start == ImageStart::directions) {
    system.start_along(main.directions, main.spread);
  }
  set_words(system, data, picture_words(data, images, main, given_dim(text)));
}

}  // namespace

void start_weights(RetrievalSystem& system, const PreparedData& data,
                   const std::vector<int>& images) {
  start(system, data, images, true);
}

void start_words(RetrievalSystem& system, const PreparedData& data,
                 const std::vector<int>& images) {
  start(system, data, images, false);
}

}  // namespace hinny
