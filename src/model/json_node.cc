#include "model/json_node.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text_file.h"

namespace hinny {
namespace {

using nlohmann::json;

constexpr int kDeepest = 16;

}  // namespace

struct JsonNode::File {
  std::filesystem::path path;
  json root;
};

JsonNode JsonNode::read(const std::filesystem::path& path, std::uint64_t most_bytes) {
  return parse(read_text(path, most_bytes), path);
}

JsonNode JsonNode::parse(std::string_view text, const std::filesystem::path& path) {
  auto file = std::make_shared<File>();
  file->path = path;
  const auto shallow = [&](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) throw InputError(path, "nested too deep", "at most 16 levels");
    return true;
  };
  try {
    file->root = json::parse(text, shallow);
  } catch (const json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    const auto line = static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
    throw InputError(path, line, fmt::format("broken JSON at byte {}", error.byte), "JSON");
  } catch (const json::out_of_range&) {
    throw InputError(path, "a number too large", "JSON");
  }
  const json* root = &file->root;
  return JsonNode(std::move(file), root, "");
}

JsonNode JsonNode::child(const json* value, std::string_view name) const {
  return JsonNode(file_, value,
                  place_.empty() ? std::string(name) : fmt::format("{}.{}", place_, name));
}

void JsonNode::refuse(std::string_view what, std::string_view expected) const {
  throw InputError(file_->path,
                   place_.empty() ? std::string(what) : fmt::format("{} {}", place_, what),
                   expected);
}

void JsonNode::not_a(std::string_view expected) const {
  refuse(fmt::format("is of type {}", value_->type_name()), expected);
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
  if (!value_->is_object()) not_a("an object");
  const auto found = value_->find(std::string(key));
  if (found == value_->end()) return std::nullopt;
  return child(&*found, key);
}

JsonNode JsonNode::at(std::string_view key) const {
  auto node = find(key);
  if (!node) refuse(fmt::format("lacks '{}'", key), "");
  return std::move(*node);
}

void JsonNode::only(std::initializer_list<std::string_view> keys) const {
  if (!value_->is_object()) not_a("an object");
  for (const auto& [key, value] : value_->items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    refuse(fmt::format("has a key '{}'{}", key, did_you_mean(key, keys)),
           fmt::format("{}", fmt::join(keys, ", ")));
  }
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  if (!value_->is_object()) not_a("an object");
  std::vector<std::pair<std::string, JsonNode>> result;
  for (const auto& [key, value] : value_->items()) result.emplace_back(key, child(&value, key));
  return result;
}

std::vector<JsonNode> JsonNode::items() const {
  if (!value_->is_array()) not_a("a list");
  std::vector<JsonNode> result;
  for (const json& value : *value_) result.push_back(child(&value, std::to_string(result.size())));
  return result;
}

bool JsonNode::is_null() const { return value_->is_null(); }
bool JsonNode::is_string() const { return value_->is_string(); }

std::string JsonNode::string() const {
  if (!value_->is_string()) not_a("a string");
  return value_->get<std::string>();
}

std::int64_t JsonNode::integer(std::int64_t least, std::int64_t most) const {
  const std::string range = fmt::format("a whole number from {} to {}", least, most);
  if (!value_->is_number_integer()) not_a(range);
  const bool fits = !value_->is_number_unsigned() ||
                    value_->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX);
  if (!fits || value_->get<std::int64_t>() < least || value_->get<std::int64_t>() > most) {
    refuse(fmt::format("is {}", value_->dump()), range);
  }
  return value_->get<std::int64_t>();
}

double JsonNode::number(double least, double most) const {
  if (!value_->is_number()) not_a("a number");
  const auto value = value_->get<double>();
  if (!(value >= least && value <= most)) {
    refuse(fmt::format("is {}", value), fmt::format("{} to {}", least, most));
  }
  return value;
}

bool JsonNode::boolean() const {
  if (!value_->is_boolean()) not_a("true or false");
  return value_->get<bool>();
}

bool JsonNode::is_object() const { return value_->is_object(); }
bool JsonNode::is_number() const { return value_->is_number(); }

void JsonNode::none_of(const std::string& given, const std::vector<std::string>& names) const {
  refuse(fmt::format("is '{}'{}", given, did_you_mean(given, names)),
         fmt::format("{}", fmt::join(names, ", ")));
}

std::vector<std::string> JsonNode::strings() const {
  if (!value_->is_array()) not_a("a list of strings");
  std::vector<std::string> result;
  result.reserve(value_->size());
  for (const json& value : *value_) {
    if (!value.is_string()) refuse(fmt::format("item {} is no string", result.size()), "a string");
    result.push_back(value.get<std::string>());
  }
  return result;
}

}  // namespace hinny
