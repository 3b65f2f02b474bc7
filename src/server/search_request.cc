#include "server/search_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/utf8.h"
#include "server/base64.h"
#include "server/http_error.h"
#include "server/multipart.h"

namespace hinny {
namespace {

using nlohmann::json;

constexpr std::size_t kMostCharacters = 1000;
constexpr std::size_t kMostTexts = 64;
constexpr std::size_t kMostTranslated = 8;
constexpr std::size_t kMostWithCopies =
    1000;  // results, each of which every picture is compared with

[[noreturn]] void refuse(const std::string& name, std::string_view found,
                         std::string_view expected) {
  throw HttpError(400, fmt::format("{}: {} (expected {})", name, found, expected));
}

[[noreturn]] void refuse_unknown(const std::string& name) {
  std::vector<std::string_view> names;
  for (const QuestionField& field : question_fields()) names.push_back(field.name);
  throw HttpError(400,
                  fmt::format("unknown field '{}'{} (expected one of {})", name.substr(0, 60),
                              did_you_mean(name.substr(0, 60), names), fmt::join(names, ", ")));
}

const QuestionField& known_field(const std::string& name) {
  const QuestionField* field = question_field(name);
  if (field == nullptr) refuse_unknown(name);
  return *field;
}

double number_of(const std::string& name, std::string_view text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) {
    refuse(name, fmt::format("'{}'", text.substr(0, 40)), "a number");
  }
  return number;
}

double number_of(const std::string& name, const json& value) {
  if (!value.is_number()) refuse(name, value.type_name(), "a number");
  return value.get<double>();
}

std::string text_of(const std::string& name, const json& value) {
  if (!value.is_string()) refuse(name, value.type_name(), "a string");
  return value.get<std::string>();
}

std::size_t count_of(const std::string& name, double number, const QuestionField::Range& range) {
  const auto& [least, most] = range;
  if (!(number >= least && number <= most) || number != std::floor(number)) {
    refuse(name, fmt::format("{}", number), fmt::format("a whole number, {} to {}", least, most));
  }
  return static_cast<std::size_t>(number);
}

// A number that a field may have.
void set_number(const QuestionField& field, double number, std::size_t& count) {
  count = count_of(std::string(field.name), number, field.over_http);
}

void set_number(const QuestionField& field, double number, double& bound) {
  if (!std::isfinite(number)) {
    refuse(std::string(field.name), fmt::format("{}", number), "a finite number");
  }
  bound = number;
}

void set_number(const QuestionField& field, double number, float& weight) {
  const auto& [least, most] = field.over_http;
  if (!(number > least && number <= most)) {
    refuse(std::string(field.name), fmt::format("{}", number),
           fmt::format("a number above {}, {} at most", least, most));
  }
  weight = static_cast<float>(number);
}

// A field as URLs and forms have it: always text, given again for several.
struct SetText {
  const QuestionField& field;
  std::string_view value;

  void operator()(std::vector<std::string>& texts) const { texts.emplace_back(value); }
  void operator()(std::string& text) const { text = value; }
  void operator()(bool& flag) const {
    if (value != "0" && value != "1") {
      refuse(std::string(field.name), fmt::format("'{}'", value.substr(0, 40)), "0 or 1");
    }
    flag = value == "1";
  }
  // Only forms have files, and they are not text.
  void operator()(std::vector<GivenPicture>&) const { refuse_unknown(std::string(field.name)); }
  template <typename Number>
  void operator()(Number& number) const {
    set_number(field, number_of(std::string(field.name), value), number);
  }
};

struct SetJson {
  const QuestionField& field;
  const json& value;

  std::string name() const { return std::string(field.name); }
  void operator()(std::vector<std::string>& texts) const {
    texts = strings_of(name(), value, kMostTexts);
  }
  void operator()(std::string& text) const { text = text_of(name(), value); }
  void operator()(bool& flag) const {
    if (!value.is_boolean()) refuse(name(), value.type_name(), "true or false");
    flag = value.get<bool>();
  }
  void operator()(std::vector<GivenPicture>& pictures) const {
    pictures = {PictureBytes{picture_of_base64(name(), text_of(name(), value))}};
  }
  template <typename Number>
  void operator()(Number& number) const {
    set_number(field, number_of(name(), value), number);
  }
};

template <typename Set>
void set(AskedFields& fields, const QuestionField& field, const Set& setter) {
  std::visit([&](const auto member) { setter(fields.*member); }, field.member);
}

void set_text(SearchRequest& request, const std::string& name, std::string_view value) {
  const QuestionField& field = known_field(name);
  set(request.fields, field, SetText{field, value});
}

SearchRequest checked(SearchRequest request) {
  // An empty search box beside a picture is no question of its own.
  AskedFields& fields = request.fields;
  if (!request.list) std::erase(fields.sentences, "");
  if (fields.asks_nothing()) {
    throw HttpError(400, "nothing to look for (expected q, like or image)");
  }
  if (fields.also_is_of_no_sentence()) {
    throw HttpError(400, "also without one q that it translates");
  }
  if (fields.translate && fields.sentences.size() > kMostTranslated) {
    throw HttpError(400, fmt::format("more than {} q to translate", kMostTranslated));
  }
  const std::size_t questions = std::max<std::size_t>(fields.sentences.size(), 1);
  if (fields.near_copies && fields.k * questions > kMostWithCopies) {
    throw HttpError(400, fmt::format("more than {} results of near copies, of all q together",
                                     kMostWithCopies));
  }
  const auto most_compared = static_cast<std::size_t>(question_field("rerank")->over_http.most);
  request.most_compared = most_compared / questions;
  if (std::max({fields.sentences.size(), fields.also.size(), fields.like.size(),
                fields.unwanted.size()}) > kMostTexts) {
    throw HttpError(400, fmt::format("more than {} texts or images", kMostTexts));
  }
  for (const std::string& text : fields.sentences) check_text("q", text);
  for (const std::string& text : fields.also) check_text("also", text);
  for (const std::string& text : fields.unwanted) check_text("not", text);
  if (fields.sentences.size() > 1) request.list = true;
  return request;
}

}  // namespace

SearchRequest search_from_url(const UrlFields& given) {
  SearchRequest request;
  for (const auto& [name, value] : given) set_text(request, name, value);
  return checked(std::move(request));
}

SearchRequest search_from_json(std::string_view body) {
  SearchRequest request;
  const json root = parse_json(body);
  for (const auto& [name, value] : root.items()) {
    const QuestionField& field = known_field(name);
    set(request.fields, field, SetJson{field, value});
  }
  request.list = root.contains("q") && root["q"].is_array();
  return checked(std::move(request));
}

SearchRequest search_from_form(std::string_view body, std::string_view content_type) {
  SearchRequest request;
  for (const FormPart& part : form_parts(body, content_type)) {
    if (part.name == "image") {
      request.fields.pictures.clear();  // a file field that was left empty is no picture
      if (!part.content.empty())
        request.fields.pictures = {PictureBytes{std::string(part.content)}};
    } else {
      set_text(request, part.name, part.content);
    }
  }
  return checked(std::move(request));
}

SentencesRequest sentences_from_url(const UrlFields& given) {
  constexpr QuestionField::Range kSentences{1, 100};
  SentencesRequest request;
  for (const auto& [name, value] : given) {
    if (name == "k") {
      request.k = count_of(name, number_of(name, std::string_view(value)), kSentences);
    } else if (name == "image") {
      request.image = value;
    } else {
      throw HttpError(400, fmt::format("unknown field '{}' (expected image or k)", name));
    }
  }
  if (request.image.empty()) throw HttpError(400, "image is missing");
  return request;
}

nlohmann::json parse_json(std::string_view body) {
  constexpr int kMostDepth = 16;
  constexpr std::size_t kMostValues = 4096;
  std::size_t values = 0;
  const auto bound = [&](int depth, json::parse_event_t, const json&) {
    if (depth > kMostDepth || ++values > kMostValues) {
      throw HttpError(400, "JSON that is nested too deeply or holds too many values");
    }
    return true;
  };
  try {
    json root = json::parse(body, bound);
    if (!root.is_object()) throw HttpError(400, "the body is no JSON object");
    return root;
  } catch (const json::exception& error) {
    throw HttpError(400, fmt::format("the body is not valid JSON: {}", error.what()));
  }
}

std::string picture_of_base64(const std::string& name, std::string text) {
  if (text.starts_with("http://") || text.starts_with("https://")) {
    refuse(name, "an address, which is not fetched", "a picture file in base64");
  }
  if (text.starts_with("data:")) text.erase(0, std::min(text.find(',') + 1, text.size()));
  auto bytes = from_base64(text);
  if (!bytes || bytes->empty()) refuse(name, "no base64", "a picture file in base64");
  return std::move(*bytes);
}

void check_text(const std::string& name, const std::string& text) {
  if (!is_utf8(text)) refuse(name, "broken UTF-8", "UTF-8 text");
  const auto characters = std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  if (characters > static_cast<std::ptrdiff_t>(kMostCharacters)) {
    refuse(name, fmt::format("{} characters", characters),
           fmt::format("at most {}", kMostCharacters));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) refuse(name, "empty", "a sentence");
}

std::vector<std::string> strings_of(const std::string& name, const json& value, std::size_t most) {
  if (value.is_string()) return {value.get<std::string>()};
  const bool strings = value.is_array() && std::ranges::all_of(value, [](const json& item) {
                         return item.is_string();
                       });
  if (!strings) refuse(name, value.type_name(), "a string or a list of strings");
  if (value.size() > most) {
    refuse(name, fmt::format("{} strings", value.size()), fmt::format("at most {}", most));
  }
  return value.get<std::vector<std::string>>();
}

}  // namespace hinny
