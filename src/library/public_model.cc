#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/threads.h"
#include "encoder/image_spaces.h"
#include "encoder/read_sentences.h"
#include "library/internal.h"

namespace hinny {
inline namespace v1 {

struct Model::Inside {
  explicit Inside(const std::filesystem::path& path)
      : model(open(path, hash)), encoders(model, TextEncoder::Unknown::drop) {
    model.check_reads_words();
  }

  // Of a bundle in one file, what it holds: open files stay when their folder is gone.
  static inside::Model open(const std::filesystem::path& path, std::string& hash) {
    std::optional<inside::Model> model;
    with_model_folder(path, [&](const std::filesystem::path& folder) {
      model.emplace(inside::Model::open(folder));
      hash = model_hash(folder);
    });
    return std::move(*model);
  }

  // Reads all sentences on all threads and hands each to take(position, read), from any of them.
  template <typename Take>
  void read(std::span<const std::string> sentences, std::span<const std::string> languages,
            const Take& take) const {
    const auto language = [&](std::size_t i) {
      return languages.empty() ? std::string() : languages[languages.size() == 1 ? 0 : i];
    };
    parallel_blocks(sentences.size(), [&](std::size_t begin, std::size_t end) {
      const Encoders::Lease encoder(encoders);
      for (std::size_t i = begin; i < end; ++i) {
        take(i, read_sentence(*encoder, {language(i), sentences[i]}));
      }
    });
  }

  std::string hash;
  inside::Model model;
  Encoders encoders;
};

Model::Model(const std::string& path)
    : inside_(inside::guarded([&] { return std::make_unique<const Inside>(path); }, path)) {}
Model::~Model() = default;
Model::Model(Model&& other) noexcept = default;
Model& Model::operator=(Model&& other) noexcept = default;

std::size_t Model::dim() const { return inside_->model.config().dim; }
std::size_t Model::feature_size() const { return inside_->model.config().features.dim(); }
const std::vector<std::string>& Model::languages() const {
  return inside_->model.config().languages;
}
const std::string& Model::hash() const { return inside_->hash; }

Vectors Model::encode(std::span<const std::string> sentences,
                      std::span<const std::string> languages) const {
  return inside::guarded([&] {
    if (languages.size() > 1 && languages.size() != sentences.size()) {
      throw InputError(fmt::format("{} languages of {} sentences (expected one of each, or one)",
                                   languages.size(), sentences.size()));
    }
    if (languages.empty()) image_space(inside_->model, "", inside::kLanguage);
    for (const std::string& language : languages) {
      image_space(inside_->model, language, inside::kLanguage);
    }
    Vectors result{{}, sentences.size(), dim()};
    result.values.resize(result.rows * result.dim);
    inside_->read(sentences, languages, [&](std::size_t i, ReadSentence&& read) {
      std::ranges::copy(read.encoded.vector,
                        result.values.begin() + static_cast<std::ptrdiff_t>(i * result.dim));
    });
    return result;
  });
}

std::vector<std::string> Model::guess_languages(std::span<const std::string> sentences) const {
  return inside::guarded([&] {
    std::vector<std::string> languages(sentences.size());
    inside_->read(sentences, {}, [&](std::size_t i, ReadSentence&& read) {
      languages[i] = std::move(read.guess.language);
    });
    return languages;
  });
}

Vectors Model::encode_features(std::span<const float> features) const {
  return encode_features(features, "");
}

Vectors Model::encode_features(std::span<const float> features, const std::string& language) const {
  return inside::guarded([&] {
    const std::string& space = image_space(inside_->model, language, inside::kLanguage);
    const std::size_t size = feature_size();
    if (features.size() % size != 0) {
      throw InputError(fmt::format("{} features (expected rows of {})", features.size(), size));
    }
    for (const float x : features) {
      if (!std::isfinite(x)) throw InputError("features that are not finite (expected numbers)");
    }
    Vectors result{{}, features.size() / size, dim()};
    if (result.rows == 0) return result;
    result.values = ImageEncoder(inside_->model).encode(features, space);
    return result;
  });
}

}  // namespace v1
}  // namespace hinny
