#include "server/search_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/files.h"
#include "server/base64.h"
#include "server/http_error.h"
#include "server/multipart.h"

namespace hinny {
namespace {

using nlohmann::json;

constexpr std::size_t kMostCharacters = 1000;
constexpr std::size_t kMostTexts = 64;
constexpr std::size_t kMostHits = 1000;
constexpr double kMostWeight = 1000;
constexpr std::size_t kMostCompared = 10'000;  // region by region, in one request
constexpr std::size_t kMostTranslated = 8;
const std::array<std::string, 13> kFields = {
    "q",     "also",         "lang",       "k",      "min_score", "like",     "not",
    "image", "image_weight", "not_weight", "rerank", "explain",   "translate"};

[[noreturn]] void refuse(const std::string& name, std::string_view found,
                         std::string_view expected) {
  throw HttpError(400, fmt::format("{}: {} (expected {})", name, found, expected));
}

[[noreturn]] void refuse_unknown(const std::string& name) {
  throw HttpError(400,
                  fmt::format("unknown field '{}'{} (expected one of {})", name.substr(0, 60),
                              did_you_mean(name.substr(0, 60), kFields), fmt::join(kFields, ", ")));
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

std::size_t count_of(const std::string& name, double number, std::size_t most) {
  if (!(number >= 1 && number <= static_cast<double>(most)) || number != std::floor(number)) {
    refuse(name, fmt::format("{}", number), fmt::format("a whole number, 1 to {}", most));
  }
  return static_cast<std::size_t>(number);
}

void set_number(SearchRequest& request, const std::string& name, double number) {
  if (name == "k") {
    request.k = count_of(name, number, kMostHits);
  } else if (name == "rerank") {
    request.rerank = count_of(name, number, kMostCompared);
  } else if (name == "min_score") {
    if (!std::isfinite(number)) refuse(name, fmt::format("{}", number), "a finite number");
    request.min_score = number;
  } else {
    if (!(number > 0 && number <= kMostWeight)) {
      refuse(name, fmt::format("{}", number), "a number above 0, 1000 at most");
    }
    (name == "not_weight" ? request.unwanted_weight : request.image_weight) =
        static_cast<float>(number);
  }
}

bool is_number(const std::string& name) {
  return name == "k" || name == "rerank" || name == "min_score" || name.ends_with("_weight");
}

bool* flag_of(SearchRequest& request, const std::string& name) {
  if (name == "explain") return &request.explain;
  return name == "translate" ? &request.translate : nullptr;
}

// A field as URLs and forms have it: always text, given again for several.
void set_text(SearchRequest& request, const std::string& name, std::string_view value) {
  if (is_number(name)) return set_number(request, name, number_of(name, value));
  if (name == "lang") {
    request.language = value;
  } else if (name == "q") {
    request.queries.emplace_back(value);
  } else if (name == "also") {
    request.also.emplace_back(value);
  } else if (name == "like") {
    request.like.emplace_back(value);
  } else if (name == "not") {
    request.unwanted.emplace_back(value);
  } else if (bool* flag = flag_of(request, name)) {
    if (value != "0" && value != "1") {
      refuse(name, fmt::format("'{}'", value.substr(0, 40)), "0 or 1");
    }
    *flag = value == "1";
  } else {
    refuse_unknown(name);
  }
}

void set_json(SearchRequest& request, const std::string& name, const json& value) {
  if (is_number(name)) return set_number(request, name, number_of(name, value));
  if (name == "q") {
    request.queries = strings_of(name, value, kMostTexts);
    request.list = value.is_array();
  } else if (name == "also") {
    request.also = strings_of(name, value, kMostTexts);
  } else if (name == "like") {
    request.like = strings_of(name, value, kMostTexts);
  } else if (name == "not") {
    request.unwanted = strings_of(name, value, kMostTexts);
  } else if (name == "lang") {
    request.language = text_of(name, value);
  } else if (bool* flag = flag_of(request, name)) {
    if (!value.is_boolean()) refuse(name, value.type_name(), "true or false");
    *flag = value.get<bool>();
  } else if (name == "image") {
    std::string text = text_of(name, value);
    if (text.starts_with("data:")) text.erase(0, std::min(text.find(',') + 1, text.size()));
    auto bytes = from_base64(text);
    if (!bytes || bytes->empty()) refuse(name, "no base64", "a picture file in base64");
    request.image = std::move(*bytes);
  } else {
    refuse_unknown(name);
  }
}

SearchRequest checked(SearchRequest request) {
  // An empty search box beside a picture is no question of its own.
  if (!request.list) std::erase(request.queries, "");
  if (request.queries.empty() && request.like.empty() && request.image.empty()) {
    throw HttpError(400, "nothing to look for (expected q, like or image)");
  }
  if (!request.also.empty() && request.queries.size() != 1) {
    throw HttpError(400, "also without one q that it translates");
  }
  if (request.translate && request.queries.size() > kMostTranslated) {
    throw HttpError(400, fmt::format("more than {} q to translate", kMostTranslated));
  }
  request.rerank =
      std::min(request.rerank, kMostCompared / std::max<std::size_t>(request.queries.size(), 1));
  if (std::max({request.queries.size(), request.also.size(), request.like.size(),
                request.unwanted.size()}) > kMostTexts) {
    throw HttpError(400, fmt::format("more than {} texts or images", kMostTexts));
  }
  for (const std::string& text : request.queries) check_text("q", text);
  for (const std::string& text : request.also) check_text("also", text);
  for (const std::string& text : request.unwanted) check_text("not", text);
  if (request.queries.size() > 1) request.list = true;
  return request;
}

}  // namespace

SearchRequest search_from_url(const httplib::Params& params) {
  SearchRequest request;
  for (const auto& [name, value] : params) set_text(request, name, value);
  return checked(std::move(request));
}

SearchRequest search_from_json(std::string_view body) {
  SearchRequest request;
  const json root = parse_json(body);
  for (const auto& [name, value] : root.items()) set_json(request, name, value);
  return checked(std::move(request));
}

SearchRequest search_from_form(std::string_view body, std::string_view content_type) {
  SearchRequest request;
  for (const FormPart& part : form_parts(body, content_type)) {
    if (part.name == "image") {
      request.image = part.content;
    } else {
      set_text(request, part.name, part.content);
    }
  }
  return checked(std::move(request));
}

SentencesRequest sentences_from_url(const httplib::Params& params) {
  constexpr std::size_t kMostSentences = 100;
  SentencesRequest request;
  for (const auto& [name, value] : params) {
    if (name == "k") {
      request.k = count_of(name, number_of(name, std::string_view(value)), kMostSentences);
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
