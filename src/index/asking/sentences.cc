#include "index/asking/sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/lines.h"
#include "base/request_error.h"
#include "base/utf8.h"
#include "index/asking/region_scores.h"
#include "index/folder/stored_sentences.h"
#include "retrieval/dot_kernels.h"
#include "text/language_code.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMore = 100;  // more than were asked for, where regions are compared

// A sentence, and what it is ordered by: hubs stand further behind than their scores.
struct Ranked {
  SentenceHit hit;
  float order = 0;
};

bool better(const Ranked& a, const Ranked& b) { return a.order > b.order; }

// The best of them, without what they were ordered by.
std::vector<SentenceHit> best_of(std::vector<Ranked>&& all, std::size_t most) {
  std::ranges::stable_sort(all, better);
  all.resize(std::min(all.size(), most));
  std::vector<SentenceHit> hits;
  for (Ranked& one : all) hits.push_back(std::move(one.hit));
  return hits;
}

float product(std::span<const float> a, std::span<const float> b) {
  float result = 0;
  dot_kernels().f32(a.data(), 1, a.size(), b.data(), 1, &result);
  return result;
}

// A picture that sentences are scored with.
class Described {
 public:
  Described(const Index& index, SeenPicture picture)
      : index_(index), picture_(std::move(picture)) {}

  Ranked score(SentenceHit hit, const EncodedText& sentence) {
    hit.score = score(sentence, hit.language);
    const std::string& space = index_.model().text(hit.language).space;
    const float order = hit.score + index_.sentence_penalty(sentence.vector, space);
    return {std::move(hit), order};
  }

 private:
  float score(const EncodedText& sentence, const std::string& language) {
    const std::string& space = index_.model().text(language).space;
    std::vector<float>& known = by_space_[space];
    if (index_.attends()) {
      if (known.empty()) known = picture_regions(index_, picture_, space);
      return region_score(index_, sentence, known);
    }
    if (known.empty()) known = picture_vector(index_, picture_, space);
    return product(sentence.vector, known);
  }

  const Index& index_;
  SeenPicture picture_;
  std::map<std::string, std::vector<float>> by_space_;  // its vector, or its regions
};

// Scores them again, word by region.
std::vector<Ranked> compared(const Index& index, std::size_t image,
                             const std::vector<Ranked>& some) {
  Described described(index, image);
  TextEncoder encoder(index.model());
  std::vector<Ranked> again;
  for (const Ranked& one : some) {
    again.push_back(described.score(one.hit, encoder.encode(one.hit.text, one.hit.language)));
  }
  return again;
}

}  // namespace

StoredSentences::StoredSentences(const Index& index) {
  if (!fs::exists(index.folder() / kSentencesFile)) return;
  index.check_file(kSentencesFile);
  index.check_file(kSentenceVectorsFile);
  sentences_ = read_stored_sentences(index.folder() / kSentencesFile, index.model().config());
  vectors_ = NpyArray::open(index.folder() / kSentenceVectorsFile);
  const bool corrected = index.contents().hubs && !index.model().config().late;
  const std::size_t dim = index.contents().dim + (corrected ? 1 : 0);
  if (vectors_->rows() != static_cast<std::int64_t>(sentences_.size()) ||
      vectors_->row_size() != static_cast<std::int64_t>(dim) ||
      (vectors_->in_place().empty() && !sentences_.empty())) {
    throw InputError(index.folder() / kSentenceVectorsFile, "other rows than sentences.jsonl",
                     fmt::format("float32 [{}, {}]", sentences_.size(), dim));
  }
}

std::vector<SentenceHit> StoredSentences::nearest(const Index& index, std::size_t image,
                                                  std::size_t per_language) const {
  if (!vectors_) return {};  // the index keeps none
  const std::size_t dim = index.contents().dim;
  const std::size_t columns = static_cast<std::size_t>(vectors_->row_size());
  std::map<std::string, std::vector<float>> pictures;  // by space
  struct Place {
    float order = 0, score = 0;
    std::size_t sentence = 0;
  };
  std::map<std::string, std::vector<Place>> places;  // by language
  for (std::size_t i = 0; i < sentences_.size(); ++i) {
    const std::string& space = index.model().text(sentences_[i].language).space;
    std::vector<float>& picture = pictures[space];
    if (picture.empty()) picture = index.vector(image, space);
    const auto row = vectors_->in_place().subspan(i * columns, columns);
    const float score = product(row.first(dim), picture);
    places[sentences_[i].language].push_back({score + (columns > dim ? row[dim] : 0), score, i});
  }
  std::vector<SentenceHit> hits;
  const std::size_t some = index.attends() ? per_language + kMore : per_language;
  for (const std::string& language : index.model().config().languages) {
    std::vector<Place>& all = places[language];
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), some));
    std::partial_sort(all.begin(), end, all.end(), [](const Place& a, const Place& b) {
      return a.order != b.order ? a.order > b.order : a.sentence < b.sentence;
    });
    std::vector<Ranked> best;
    for (auto place = all.begin(); place != end; ++place) {
      best.push_back({{language, sentences_[place->sentence].text, place->score}, place->order});
    }
    if (index.attends()) best = compared(index, image, best);
    std::ranges::move(best_of(std::move(best), per_language), std::back_inserter(hits));
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
  std::vector<Ranked> hits;
  read_sentences(index.model(), all, [&](std::size_t i, ReadSentence&& read) {
    if (read.encoded.nothing_known()) return;
    hits.push_back(described.score({read.guess.language, all[i].text, 0}, read.encoded));
  });
  return best_of(std::move(hits), k);
}

}  // namespace hinny
