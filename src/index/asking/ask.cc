#include "index/asking/ask.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "base/day.h"
#include "index/asking/engine_results.h"
#include "index/asking/region_scores.h"
#include "index/asking/results.h"
#include "index/tree/picture_records.h"

namespace hinny {
namespace {

// The question's own pictures, which are no results.
std::vector<std::size_t> images_of(std::span<const ReadPart> parts) {
  std::vector<std::size_t> images;
  for (const ReadPart& part : parts) {
    const auto* picture = std::get_if<SeenPicture>(&part.what);
    if (picture == nullptr) continue;
    if (const auto* image = std::get_if<std::size_t>(picture)) images.push_back(*image);
  }
  return images;
}

// The question as the re-ranking model reads it: sentences alone, in the languages that they were
// understood in. None where it knows no word of one.
std::optional<Query> query_for_reranker(const Index& reranker, const ReadOne& read,
                                        std::span<const ReadPart> parts) {
  const QuestionReader reader(reranker, read);
  const auto& languages = reranker.model().config().text;
  std::vector<ReadPart> for_reranker;
  for (const ReadPart& part : parts) {
    if (part.said() == nullptr) return std::nullopt;
    const auto& [text, language, equals, unknown, guessed] = part.said()->understood;
    if (!languages.contains(language)) return std::nullopt;
    auto same = reader.translation({language, text});
    if (!same) return std::nullopt;
    same->weight = part.weight;
    for_reranker.push_back(std::move(*same));
  }
  return query_of(reranker, for_reranker, "");
}

// What the scores say; nothing of pictures, of what is to be avoided, which no score of sentences
// is like, and of words that the model does not know.
std::optional<Fit> fit_of(const Index& index, const Prepared& prepared) {
  const bool asks_alone = std::ranges::all_of(prepared.parts, [](const ReadPart& part) {
    return part.said() != nullptr && part.weight > 0 &&
           part.said()->understood.unknown_words.empty();
  });
  return asks_alone ? index.fit(prepared.query) : std::nullopt;
}

// The score that the question's least fit comes to, beside its least score.
double least_score(const Question& shared, const Prepared& prepared) {
  if (shared.min_fit <= 0) return shared.min_score;
  if (!prepared.fit) {
    throw RequestError(
        "a least fit of a question whose scores do not say whether a picture belongs",
        "sentences of known words alone, and an index of a model that knows (docs/fit.md)");
  }
  return std::max(shared.min_score, prepared.fit->score_of(shared.min_fit));
}

// What is said of hits.
class Describe {
 public:
  Describe(const Index& index, const std::optional<Fit>& fit, bool details)
      : index_(index), fit_(fit), details_(details) {
    if (!details) return;  // reading them takes a pass over all records of the pictures
    root_ = index.root();
    as_kept_ = root_ == index.contents().pictures;
    if (index.folder_facts().known()) facts_ = &index.folder_facts();
  }

  Found operator()(const Hit& hit) const {
    Found found{std::string(index_.id(hit.image)), index_.picture(hit.image), hit.score};
    if (fit_) found.fit = fit_->of(static_cast<double>(hit.score));
    if (details_ && !found.file.empty()) {
      found.below = as_kept_ ? std::string(index_.file(hit.image))
                             : std::filesystem::path(found.file).lexically_relative(root_).string();
    }
    if (facts_ != nullptr) {
      found.taken = time_text(facts_->times[hit.image]);
      found.taken_from = name_of(facts_->from[hit.image]);
      found.place = facts_->places[hit.image];
      found.town = facts_->towns.of_image(hit.image);
      found.camera = facts_->cameras.of_image(hit.image);
      found.lens = facts_->lenses.of_image(hit.image);
      found.exposure = facts_->exposures.of_image(hit.image);
      found.size = facts_->sizes[hit.image];
      found.raw = facts_->raw_beside(hit.image);
    }
    return found;
  }

 private:
  const Index& index_;
  std::optional<Fit> fit_;
  bool details_;
  std::filesystem::path root_;
  bool as_kept_ = false;                // the index names files as they are seen from the root
  const FolderFacts* facts_ = nullptr;  // once they are asked for and known
};

void report(const Index& index, const Prepared& prepared, std::span<const Result> results,
            const Question& shared, Answer& answer) {
  // The re-ranking model sees regions where the index's own model sees none.
  const bool reranked = prepared.for_reranker.has_value() && prepared.query.sentences.empty();
  const auto& sentences = reranked ? prepared.for_reranker->sentences : prepared.query.sentences;
  if (shared.explain && sentences.empty()) {
    throw RequestError(
        "an explanation of what is no sentence alone, or of a model without regions",
        "sentences, and an index of a model with regions (san, dan, scan) or a re-ranking model");
  }
  const Describe describe(index, prepared.fit, shared.details);
  for (const auto& [hit, copies] : results) {
    Found& found = answer.found.emplace_back(describe(hit));
    for (const Hit& copy : copies) found.copies.push_back(describe(copy));
    if (!shared.explain) continue;
    found.explanation =
        explain(reranked ? *index.reranker() : index, sentences.front().text, hit.image);
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

// Fills in what each of these questions finds; those of one space are searched for together.
void find_all(const Index& index, std::span<const Prepared> questions, const Question& shared,
              const AskHelp& help, std::span<const std::size_t> known, std::span<Answer> answers) {
  // With a least fit each has a least score of its own.
  std::map<std::pair<std::string, std::size_t>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    groups[{questions[i].query.space, shared.min_fit > 0 ? i : 0}].push_back(i);
  }
  Question alone = shared.min_fit > 0 ? shared : Question();  // a copy may hold pictures
  const Question& each = shared.min_fit > 0 ? alone : shared;
  std::optional<RowMask> left;
  if (shared.filter.any()) left = matching(index, shared.filter);
  for (const auto& item : groups) {
    std::vector<const Prepared*> asked;
    for (const std::size_t i : item.second) asked.push_back(&questions[i]);
    alone.min_score = least_score(shared, *asked.front());
    const auto results = results_of(index, asked, each, help, {left ? &*left : nullptr, known});
    for (std::size_t i = 0; i < results.size(); ++i) {
      report(index, *asked[i], results[i], shared, answers[item.second[i]]);
    }
  }
}

// What an engine has no answer to: regions, re-ranking and near copies are the index's.
void check_for_engine(const Question& shared, const AskHelp& help) {
  const char* what = shared.explain                            ? "an explanation"
                     : shared.near_copies                      ? "near copies as one result"
                     : shared.rerank != 0                      ? "a comparison region by region"
                     : help.shortlist                          ? "a shortlist of another index"
                     : shared.filter.by_shot()                 ? "a place or a camera"
                     : shared.filter.kind != Filter::Kind::any ? "films or pictures alone"
                                                               : nullptr;
  if (what == nullptr) return;
  throw RequestError(fmt::format("{} where a database finds the pictures", what),
                     "a question to the index's own folder");
}

void ask_engine(std::span<const Prepared> questions, const Question& shared, const AskHelp& help,
                std::span<Answer> answers) {
  std::vector<std::string> known;
  for (const Question::Part& part : shared.parts) {
    if (const auto* image = std::get_if<Question::Indexed>(&part.what)) {
      known.push_back(image->image);
    }
  }
  Question alone = shared.min_fit > 0 ? shared : Question();
  const Question& each = shared.min_fit > 0 ? alone : shared;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Prepared& one = questions[i];
    alone.min_score = least_score(shared, one);
    answers[i].found = engine_results(*help.engine, one.query, each, known);
    for (Found& found : answers[i].found) {
      if (one.fit) found.fit = one.fit->of(static_cast<double>(found.score));
    }
  }
}

}  // namespace

Answer ask(const Index& index, TextEncoder& encoder, const Question& question) {
  return std::move(ask_each(index, reading_with(encoder), {}, question).front());
}

std::vector<Answer> ask_each(const Index& index, const ReadOne& read,
                             std::span<const std::string> sentences, const Question& shared,
                             const AskHelp& help) {
  if (help.engine != nullptr) check_for_engine(shared, help);
  const QuestionReader reader(index, read, help.pictures, help.engine);
  std::vector<ReadPart> parts;
  for (const Question::Part& part : shared.parts) {
    parts.push_back(reader.part(part, shared.language));
  }
  std::vector<Answer> answers(std::max<std::size_t>(sentences.size(), 1));
  std::vector<Prepared> questions(answers.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Prepared& one = questions[i];
    if (sentences.empty()) {
      one.parts = parts;
    } else {
      answers[i].sentence = sentences[i];
      one.parts = parts_of(reader, sentences[i], shared, parts, help);
    }
    for (const ReadPart& part : one.parts) {
      if (part.said() != nullptr) answers[i].texts.push_back(part.said()->understood);
    }
    one.query = query_of(index, one.parts, shared.language);
    one.fit = fit_of(index, one);
    if (help.read_for_reranker && index.reranker() != nullptr && help.engine == nullptr) {
      one.for_reranker = query_for_reranker(*index.reranker(), help.read_for_reranker, one.parts);
    }
  }
  if (help.engine != nullptr) {
    ask_engine(questions, shared, help, answers);
  } else {
    find_all(index, questions, shared, help, images_of(parts), answers);
  }
  return answers;
}

std::vector<Answer> ask_with_vectors(const Index& index, std::span<const float> vectors,
                                     const std::string& space, const Question& shared) {
  const IndexContents& contents = index.contents();
  std::vector<Prepared> questions(vectors.size() / contents.dim);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto vector = vectors.subspan(i * contents.dim, contents.dim);
    questions[i].query = {contents.model, space, {vector.begin(), vector.end()}, false, {}};
  }
  std::vector<Answer> answers(questions.size());
  find_all(index, questions, shared, {}, {}, answers);
  return answers;
}

}  // namespace hinny
