#include "index/sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/request_error.h"
#include "encoder/kernels.h"
#include "index/attended.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kSentencesFile = "sentences.jsonl";
constexpr const char* kSentenceVectorsFile = "sentences.npy";
constexpr std::size_t kCompared = 100;  // more than were asked for, where regions are compared

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

// A picture that sentences are scored with.
class Described {
 public:
  Described(const Index& index, SeenPicture picture)
      : index_(index), picture_(std::move(picture)) {}

  float score(const EncodedText& sentence, const std::string& language) {
    const std::string& space = index_.model().text(language).space;
    std::vector<float>& known = by_space_[space];
    if (index_.attends()) {
      if (known.empty()) known = picture_regions(index_, picture_, space);
      return attended_score(index_, sentence, known);
    }
    if (known.empty()) known = picture_vector(index_, picture_, space);
    return product(sentence.vector, known);
  }

 private:
  const Index& index_;
  SeenPicture picture_;
  std::map<std::string, std::vector<float>> by_space_;  // its vector, or its regions
};

std::vector<Sentence> sentences_in(const fs::path& path, const ModelConfig& config) {
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
    if (!config.text.contains(sentences.back().language)) {
      throw InputError(path, line, fmt::format("the model lacks '{}'", sentences.back().language),
                       fmt::format("one of {}", fmt::join(config.languages, ", ")));
    }
  });
  return sentences;
}

// Scores them again, word by region.
void compare(const Index& index, std::size_t image, std::vector<SentenceHit>& hits) {
  Described described(index, image);
  TextEncoder encoder(index.model());
  for (SentenceHit& hit : hits) {
    hit.score = described.score(encoder.encode(hit.text, hit.language), hit.language);
  }
  std::ranges::stable_sort(hits, better);
}

}  // namespace

void keep_sentences(const Model& model, const Dataset& dataset, const std::vector<int>& images,
                    std::size_t per_language, const fs::path& folder) {
  const std::vector<Sentence> sentences = captions_of(model, dataset, images, per_language);
  if (sentences.empty()) return;
  NpyWriter vectors(folder / kSentenceVectorsFile, {static_cast<std::int64_t>(model.config().dim)},
                    NpyType::float32);
  std::string lines;
  read_sentences(model, sentences, [&](std::size_t i, ReadSentence&& read) {
    if (read.encoded.nothing_known()) return;
    vectors.append(read.encoded.vector);
    const nlohmann::ordered_json json = {{"lang", sentences[i].language},
                                         {"text", sentences[i].text}};
    lines += json.dump() + "\n";
  });
  vectors.commit();
  write_file(folder / kSentencesFile, lines);
}

KeptSentences::KeptSentences(const Index& index) {
  if (!fs::exists(index.folder() / kSentencesFile)) return;
  sentences_ = sentences_in(index.folder() / kSentencesFile, index.model().config());
  vectors_ = NpyArray::open(index.folder() / kSentenceVectorsFile);
  const std::size_t dim = index.contents().dim;
  if (vectors_->rows() != static_cast<std::int64_t>(sentences_.size()) ||
      vectors_->row_size() != static_cast<std::int64_t>(dim) || vectors_->in_place().empty()) {
    throw InputError(index.folder() / kSentenceVectorsFile, "other rows than sentences.jsonl",
                     fmt::format("float32 [{}, {}]", sentences_.size(), dim));
  }
}

std::vector<SentenceHit> KeptSentences::nearest(const Index& index, std::size_t image,
                                                std::size_t per_language) const {
  const std::size_t dim = index.contents().dim;
  std::map<std::string, std::vector<float>> pictures;                        // by space
  std::map<std::string, std::vector<std::pair<float, std::size_t>>> scores;  // by language
  for (std::size_t i = 0; i < sentences_.size(); ++i) {
    const std::string& space = index.model().text(sentences_[i].language).space;
    std::vector<float>& picture = pictures[space];
    if (picture.empty()) picture = index.vector(image, space);
    scores[sentences_[i].language].emplace_back(
        product(vectors_->in_place().subspan(i * dim, dim), picture), i);
  }
  std::vector<SentenceHit> hits;
  const std::size_t some = index.attends() ? per_language + kCompared : per_language;
  for (const std::string& language : index.model().config().languages) {
    auto& all = scores[language];
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), some));
    std::partial_sort(all.begin(), end, all.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<SentenceHit> best;
    for (auto hit = all.begin(); hit != end; ++hit) {
      best.push_back({language, sentences_[hit->second].text, hit->first});
    }
    if (index.attends()) compare(index, image, best);
    best.resize(std::min(best.size(), per_language));
    std::ranges::move(best, std::back_inserter(hits));
  }
  return hits;
}

std::vector<SentenceHit> best_sentences(const Index& index, const SeenPicture& picture,
                                        std::span<const std::string> sentences,
                                        const std::string& language, std::size_t k) {
  std::vector<Sentence> all;
  for (const std::string& text : sentences) {
    if (!is_utf8(text)) throw RequestError("a sentence that is broken UTF-8", "UTF-8 text");
    all.push_back({language, text});
  }
  Described described(index, picture);
  std::vector<SentenceHit> hits;
  read_sentences(index.model(), all, [&](std::size_t i, ReadSentence&& read) {
    if (read.encoded.nothing_known()) return;
    hits.push_back(
        {read.guess.language, all[i].text, described.score(read.encoded, read.guess.language)});
  });
  std::ranges::stable_sort(hits, better);
  hits.resize(std::min(hits.size(), k));
  return hits;
}

}  // namespace hinny
