#include "index/question_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hinny {
namespace {

using Fields = AskedFields;

constexpr QuestionField::Range kWeightOption{0.001, 1000};
constexpr QuestionField::Range kWeight{0, 1000};

}  // namespace

std::span<const QuestionField> question_fields() {
  static const std::array<QuestionField, 13> all = {{
      {"q", "QUERY", &Fields::sentences,
       "what to look for; several sentences are several questions"},
      {"also", "--also", &Fields::also,
       "LANG=TEXT: the sentence in another language, scored together with it"},
      {"lang", "--lang", &Fields::language, "the sentences' language (default: guessed)"},
      {"k", "-k", &Fields::k, "how many pictures", {1, 1'000'000}, {1, 1000}},
      {"min_score", "--min-score", &Fields::min_score, "leave out pictures that score lower"},
      {"like", "--like", &Fields::like, "an image's id: look for pictures like this one"},
      {"not", "--not", &Fields::unwanted, "a sentence that the pictures should not fit"},
      {"image", "--image", &Fields::pictures,
       "a JPEG, PNG or WebP file: look for pictures like it"},
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
  question.language = fields.language;
  question.k = fields.k;
  question.min_score = fields.min_score;
  question.rerank = fields.rerank;
  question.explain = fields.explain;
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
