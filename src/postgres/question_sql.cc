#include "postgres/question_sql.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "base/day.h"
#include "base/path_text.h"
#include "text/name_forms.h"

namespace hinny {

std::string vector_text(std::span<const float> numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

std::vector<float> numbers_in(std::string_view text) {
  std::vector<float> numbers;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end && *at == (numbers.empty() ? '[' : ',');) {
    float number = 0;
    const auto [after, problem] = std::from_chars(at + 1, end, number);
    if (problem != std::errc()) return {};
    numbers.push_back(number);
    if (end - after == 1 && *after == ']') return numbers;
    at = after;
  }
  return {};
}

std::string array_text(std::span<const std::string> texts) {
  std::string array = "{";
  for (const std::string& text : texts) {
    array += array.size() == 1 ? "\"" : ",\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') array += '\\';
      array += c;
    }
    array += '"';
  }
  return array + "}";
}

std::string Conditions::parameter(std::string value) {
  parameters_.emplace_back(std::move(value));
  return fmt::format("${}", parameters_.size());
}

void Conditions::add(const Filter& filter, const std::filesystem::path& root,
                     std::span<const std::string> known) {
  if (filter.since) {
    conditions_.push_back("taken >= " + parameter(time_text(*filter.since)) + "::timestamp");
  }
  if (filter.until) {
    conditions_.push_back("taken < " + parameter(time_text(*filter.until)) + "::timestamp");
  }
  if (!filter.folder.empty()) {
    const auto folder = (root / path_from_text(filter.folder)).lexically_normal();
    std::string below = path_text(folder.lexically_relative(root).string());
    if (below != ".") {
      if (!below.ends_with('/')) below += '/';
      std::string any = "file ^@ " + parameter(below);
      for (const std::string& other : {composed(below), decomposed(below)}) {
        if (other != below) any += " OR file ^@ " + parameter(other);
      }
      conditions_.push_back(any.find(" OR ") == std::string::npos ? any : "(" + any + ")");
    } else {
      conditions_.emplace_back("file <> ''");
    }
  }
  if (!known.empty()) {
    conditions_.push_back("id <> ALL (" + parameter(array_text(known)) + "::text[])");
  }
}

void Conditions::add_least_score(double score, const std::string& type, bool corrected) {
  conditions_.push_back(fmt::format("-(embedding <#> $1::{}){} >= {}::double precision", type,
                                    corrected ? " - penalty" : "",
                                    parameter(fmt::format("{}", score))));
}

std::string Conditions::text() const {
  return conditions_.empty() ? "true" : fmt::format("{}", fmt::join(conditions_, " AND "));
}

}  // namespace hinny
