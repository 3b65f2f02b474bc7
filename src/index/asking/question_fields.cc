#include "index/asking/question_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/day.h"

namespace hinny {
namespace {

using Fields = AskedFields;

constexpr QuestionField::Range kWeightOption{0.001, 1000};
constexpr QuestionField::Range kWeight{0, 1000};

Period period_of(const char* field, const std::string& text) {
  if (const auto period = parse_period(text)) return *period;
  throw RequestError(fmt::format("{} '{}'", field, text),
                     "a time such as 2024, 2024-06, 2024-06-15 or 2024-06-15 10:30");
}

}  // namespace

std::span<const QuestionField> question_fields() {
  static const std::array<QuestionField, 18> all = {{
      {"q", "QUERY", &Fields::sentences,
       "what to look for; several sentences are several questions"},
      {"also", "--also", &Fields::also,
       "LANG=TEXT: the sentence in another language, scored together with it"},
      {"lang", "--lang", &Fields::language, "the sentences' language (default: guessed)"},
      {"k", "-k", &Fields::k, "how many pictures", {1, 1'000'000}, {1, 1000}},
      {"min_score", "--min-score", &Fields::min_score, "leave out pictures that score lower"},
      {"since", "--since", &Fields::since,
       "only pictures taken then or later: 2024, 2024-06, 2024-06-15, 2024-06-15 10:30"},
      {"until", "--until", &Fields::until, "only pictures taken then or earlier"},
      {"in", "--in", &Fields::folder, "only pictures in this folder or below it"},
      {"sort",
       "--sort",
       &Fields::sort,
       "score: best first; time: newest first, of all that reach the minimum score, or without one "
       "of the k best",
       {},
       {},
       {"score", "time"}},
      {"near_copies", "--near-copies", &Fields::near_copies,
       "make one result of near copies: the same photograph again, shots of one burst"},
      {"like", "--like", &Fields::like, "an image's id: look for pictures like this one"},
      {"not", "--not", &Fields::unwanted, "a sentence that the pictures should not fit"},
      {"image", "--image", &Fields::pictures,
       "a picture file (JPEG, PNG, WebP, HEIC, AVIF, TIFF): look for pictures like it"},
      {"image_weight", "--image-weight", &Fields::picture_weight,
       "of each picture to be like; a sentence weighs 1", kWeightOption, kWeight},
      {"not_weight", "--not-weight", &Fields::unwanted_weight,
       "of each sentence that should not fit", kWeightOption, kWeight},
      {"rerank",
       "--rerank",
       &Fields::rerank,
       "compare so many pictures region by region, for a model that does (scan: 1000) or a second "
       "look (100)",
       {0, 1'000'000},
       {0, 10'000}},
      {"explain", "--explain", &Fields::explain,
       "say which words and regions carried each score (san, dan, scan, a second look)"},
      {"translate", "--translate", &Fields::translate,
       "score each sentence together with its translations by the index's translators"},
  }};
  return all;
}

const QuestionField* question_field(std::string_view name) {
  const auto found = std::ranges::find(question_fields(), name, &QuestionField::name);
  return found == question_fields().end() ? nullptr : &*found;
}

Sentence translation_of(const std::string& also) {
  const std::size_t equals = also.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == also.size()) {
    throw RequestError(fmt::format("also '{}'", also), "LANGUAGE=TEXT, for example en=a dog");
  }
  return {also.substr(0, equals), also.substr(equals + 1)};
}

Question shared_question(const AskedFields& fields) {
  Question question;
  if (!fields.since.empty()) question.filter.since = period_of("since", fields.since).begin;
  if (!fields.until.empty()) question.filter.until = period_of("until", fields.until).end;
  question.filter.folder = fields.folder;
  question.language = fields.language;
  question.k = fields.k;
  question.min_score = fields.min_score;
  question.rerank = fields.rerank;
  question.explain = fields.explain;
  if (fields.sort == "time") question.order = Question::Order::time;
  question.near_copies = fields.near_copies;
  for (const GivenPicture& picture : fields.pictures) {
    question.parts.push_back({picture, fields.picture_weight});
  }
  for (const std::string& id : fields.like) {
    question.parts.push_back({Question::Indexed{id}, fields.picture_weight});
  }
  for (const std::string& also : fields.also) question.parts.push_back({translation_of(also), 1});
  for (const std::string& text : fields.unwanted) {
    question.parts.push_back({Sentence{"", text}, -fields.unwanted_weight});
  }
  return question;
}

}  // namespace hinny
