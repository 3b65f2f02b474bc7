#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <string_view>

#include "library/internal.h"

namespace hinny {
inline namespace v1 {
namespace {

template <typename Number>
Number number(std::string_view name, std::string_view text) {
  Number value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size()) return value;
  throw InputError(fmt::format("{} '{}' (expected a number)", name, text));
}

bool flag(std::string_view name, std::string_view text) {
  if (text == "1" || text == "true") return true;
  if (text == "0" || text == "false") return false;
  throw InputError(fmt::format("{} '{}' (expected 0 or 1)", name, text));
}

using Set = std::function<void(Question&, std::string_view name, std::string_view text)>;

// How a member of this type is set from text.
template <typename Value>
Set to(Value Question::*member) {
  return [member](Question& question, std::string_view name, std::string_view text) {
    Value& value = question.*member;
    if constexpr (std::is_same_v<Value, std::string>) {
      value = text;
    } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
      value.emplace_back(text);
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = flag(name, text);
    } else {
      value = number<Value>(name, text);
    }
  };
}

void add_translation(Question& question, std::string_view, std::string_view text) {
  Sentence translation = translation_of(std::string(text));
  question.also.emplace_back(std::move(translation.language), std::move(translation.text));
}

void set_order(Question& question, std::string_view name, std::string_view text) {
  const auto& choices = question_field("sort")->choices;
  if (std::ranges::find(choices, text) == choices.end()) {
    throw InputError(fmt::format("{} '{}' (expected {})", name, text, fmt::join(choices, " or ")));
  }
  question.by_time = text == "time";
}

const std::map<std::string_view, Set>& setters() {
  static const std::map<std::string_view, Set> all = {
      {"lang", to(&Question::language)},
      {"also", add_translation},
      {"k", to(&Question::k)},
      {"min_score", to(&Question::min_score)},
      {"since", to(&Question::since)},
      {"until", to(&Question::until)},
      {"in", to(&Question::folder)},
      {"sort", set_order},
      {"near_copies", to(&Question::near_copies)},
      {"like", to(&Question::like)},
      {"not", to(&Question::exclude)},
      {"image_weight", to(&Question::picture_weight)},
      {"not_weight", to(&Question::exclude_weight)},
      {"rerank", to(&Question::rerank)},
      {"explain", to(&Question::explain)},
      {"min_fit", to(&Question::min_fit)},
      {"near", to(&Question::near)},
      {"within", to(&Question::within)},
      {"town", to(&Question::town)},
      {"camera", to(&Question::camera)},
      {"lens", to(&Question::lens)},
      {"shape", to(&Question::shape)},
      {"min_size", to(&Question::min_size)},
      {"max_size", to(&Question::max_size)},
      {"literal", to(&Question::literal)},
      {"kind", to(&Question::kind)},
      {"each_frame", to(&Question::each_frame)},
  };
  return all;
}

}  // namespace

void Question::set(std::string_view name, std::string_view value) {
  inside::guarded([&] {
    const auto found = setters().find(name);
    if (found == setters().end()) {
      std::string known;
      for (const auto& [one, set] : setters())
        known += (known.empty() ? "" : ", ") + std::string(one);
      throw InputError(fmt::format("a question's field '{}' (expected one of {})", name, known));
    }
    found->second(*this, name, value);
  });
}

}  // namespace v1
}  // namespace hinny
