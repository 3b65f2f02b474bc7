#include "index/ask.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/day.h"
#include "index/attended.h"

namespace hinny {
namespace {

// The images that a filter leaves; null: all.
using Among = const std::vector<std::size_t>*;

// A question with all that was read for it.
struct Prepared {
  std::vector<ReadPart> parts;
  Query query;
  std::optional<Query> again;  // as the second look reads it, where there is one
  Answer* answer = nullptr;
};

// The images that are asked with: no news to whoever asks.
std::vector<std::size_t> images_of(std::span<const ReadPart> parts) {
  std::vector<std::size_t> images;
  for (const ReadPart& part : parts) {
    const auto* picture = std::get_if<SeenPicture>(&part.what);
    if (picture == nullptr) continue;
    if (const auto* image = std::get_if<std::size_t>(picture)) images.push_back(*image);
  }
  return images;
}

void keep_wanted(std::vector<Hit>& hits, double min_score, std::span<const std::size_t> known,
                 std::size_t k) {
  std::erase_if(hits, [&](const Hit& hit) {
    return static_cast<double>(hit.score) < min_score ||
           std::ranges::find(known, hit.image) != known.end();
  });
  hits.resize(std::min(hits.size(), k));
}

// The question once more, for another model, which reads its sentences in its own way.
Question said_again(const Question& shared, std::span<const ReadPart> parts) {
  Question question = shared;
  question.parts.clear();
  for (const ReadPart& part : parts) question.parts.push_back({part.said()->given, part.weight});
  return question;
}

// Region by region, those of the shortlist.
std::vector<Hit> compared(const Index& index, const Prepared& prepared, const Question& shared,
                          const AskHelp& help, Among among, std::size_t k) {
  std::vector<std::size_t> images;
  if (help.shortlist) {
    images = help.shortlist(said_again(shared, prepared.parts));
  } else {
    const std::size_t most = std::max(shared.compared(kCompared), k);
    Query nearest = prepared.query;
    nearest.corrected = false;  // what hubs cost is known of words and regions
    const auto hits = index.search(std::span(&nearest, 1), std::min(index.size(), most), among);
    for (const Hit& hit : hits.front()) images.push_back(hit.image);
  }
  return attended_hits(index, prepared.query, images, k);
}

// The question as the second look reads it: sentences alone, in the languages that they were
// understood in. None where it knows no word of one.
std::optional<Query> said_to_look(const Index& look, const ReadOne& read,
                                  std::span<const ReadPart> parts) {
  const QuestionReader reader(look, read);
  const auto& languages = look.model().config().text;
  std::vector<ReadPart> again;
  for (const ReadPart& part : parts) {
    if (part.said() == nullptr) return std::nullopt;
    const auto& [text, language, equals, unknown, guessed] = part.said()->understood;
    if (!languages.contains(language)) return std::nullopt;
    auto same = reader.translation({language, text});
    if (!same) return std::nullopt;
    same->weight = part.weight;
    again.push_back(std::move(*same));
  }
  return meaning_of(look, again, "");
}

// The first `most` hits in the order of both models' corrected scores; the others stay behind them.
// What a hit shows stays its cosine.
void look_again(const Index& index, const Prepared& prepared, std::size_t most,
                std::vector<Hit>& hits) {
  const Index& look = *index.look();
  const Query& query = prepared.query;
  const Query& again = *prepared.again;
  most = std::min(most, hits.size());
  std::vector<std::size_t> images;
  for (std::size_t i = 0; i < most; ++i) images.push_back(hits[i].image);
  const std::vector<float> more = attended_scores(look, again, images);
  const auto weight = static_cast<float>(look.model().config().late->weight);
  std::vector<std::pair<Hit, Hit>> both;  // as ordered, as shown
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t image = images[i];
    float order = hits[i].score + weight * (more[i] + look.penalty(image, again.space));
    if (query.corrected) order += index.penalty(image, query.space);
    both.push_back({{image, order}, hits[i]});
  }
  std::ranges::sort(both, ranks_before, &std::pair<Hit, Hit>::first);
  std::ranges::transform(both, hits.begin(), &std::pair<Hit, Hit>::second);
}

std::vector<std::vector<Hit>> hits_of(const Index& index, std::span<const Prepared* const> asked,
                                      const Question& shared, const AskHelp& help, Among among,
                                      std::size_t k) {
  if (help.shortlist && !index.attends()) {
    throw RequestError("a shortlist for a model that compares vectors",
                       "an index of a model that compares words with regions (scan)");
  }
  if (!index.attends() || asked.front()->query.sentences.empty()) {
    std::vector<Query> queries;
    bool again = false;
    for (const Prepared* one : asked) {
      queries.push_back(one->query);
      again |= one->again.has_value();
    }
    if (!again) return index.search(queries, k, among);
    const std::size_t most = shared.compared(kLookedAt);
    auto hits = index.search(queries, std::min(index.size(), std::max(most, k)), among);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      if (asked[i]->again) look_again(index, *asked[i], most, hits[i]);
    }
    return hits;
  }
  std::vector<std::vector<Hit>> hits;
  for (const Prepared* one : asked) hits.push_back(compared(index, *one, shared, help, among, k));
  return hits;
}

void report(const Index& index, const Prepared& prepared, std::span<const Hit> hits,
            const Question& shared) {
  // The second look sees regions where the index's own model sees none.
  const bool looked = prepared.again.has_value() && prepared.query.sentences.empty();
  const auto& sentences = looked ? prepared.again->sentences : prepared.query.sentences;
  if (shared.explain && sentences.empty()) {
    throw RequestError(
        "an explanation of what is no sentence alone, or of a model without regions",
        "sentences, and an index of a model with regions (san, dan, scan) or a second look");
  }
  Answer& answer = *prepared.answer;
  // Reading them takes a pass over all records of the pictures.
  const auto* const times = shared.times && !index.times().empty() ? &index.times() : nullptr;
  for (const Hit& hit : hits) {
    answer.found.push_back({index.contents().images[hit.image], index.picture(hit.image), hit.score,
                            times == nullptr ? "" : time_text((*times)[hit.image]), std::nullopt});
    if (!shared.explain) continue;
    answer.found.back().explanation =
        explain(looked ? *index.look() : index, sentences.front().text, hit.image);
  }
}

// Reads the sentence, and its translations when there is help with them.
std::vector<ReadPart> parts_of(const QuestionReader& reader, const std::string& sentence,
                               const Question& shared, std::span<const ReadPart> shared_parts,
                               const AskHelp& help) {
  std::vector<ReadPart> parts = {reader.part({Sentence{"", sentence}, 1}, shared.language)};
  parts.insert(parts.end(), shared_parts.begin(), shared_parts.end());
  if (!help.translations) return parts;
  const std::string spoken = parts.front().said()->understood.language;
  for (const Sentence& translation : help.translations(sentence, spoken)) {
    if (auto part = reader.translation(translation)) parts.push_back(std::move(*part));
  }
  return parts;
}

}  // namespace

Answer ask(const Index& index, TextEncoder& encoder, const Question& question) {
  return std::move(ask_each(index, reading_with(encoder), {}, question).front());
}

std::vector<Answer> ask_each(const Index& index, const ReadOne& read,
                             std::span<const std::string> sentences, const Question& shared,
                             const AskHelp& help) {
  const QuestionReader reader(index, read, help.read_picture);
  std::vector<ReadPart> parts;
  for (const Question::Part& part : shared.parts) {
    parts.push_back(reader.part(part, shared.language));
  }
  std::vector<Answer> answers(std::max<std::size_t>(sentences.size(), 1));
  std::vector<Prepared> questions(answers.size());
  std::map<std::string, std::vector<const Prepared*>> by_space;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Prepared& one = questions[i];
    one.answer = &answers[i];
    if (sentences.empty()) {
      one.parts = parts;
    } else {
      answers[i].sentence = sentences[i];
      one.parts = parts_of(reader, sentences[i], shared, parts, help);
    }
    for (const ReadPart& part : one.parts) {
      if (part.said() != nullptr) answers[i].texts.push_back(part.said()->understood);
    }
    one.query = meaning_of(index, one.parts, shared.language);
    if (help.read_again && index.look() != nullptr) {
      one.again = said_to_look(*index.look(), help.read_again, one.parts);
    }
    by_space[one.query.space].push_back(&one);
  }
  const std::vector<std::size_t> known = images_of(parts);
  std::optional<std::vector<std::size_t>> left;
  if (shared.filter.any()) left = matching(index, shared.filter);
  const Among among = left ? &*left : nullptr;
  for (const auto& [space, asked] : by_space) {
    const std::size_t k = std::min(shared.k, index.size());
    auto hits = hits_of(index, asked, shared, help, among, k + known.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
      keep_wanted(hits[i], shared.min_score, known, k);
      report(index, *asked[i], hits[i], shared);
    }
  }
  return answers;
}

}  // namespace hinny
