#include <fmt/format.h>

#include <cmath>

#include "base/day.h"
#include "index/filter.h"
#include "library/inside.h"

namespace hinny {
inline namespace v1 {
namespace {

inside::Question asked(const Question& question) {
  AskedFields fields;
  fields.language = question.language;
  for (const auto& [language, sentence] : question.also) {
    fields.also.push_back(language + "=" + sentence);
  }
  fields.like = question.like;
  fields.unwanted = question.exclude;
  fields.picture_weight = question.picture_weight;
  fields.unwanted_weight = question.exclude_weight;
  fields.k = question.k;
  fields.min_score = question.min_score;
  fields.since = question.since;
  fields.until = question.until;
  fields.folder = question.folder;
  fields.sort = question.by_time ? "time" : "score";
  fields.near_copies = question.near_copies;
  fields.rerank = question.rerank;
  fields.explain = question.explain;
  inside::Question result = shared_question(fields);
  result.details = true;
  for (const std::vector<float>& features : question.features) {
    result.parts.push_back({inside::Question::Features{features}, question.picture_weight});
  }
  return result;
}

void check_weights(const Question& question) {
  for (const float weight : {question.picture_weight, question.exclude_weight}) {
    if (weight > 0 && weight <= 1000) continue;
    throw InputError(fmt::format("a weight of {} (expected above 0, at most 1000)", weight));
  }
  if (question.k == 0) throw InputError("k = 0 (expected 1 or more)");
}

Explanation shown(const inside::Explanation& explanation) {
  Explanation result;
  for (const auto& [text, share, regions] : explanation.words) {
    result.words.push_back({text, share, regions});
  }
  result.regions = explanation.regions;
  if (explanation.grid) {
    result.grid_rows = explanation.grid->rows;
    result.grid_columns = explanation.grid->columns;
  }
  return result;
}

Result shown(const inside::Found& found) {
  Result result{found.image, found.file, found.score, found.taken, std::nullopt, {}};
  if (found.explanation) result.explanation = shown(*found.explanation);
  for (const inside::Found& copy : found.copies) result.copies.push_back(shown(copy));
  return result;
}

Answer shown(const inside::Answer& answer) {
  Answer result;
  if (!answer.texts.empty()) {
    result.language = answer.texts.front().language;
    result.unknown_words = answer.texts.front().unknown_words;
  }
  for (const inside::Found& found : answer.found) result.results.push_back(shown(found));
  return result;
}

}  // namespace

struct Collection::Inside {
  explicit Inside(const std::filesystem::path& path) : folder(path), collection(path) {}
  std::filesystem::path folder;
  inside::Collection collection;
};

Collection::Collection(const std::string& path)
    : inside_(inside::guarded([&] { return std::make_unique<Inside>(path); }, path)) {}
Collection::~Collection() = default;
Collection::Collection(Collection&& other) noexcept = default;
Collection& Collection::operator=(Collection&& other) noexcept = default;

std::size_t Collection::size() const { return inside_->collection.index()->size(); }
std::size_t Collection::dim() const { return inside_->collection.index()->contents().dim; }
std::vector<std::string> Collection::languages() const {
  return inside_->collection.index()->model().config().languages;
}
std::string Collection::model_hash() const { return inside_->collection.index()->contents().model; }
std::vector<std::string> Collection::ids() const {
  return inside_->collection.index()->contents().images;
}
std::string Collection::file(const std::string& id) const {
  return inside::guarded([&] { return inside_->collection.file_of(id); });
}

VectorView Collection::vectors() const {
  auto index = inside_->collection.index();
  const auto [numbers, stride] = index->vectors();
  return {numbers.data(), index->size(), index->contents().dim, stride, std::move(index)};
}

Answer Collection::search(const std::string& sentence, const Question& question) const {
  return std::move(search(std::span(&sentence, 1), question).front());
}

std::vector<Answer> Collection::search(std::span<const std::string> sentences,
                                       const Question& question) const {
  return inside::guarded([&] {
    check_weights(question);
    if (sentences.empty() && question.like.empty() && question.features.empty()) {
      throw InputError("nothing to look for (expected a sentence, or pictures to be like)");
    }
    if (!question.also.empty() && sentences.size() != 1) {
      throw InputError("a translation without one sentence that it translates (expected one)");
    }
    std::vector<Answer> answers;
    for (const inside::Answer& answer : inside_->collection.ask(sentences, asked(question))) {
      answers.push_back(shown(answer));
    }
    return answers;
  });
}

std::vector<Answer> Collection::nearest(std::span<const float> vectors,
                                        const Question& question) const {
  return inside::guarded([&] {
    check_weights(question);
    const auto index = inside_->collection.index();
    const std::size_t size = index->contents().dim;
    if (vectors.size() % size != 0) {
      throw InputError(fmt::format("{} numbers (expected vectors of {})", vectors.size(), size));
    }
    std::vector<Query> queries;
    for (std::size_t first = 0; first < vectors.size(); first += size) {
      const auto vector = vectors.subspan(first, size);
      for (const float x : vector) {
        if (!std::isfinite(x)) throw InputError("a vector that is not finite (expected numbers)");
      }
      queries.push_back({index->contents().model,
                         index->contents().spaces.front(),
                         {vector.begin(), vector.end()},
                         false,
                         {}});
    }
    const inside::Question rest = asked(question);
    std::vector<std::size_t> left;
    if (rest.filter.any()) left = matching(*index, rest.filter);
    const std::size_t k = std::min(question.k, index->size());
    const auto& times = index->times();
    std::vector<Answer> answers;
    for (const auto& hits : index->search(queries, k, rest.filter.any() ? &left : nullptr)) {
      answers.emplace_back();
      for (const Hit& hit : hits) {
        if (static_cast<double>(hit.score) < question.min_score) break;
        answers.back().results.push_back({index->contents().images[hit.image],
                                          index->picture(hit.image),
                                          hit.score,
                                          times.empty() ? "" : time_text(times[hit.image]),
                                          std::nullopt,
                                          {}});
      }
    }
    return answers;
  });
}

void Collection::remove(std::span<const std::string> ids) {
  inside::guarded([&] {
    for (const std::string& id : ids) inside_->collection.file_of(id);  // throws for an unknown one
    remove_from_index(inside_->folder, {ids.begin(), ids.end()});
    inside_->collection.reload();
  });
}

bool Collection::reload() {
  return inside::guarded([&] { return inside_->collection.reload(); });
}

}  // namespace v1
}  // namespace hinny
