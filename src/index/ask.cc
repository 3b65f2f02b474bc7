#include "index/ask.h"

#include <algorithm>
#include <map>

#include "index/attended.h"

namespace hinny {
namespace {

// A question with all that was read for it.
struct Prepared {
  std::vector<ReadPart> parts;
  Query query;
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
                          const AskHelp& help, std::size_t k) {
  std::vector<std::size_t> images;
  if (help.shortlist) {
    images = help.shortlist(said_again(shared, prepared.parts));
  } else {
    const std::size_t most = std::min(index.size(), std::max(shared.rerank, k));
    for (const Hit& hit : index.search(prepared.query, most)) images.push_back(hit.image);
  }
  return attended_hits(index, prepared.query.sentences, images, k);
}

std::vector<std::vector<Hit>> hits_of(const Index& index, std::span<const Prepared* const> asked,
                                      const Question& shared, const AskHelp& help, std::size_t k) {
  if (help.shortlist && !index.attends()) {
    throw RequestError("a shortlist for a model that compares vectors",
                       "an index of a model that compares words with regions (scan)");
  }
  if (!index.attends() || asked.front()->query.sentences.empty()) {
    std::vector<Query> queries;
    for (const Prepared* one : asked) queries.push_back(one->query);
    return index.search(queries, k);
  }
  std::vector<std::vector<Hit>> hits;
  for (const Prepared* one : asked) hits.push_back(compared(index, *one, shared, help, k));
  return hits;
}

void report(const Index& index, const Query& query, std::span<const Hit> hits, bool explained,
            Answer& answer) {
  if (explained && query.sentences.empty()) {
    throw RequestError("an explanation of what is no sentence alone, or of a model without regions",
                       "sentences, and an index of a model with regions (san, dan, scan)");
  }
  for (const Hit& hit : hits) {
    answer.found.push_back(
        {index.contents().images[hit.image], index.picture(hit.image), hit.score, std::nullopt});
    if (!explained) continue;
    answer.found.back().explanation = explain(index, query.sentences.front().text, hit.image);
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
    by_space[one.query.space].push_back(&one);
  }
  const std::vector<std::size_t> known = images_of(parts);
  for (const auto& [space, asked] : by_space) {
    const std::size_t k = std::min(shared.k, index.size());
    auto hits = hits_of(index, asked, shared, help, k + known.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
      keep_wanted(hits[i], shared.min_score, known, k);
      report(index, asked[i]->query, hits[i], shared.explain, *asked[i]->answer);
    }
  }
  return answers;
}

}  // namespace hinny
