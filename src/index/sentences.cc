#include "index/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/npy.h"
#include "base/progress.h"
#include "base/threads.h"
#include "encoder/kernels.h"
#include "encoder/language.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSentencesFile = "sentences.jsonl";
constexpr const char* kSentenceVectorsFile = "sentences.npy";
constexpr std::size_t kBlock = 256;  // sentences between two looks at Ctrl-C

struct Sentence {
  std::string language;
  std::string text;
};

struct Encoded {
  std::string language;
  std::vector<float> vector;  // empty: no known word
};

Encoded encode(TextEncoder& encoder, const Sentence& sentence) {
  const std::string language = sentence.language.empty()
                                   ? guess_language(encoder, sentence.text).language
                                   : sentence.language;
  EncodedText text = encoder.encode(sentence.text, language);
  if (text.nothing_known()) return {language, {}};
  return {language, std::move(text.vector)};
}

std::vector<Encoded> encode_all(const Model& model, const std::vector<Sentence>& sentences) {
  std::vector<Encoded> encoded(sentences.size());
  Progress progress("sentences", sentences.size());
  for (std::size_t first = 0; first < sentences.size(); first += kBlock) {
    stop_if_interrupted();
    const std::size_t count = std::min(kBlock, sentences.size() - first);
    parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
      TextEncoder encoder(model);
      for (std::size_t i = first + begin; i < first + end; ++i) {
        encoded[i] = encode(encoder, sentences[i]);
      }
    });
    progress.add(count);
  }
  return encoded;
}

// Up to `most` of them, at even distances.
std::vector<Sentence> spread(const std::vector<Sentence>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<Sentence> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
  return some;
}

std::vector<Sentence> captions_of(const Model& model, const Dataset& dataset,
                                  const std::vector<int>& images, std::size_t per_language) {
  std::vector<Sentence> chosen;
  for (const std::string& code : model.config().languages) {
    const auto known = std::ranges::find(dataset.languages(), code);
    if (known == dataset.languages().end()) continue;
    const auto language = static_cast<int>(known - dataset.languages().begin());
    std::vector<Sentence> all;
    for (const int image : images) {
      for (const int caption : dataset.captions_of(image, language)) {
        all.push_back({code, dataset.captions()[static_cast<std::size_t>(caption)].text});
      }
    }
    std::ranges::move(spread(all, per_language), std::back_inserter(chosen));
  }
  return chosen;
}

bool better(const SentenceHit& a, const SentenceHit& b) { return a.score > b.score; }

float product(std::span<const float> a, std::span<const float> b) {
  float result = 0;
  kernels().f32(a.data(), 1, a.size(), b.data(), 1, &result);
  return result;
}

std::vector<Sentence> read_sentences(const fs::path& path) {
  std::vector<Sentence> sentences;
  for_each_line(path, [&](std::string_view text, std::size_t line) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto is_text = [&](const char* key) {
      return json.contains(key) && json[key].is_string();
    };
    if (!json.is_object() || !is_text("lang") || !is_text("text")) {
      throw InputError(path, line, "is no sentence", "{\"lang\": ..., \"text\": ...}");
    }
    sentences.push_back({json["lang"], json["text"]});
  });
  return sentences;
}

}  // namespace

void keep_sentences(const Model& model, const Dataset& dataset, const std::vector<int>& images,
                    std::size_t per_language, const fs::path& folder) {
  const std::vector<Sentence> sentences = captions_of(model, dataset, images, per_language);
  if (sentences.empty()) return;
  const std::vector<Encoded> encoded = encode_all(model, sentences);
  NpyWriter vectors(folder / kSentenceVectorsFile, {static_cast<std::int64_t>(model.config().dim)},
                    NpyType::float32);
  std::string lines;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (encoded[i].vector.empty()) continue;
    vectors.append(encoded[i].vector);
    const nlohmann::ordered_json json = {{"lang", sentences[i].language},
                                         {"text", sentences[i].text}};
    lines += json.dump() + "\n";
  }
  vectors.commit();
  write_file(folder / kSentencesFile, lines);
}

std::vector<SentenceHit> nearest_sentences(const Index& index, std::size_t image,
                                           std::size_t per_language) {
  if (!fs::exists(index.folder() / kSentencesFile)) return {};
  const std::vector<Sentence> sentences = read_sentences(index.folder() / kSentencesFile);
  const NpyArray vectors = NpyArray::open(index.folder() / kSentenceVectorsFile);
  const std::size_t dim = index.contents().dim;
  if (vectors.rows() != static_cast<std::int64_t>(sentences.size()) ||
      vectors.row_size() != static_cast<std::int64_t>(dim) || vectors.in_place().empty()) {
    throw InputError(index.folder() / kSentenceVectorsFile, "other rows than sentences.jsonl",
                     fmt::format("float32 [{}, {}]", sentences.size(), dim));
  }
  std::map<std::string, std::vector<SentenceHit>> found;
  std::map<std::string, std::vector<float>> pictures;  // by space
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const std::string& space = index.model().text(sentences[i].language).space;
    std::vector<float>& picture = pictures[space];
    if (picture.empty()) picture = index.vector(image, space);
    found[sentences[i].language].push_back(
        {sentences[i].language, sentences[i].text,
         product(vectors.in_place().subspan(i * dim, dim), picture)});
  }
  std::vector<SentenceHit> hits;
  for (const std::string& language : index.model().config().languages) {
    std::vector<SentenceHit>& all = found[language];
    std::ranges::stable_sort(all, better);
    all.resize(std::min(all.size(), per_language));
    std::ranges::move(all, std::back_inserter(hits));
  }
  return hits;
}

std::vector<SentenceHit> best_sentences(const Index& index, const Question::Part& picture,
                                        std::span<const std::string> sentences,
                                        const std::string& language, std::size_t k) {
  std::vector<Sentence> all;
  for (const std::string& text : sentences) {
    if (!is_utf8(text)) throw InputError("a sentence that is broken UTF-8", "UTF-8 text");
    all.push_back({language, text});
  }
  const std::vector<Encoded> encoded = encode_all(index.model(), all);
  std::map<std::string, std::vector<float>> pictures;  // by space
  std::vector<SentenceHit> hits;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i].vector.empty()) continue;
    const std::string& space = index.model().text(encoded[i].language).space;
    std::vector<float>& vector = pictures[space];
    if (vector.empty()) vector = picture_vector(index, picture, space);
    hits.push_back({encoded[i].language, all[i].text, product(encoded[i].vector, vector)});
  }
  std::ranges::stable_sort(hits, better);
  hits.resize(std::min(hits.size(), k));
  return hits;
}

}  // namespace hinny
