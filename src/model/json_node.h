// Strict reading of small JSON files: every value knows its place for the error message.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/choice.h"

namespace hinny {

// "config.json: text.de.encoder.kind is 'gruu' (did you mean 'gru'?) (expected mean, gru, lstm)".
// Each method throws such an InputError when the value is not what it returns. Copies share the
// parsed file.
class JsonNode {
 public:
  // Nesting is limited, and so is the file's size, so memory is bounded.
  static JsonNode read(const std::filesystem::path& path, std::uint64_t most_bytes);
  // Of text that stands in `path`.
  static JsonNode parse(std::string_view text, const std::filesystem::path& path);

  JsonNode at(std::string_view key) const;
  std::optional<JsonNode> find(std::string_view key) const;
  // Refuses other keys than these.
  void only(std::initializer_list<std::string_view> keys) const;
  std::vector<std::pair<std::string, JsonNode>> members() const;
  std::vector<JsonNode> items() const;

  bool is_null() const;
  bool is_string() const;
  std::string string() const;
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  double number(double least, double most) const;
  bool boolean() const;
  bool is_object() const;
  bool is_number() const;
  // The value of that name (base/choice.h).
  template <Named Enum>
  Enum choice() const {
    const std::string given = string();
    const auto value = choice_of<Enum>(given);
    if (!value) none_of(given, choice_names<Enum>());
    return *value;
  }
  std::vector<std::string> strings() const;

  [[noreturn]] void refuse(std::string_view what, std::string_view expected) const;

 private:
  struct File;
  JsonNode(std::shared_ptr<const File> file, const nlohmann::json* value, std::string place)
      : file_(std::move(file)), value_(value), place_(std::move(place)) {}
  JsonNode child(const nlohmann::json* value, std::string_view name) const;
  [[noreturn]] void not_a(std::string_view expected) const;
  [[noreturn]] void none_of(const std::string& given, const std::vector<std::string>& names) const;

  std::shared_ptr<const File> file_;
  const nlohmann::json* value_;
  std::string place_;  // "text.de"
};

}  // namespace hinny
