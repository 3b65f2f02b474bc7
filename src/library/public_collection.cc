#include <fmt/format.h>

#include <cmath>

#include "encoder/image_spaces.h"
#include "index/asking/ask.h"
#include "index/asking/found_json.h"
#include "index/folder/change_from_dataset.h"
#include "index/tree/film_frames.h"
#include "library/internal.h"

namespace hinny {
inline namespace v1 {
namespace {

AskedFields fields_of(std::span<const std::string> sentences, const Question& question) {
  AskedFields fields;
  fields.sentences.assign(sentences.begin(), sentences.end());
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
  fields.min_fit = question.min_fit;
  fields.near = question.near;
  fields.within = question.within;
  fields.town = question.town;
  fields.camera = question.camera;
  fields.lens = question.lens;
  fields.shape = question.shape;
  fields.min_size = question.min_size;
  fields.max_size = question.max_size;
  fields.literal = question.literal;
  fields.kind = question.kind;
  fields.each_frame = question.each_frame;
  return fields;
}

inside::Question asked(const AskedFields& fields, const Question& question) {
  inside::Question result = shared_question(fields);
  result.details = true;
  for (const std::vector<float>& features : question.features) {
    result.parts.push_back({inside::Question::Features{features}, question.picture_weight});
  }
  return result;
}

void check_weights(const Question& question) {
  const auto [least, most] = question_field("image_weight")->over_http;
  for (const float weight : {question.picture_weight, question.exclude_weight}) {
    if (weight > least && weight <= most) continue;
    throw InputError(
        fmt::format("a weight of {} (expected above {}, at most {})", weight, least, most));
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
  Result result{found.image, found.file, found.score, found.taken, std::nullopt, {}, {},
                {},          {},         {},          {}};
  if (found.explanation) result.explanation = shown(*found.explanation);
  for (const inside::Found& copy : found.copies) result.copies.push_back(shown(copy));
  result.fit = found.fit;
  if (const auto at = frame_moment(found.image, found.file)) {
    result.second = static_cast<double>(*at) / 1000;
  }
  if (found.place) result.place = {found.place->latitude, found.place->longitude};
  result.town = found.town;
  result.camera = found.camera;
  result.lens = found.lens;
  result.exposure = found.exposure;
  result.width = found.size.width;
  result.height = found.size.height;
  result.raw = found.raw;
  return result;
}

Answer shown(const inside::Answer& answer) {
  Answer result;
  if (!answer.texts.empty()) {
    result.language = answer.texts.front().language;
    result.unknown_words = answer.texts.front().unknown_words;
  }
  for (const inside::Found& found : answer.found) result.results.push_back(shown(found));
  for (const inside::Heard& heard : answer.heard) {
    Heard& one = result.heard.emplace_back(Heard{heard.text});
    if (heard.taken) {
      one.since = first_day(*heard.taken);
      one.until = last_day(*heard.taken);
    }
    one.town = heard.town;
    one.camera = heard.camera;
    one.folder = heard.folder;
  }
  return result;
}

std::vector<Answer> shown(const std::vector<inside::Answer>& answers) {
  std::vector<Answer> all;
  for (const inside::Answer& answer : answers) all.push_back(shown(answer));
  return all;
}

}  // namespace

struct Collection::Inside {
  explicit Inside(const std::filesystem::path& path) : folder(path), collection(path) {}

  Change change(const std::string& dataset, std::span<const std::string> splits, ChangeIndex how) {
    return inside::guarded(
        [&] {
          std::vector<std::string> names(splits.begin(), splits.end());
          if (names.empty()) names.emplace_back("all");
          const IndexChange done = change_from_dataset(folder, dataset, names, how);
          collection.reload();
          return Change{done.added, done.changed, done.removed, done.kept};
        },
        dataset);
  }

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
  return inside::guarded([&] {
    const auto index = inside_->collection.index();
    std::vector<std::string> ids;
    ids.reserve(index->size());
    for (std::size_t i = 0; i < index->size(); ++i) ids.emplace_back(index->id(i));
    return ids;
  });
}
std::string Collection::file(const std::string& id) const {
  return inside::guarded([&] { return inside_->collection.file_of(id); });
}

VectorView Collection::vectors() const { return vectors(""); }

VectorView Collection::vectors(const std::string& language) const {
  return inside::guarded([&] {
    auto index = inside_->collection.index();
    const Index::VectorTable table =
        index->vectors(image_space(index->model(), language, inside::kLanguage));
    // Who reads the view comes to no other occasion.
    if (table.checked != nullptr) table.checked->check(std::as_bytes(table.numbers));
    return VectorView{table.numbers.data(), index->size(), index->contents().dim, table.stride,
                      std::move(index)};
  });
}

Answer Collection::search(const std::string& sentence, const Question& question) const {
  return std::move(search(std::span(&sentence, 1), question).front());
}

std::vector<Answer> Collection::search(std::span<const std::string> sentences,
                                       const Question& question) const {
  return inside::guarded([&] {
    check_weights(question);
    const AskedFields fields = fields_of(sentences, question);
    if (fields.asks_nothing() && question.features.empty()) {
      throw InputError("nothing to look for (expected a sentence, or pictures to be like)");
    }
    if (fields.also_is_of_no_sentence()) {
      throw InputError("a translation without one sentence that it translates (expected one)");
    }
    return shown(inside_->collection.ask(sentences, asked(fields, question)));
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
    for (const float x : vectors) {
      if (!std::isfinite(x)) throw InputError("a vector that is not finite (expected numbers)");
    }
    const std::string& space = image_space(index->model(), question.language, inside::kLanguage);
    return shown(
        ask_with_vectors(*index, vectors, space, asked(fields_of({}, question), question)));
  });
}

Change Collection::add(const std::string& dataset, std::span<const std::string> splits) {
  return inside_->change(dataset, splits, add_to_index);
}

Change Collection::update(const std::string& dataset, std::span<const std::string> splits) {
  return inside_->change(dataset, splits, update_index);
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
