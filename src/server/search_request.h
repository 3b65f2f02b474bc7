// What a search asks for, out of a URL, JSON or an uploaded form.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "index/asking/question_fields.h"
#include "server/url_text.h"

namespace hinny {

struct SearchRequest {
  AskedFields fields;
  bool list = false;  // the answer is a list, one for each query
  // So many pictures are compared region by region for each query, whatever `rerank` says.
  std::size_t most_compared = 0;
};

// They throw HttpError (400) for a field that is unknown, of another type or out of range, a
// question that asks for nothing, and texts that are empty, too long or broken UTF-8.
SearchRequest search_from_url(const UrlFields& given);
SearchRequest search_from_json(std::string_view body);
SearchRequest search_from_form(std::string_view body, std::string_view content_type);

struct SentencesRequest {
  std::string image;
  std::size_t k = 3;  // of each language
};
// Throws HttpError (400).
SentencesRequest sentences_from_url(const UrlFields& given);

// A JSON object with bounds on its depth and on how many values it holds. Throws HttpError (400).
nlohmann::json parse_json(std::string_view body);
// A sentence to encode: not empty, at most 1,000 characters, UTF-8. Throws HttpError (400).
void check_text(const std::string& name, const std::string& text);
// The bytes of a file in base64, as they are or as a data: URL. Throws HttpError (400).
std::string picture_of_base64(const std::string& name, std::string text);
// A string or a list of at most `most` strings. Throws HttpError (400).
std::vector<std::string> strings_of(const std::string& name, const nlohmann::json& value,
                                    std::size_t most);

}  // namespace hinny
