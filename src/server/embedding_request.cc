#include "server/embedding_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "server/base64.h"
#include "server/http_error.h"
#include "server/json_response.h"
#include "server/search_request.h"

namespace hinny {
namespace {

using nlohmann::json;

constexpr std::size_t kMostInputs = 256;
constexpr const char* kInputs =
    "a string, {\"text\": ...}, {\"image\": \"data:image/jpeg;base64,...\"}, or a list of them";

[[noreturn]] void refuse_input(std::string_view found) {
  throw HttpError(400, fmt::format("input: {} (expected {})", found, kInputs));
}

// OpenAI's own client sends tokens of OpenAI's models when it is told to count them.
void check_no_tokens(const json& input) {
  const auto is_tokens = [](const json& item) {
    return item.is_number() ||
           (item.is_array() && !item.empty() && std::ranges::all_of(item, &json::is_number));
  };
  if (!input.is_array() || std::ranges::none_of(input, is_tokens)) return;
  throw HttpError(400,
                  "input: tokens of another model (expected a string or a list of strings; "
                  "LangChain: check_embedding_ctx_length=False)");
}

void check_dimensions(const json& body, std::size_t dim) {
  const json value = body.value("dimensions", json());
  if (value.is_null() || (value.is_number() && value == dim)) return;
  throw HttpError(
      400, fmt::format("dimensions: {} (expected {}, which this model's vectors have; they cannot "
                       "be shortened)",
                       value.is_number() ? value.dump() : value.type_name(), dim));
}

bool is_base64_format(const json& body) {
  const std::string format = optional_text(body, "encoding_format");
  if (format.empty() || format == "float") return false;
  if (format == "base64") return true;
  throw HttpError(
      400, fmt::format("encoding_format: '{}' (expected float or base64)", format.substr(0, 40)));
}

// `lang`, as searches have it, or `language`.
std::string language_of(const json& body) {
  std::string lang = optional_text(body, "lang"), language = optional_text(body, "language");
  if (!lang.empty() && !language.empty()) throw HttpError(400, "both lang and language");
  return lang.empty() ? language : lang;
}

EmbeddingInput sentence(std::string text) {
  check_text("input", text);
  return text;
}

EmbeddingInput picture(std::string text) {
  return PictureBytes{picture_of_base64("input", std::move(text))};
}

// A sentence may begin with "data:"; a file in base64 is none.
bool is_data_url(std::string_view text) {
  constexpr std::size_t kLongestType = 200;
  return text.starts_with("data:") &&
         (text.starts_with("data:image/") ||
          text.substr(0, kLongestType).find(";base64,") != std::string_view::npos);
}

std::string string_of(json& value) {
  if (!value.is_string()) refuse_input(value.type_name());
  return std::move(value.get_ref<std::string&>());
}

// {"text": ...}, {"image": ...}, {"type": "image_url", "image_url": {"url": ...}}
EmbeddingInput input_of_object(json& object) {
  const auto given = std::ranges::count_if(std::array{"text", "image", "image_url"},
                                           [&](const char* name) { return object.contains(name); });
  if (given > 1) refuse_input("a text and a picture as one input, which have a vector each");
  if (object.contains("text")) return sentence(string_of(object["text"]));
  if (object.contains("image")) return picture(string_of(object["image"]));
  if (!object.contains("image_url")) refuse_input("an object without text and image");
  json& url = object["image_url"];
  if (url.is_object() && url.contains("url")) return picture(string_of(url["url"]));
  return picture(string_of(url));
}

EmbeddingInput input_of(json& item) {
  if (item.is_object()) return input_of_object(item);
  std::string text = string_of(item);
  return is_data_url(text) ? picture(std::move(text)) : sentence(std::move(text));
}

}  // namespace

EmbeddingRequest read_embedding_request(std::string_view body, std::size_t dim) {
  json root = parse_json(body);
  if (!root.contains("input")) throw HttpError(400, "input is missing");
  EmbeddingRequest request;
  request.base64 = is_base64_format(root);
  check_dimensions(root, dim);
  request.language = language_of(root);
  json& input = root["input"];
  check_no_tokens(input);
  if (!input.is_array()) {
    request.inputs.push_back(input_of(input));
    return request;
  }
  if (input.size() > kMostInputs) {
    throw HttpError(
        400, fmt::format("input: a list of {} (expected at most {})", input.size(), kMostInputs));
  }
  for (json& item : input) request.inputs.push_back(input_of(item));
  return request;
}

// null is what some clients send for a field that is not set.
std::string optional_text(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return "";
  if (found->is_string()) return found->get<std::string>();
  throw HttpError(400, fmt::format("{}: {} (expected a string)", name, found->type_name()));
}

void send_embeddings(HttpResponse& response, const std::string& model,
                     std::span<const Embedding> embeddings, bool base64) {
  FloatJson data = FloatJson::array();
  std::size_t words = 0;
  for (const auto& [vector, count] : embeddings) {
    words += count;
    FloatJson numbers;
    if (base64) {  // what OpenAI's own client asks for: little-endian floats
      numbers =
          to_base64({reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float)});
    } else {
      numbers = vector;
    }
    data.push_back({{"object", "embedding"}, {"index", data.size()}, {"embedding", numbers}});
  }
  send_json<FloatJson>(response, {{"object", "list"},
                                  {"data", data},
                                  {"model", model},
                                  {"usage", {{"prompt_tokens", words}, {"total_tokens", words}}}});
}

}  // namespace hinny
