#include "index/asking/question_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/coordinates.h"
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

std::optional<Filter::Near> near_of(const AskedFields& fields) {
  constexpr double kWithin = 1;  // kilometres
  if (fields.near.empty()) {
    if (fields.within.empty()) return std::nullopt;
    throw RequestError("within, and nowhere near which", "near as well: LATITUDE,LONGITUDE");
  }
  const auto place = parse_coordinates(fields.near);
  if (!place) {
    throw RequestError(fmt::format("near '{}'", fields.near),
                       "LATITUDE,LONGITUDE in degrees, such as 47.3769,8.5417: at most 90 north or "
                       "south (negative), 180 east or west (negative)");
  }
  const auto within =
      fields.within.empty() ? std::optional(kWithin) : parse_distance(fields.within);
  if (within) return Filter::Near{*place, *within};
  throw RequestError(fmt::format("within '{}'", fields.within),
                     "a distance such as 500m, 10km or 2mi");
}

Shape shape_of(const std::string& name) {
  return static_cast<Shape>(std::ranges::find(kShapes, name) - kShapes.begin());
}

std::optional<SizeBound> size_of(const char* field, const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (const auto bound = parse_size_bound(text)) return bound;
  throw RequestError(fmt::format("{} '{}'", field, text),
                     "millions of pixels, such as 12MP, or sides, such as 1920x1080");
}

void check_choices(const AskedFields& fields) {
  for (const QuestionField& field : question_fields()) {
    if (field.choices.empty()) continue;
    const std::string& text = fields.*std::get<std::string Fields::*>(field.member);
    if (std::ranges::find(field.choices, text) != field.choices.end()) continue;
    throw RequestError(fmt::format("{} '{}'", field.name, text.substr(0, 40)),
                       fmt::format("{}", fmt::join(field.choices, " or ")));
  }
}

}  // namespace

std::span<const QuestionField> question_fields() {
  static const std::array<QuestionField, 30> all = {{
      {"q", "QUERY", &Fields::sentences,
       "what to look for; several sentences are several questions"},
      {"also", "--also", &Fields::also,
       "LANG=TEXT: the sentence in another language, scored together with it"},
      {.name = "lang",
       .option = "--lang",
       .member = &Fields::language,
       .meaning = "the sentences' language (default: guessed)",
       .asks_for_sentences = true},
      {.name = "k",
       .option = "-k",
       .member = &Fields::k,
       .meaning = "how many pictures",
       .on_command_line = {1, 1'000'000},
       .over_http = {1, 1000},
       .asks_for_sentences = true},
      {"min_score", "--min-score", &Fields::min_score, "leave out pictures that score lower"},
      {"min_fit", "--min-fit", &Fields::min_fit,
       "leave out pictures that belong to the sentence with a smaller chance, between 0 and 1"},
      {"since", "--since", &Fields::since,
       "only pictures taken then or later: 2024, 2024-06, 2024-06-15, 2024-06-15 10:30"},
      {"until", "--until", &Fields::until, "only pictures taken then or earlier"},
      {"in", "--in", &Fields::folder, "only pictures in this folder or below it"},
      {.name = "near",
       .option = "--near",
       .member = &Fields::near,
       .meaning = "LATITUDE,LONGITUDE in degrees: only pictures that were taken near there",
       .of_folder = true},
      {.name = "within",
       .option = "--within",
       .member = &Fields::within,
       .meaning = "how near: 500m, 10km, 2mi (default: 1km)",
       .beside = {"--near"},
       .of_folder = true},
      {.name = "town",
       .option = "--town",
       .member = &Fields::town,
       .meaning = "only pictures of this town, by its name in any language (hinny index --places)",
       .of_folder = true},
      {.name = "camera",
       .option = "--camera",
       .member = &Fields::camera,
       .meaning = "only pictures by a camera whose name has these words",
       .of_folder = true},
      {.name = "lens",
       .option = "--lens",
       .member = &Fields::lens,
       .meaning = "only pictures by a lens whose name has these words",
       .of_folder = true},
      {.name = "shape",
       .option = "--shape",
       .member = &Fields::shape,
       .meaning = "only pictures that lie (landscape), stand (portrait) or are square",
       .choices = {kShapes.begin(), kShapes.end()},
       .of_folder = true},
      {.name = "min_size",
       .option = "--min-size",
       .member = &Fields::min_size,
       .meaning = "only pictures of so many pixels or more: 12MP, 1920x1080",
       .of_folder = true},
      {.name = "max_size",
       .option = "--max-size",
       .member = &Fields::max_size,
       .meaning = "only pictures of so many pixels or fewer",
       .of_folder = true},
      {"sort",
       "--sort",
       &Fields::sort,
       "score: best first; time: newest first, of all that reach the minimum score, or without one "
       "of the k best",
       {},
       {},
       {"score", "time"}},
      {.name = "kind",
       .option = "--kind",
       .member = &Fields::kind,
       .meaning = "picture: only pictures; film: only films",
       .choices = {"any", "picture", "film"},
       .of_folder = true},
      {.name = "each_frame",
       .option = "--each-frame",
       .member = &Fields::each_frame,
       .meaning = "make each frame of a film a result of its own (default: the best of each film)"},
      {.name = "near_copies",
       .option = "--near-copies",
       .member = &Fields::near_copies,
       .meaning = "make one result of near copies: the same photograph again, shots of one burst",
       .of_folder = true},
      {.name = "literal",
       .option = "--literal",
       .member = &Fields::literal,
       .meaning =
           "read sentences as they are: times, towns, cameras and folders in them are no filters",
       .of_folder = true},
      {.name = "like",
       .option = "--like",
       .member = &Fields::like,
       .meaning = "an image's id: look for pictures like this one",
       .asks_for_sentences = true},
      {"not", "--not", &Fields::unwanted, "a sentence that the pictures should not fit"},
      {.name = "image",
       .option = "--image",
       .member = &Fields::pictures,
       .meaning =
           "a picture file (JPEG, PNG, GIF, WebP, HEIC, AVIF, TIFF): look for pictures like it",
       .asks_for_sentences = true},
      {.name = "image_weight",
       .option = "--image-weight",
       .member = &Fields::picture_weight,
       .meaning = "of each picture to be like; a sentence weighs 1",
       .on_command_line = kWeightOption,
       .over_http = kWeight,
       .beside = {"--image", "--like"}},
      {.name = "not_weight",
       .option = "--not-weight",
       .member = &Fields::unwanted_weight,
       .meaning = "of each sentence that should not fit",
       .on_command_line = kWeightOption,
       .over_http = kWeight,
       .beside = {"--not"}},
      {.name = "rerank",
       .option = "--rerank",
       .member = &Fields::rerank,
       .meaning = "re-rank so many pictures region by region, by a model that does (scan: 1000) or "
                  "a re-ranking model (100)",
       .on_command_line = {0, 1'000'000},
       .over_http = {0, 10'000},
       .of_folder = true},
      {.name = "explain",
       .option = "--explain",
       .member = &Fields::explain,
       .meaning = "say which words and regions contributed how much to each score (san, dan, scan, "
                  "a re-ranking model)",
       .of_folder = true},
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
  check_choices(fields);
  Question question;
  if (!fields.since.empty()) question.filter.since = period_of("since", fields.since).begin;
  if (!fields.until.empty()) question.filter.until = period_of("until", fields.until).end;
  question.filter.folder = fields.folder;
  question.filter.near = near_of(fields);
  question.filter.town = fields.town;
  question.filter.camera = fields.camera;
  question.filter.lens = fields.lens;
  question.filter.shape = shape_of(fields.shape);
  question.filter.min_size = size_of("min_size", fields.min_size);
  question.filter.max_size = size_of("max_size", fields.max_size);
  question.language = fields.language;
  question.k = fields.k;
  if (std::isnan(fields.min_score)) throw RequestError("a least score of nan", "a number");
  question.min_score = fields.min_score;
  if (!(fields.min_fit >= 0 && fields.min_fit < 1)) {
    throw RequestError(fmt::format("a least fit of {}", fields.min_fit), "0 or more, below 1");
  }
  question.min_fit = fields.min_fit;
  question.rerank = fields.rerank;
  question.explain = fields.explain;
  if (fields.sort == "time") question.order = Question::Order::time;
  if (fields.kind == "picture") question.filter.kind = Filter::Kind::picture;
  if (fields.kind == "film") question.filter.kind = Filter::Kind::film;
  question.near_copies = fields.near_copies;
  question.each_frame = fields.each_frame;
  question.literal = fields.literal;
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
