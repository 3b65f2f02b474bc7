#include "data/json_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"

namespace hinny {
namespace {

constexpr std::size_t kOthersShown = 5;

bool showable(std::string_view key) {
  return key.size() <= 40 &&
         std::ranges::none_of(key, [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

}  // namespace

// Takes the parser's events, so that no tree is built: a line of a million brackets costs nothing.
class JsonFields::Handler {
 public:
  using Json = nlohmann::json;
  explicit Handler(JsonFields& fields) : fields_(fields) {}

  bool null() { return value(Kind::absent); }
  bool boolean(bool) { return value(Kind::other); }
  bool number_integer(Json::number_integer_t number) { return integer(number); }
  bool number_unsigned(Json::number_unsigned_t number) {
    return std::in_range<std::int64_t>(number) ? integer(static_cast<std::int64_t>(number))
                                               : value(Kind::other);
  }
  bool number_float(Json::number_float_t, const std::string&) { return value(Kind::other); }
  bool binary(Json::binary_t&) { return value(Kind::other); }
  bool string(std::string& text) {
    if (depth_ == 2 && in_list()) {
      field_->list.push_back(std::move(text));
      return true;
    }
    value(Kind::string);
    if (depth_ == 1 && field_ != nullptr) field_->text.assign(text);
    return true;
  }

  bool start_object(std::size_t) {
    if (depth_ > 0) value(Kind::other);
    ++depth_;
    return true;
  }
  bool start_array(std::size_t) {
    value(Kind::strings);
    ++depth_;
    return true;
  }
  bool end_object() { return leave(); }
  bool end_array() { return leave(); }

  bool key(std::string& name) {
    if (depth_ != 1) return true;
    field_ = nullptr;
    for (Field& field : fields_.fields_) {
      if (field.key == name) field_ = &field;
    }
    if (field_ == nullptr && fields_.others_.size() < kOthersShown && showable(name)) {
      fields_.others_.push_back(name);
    }
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) {
    fields_.fail(fmt::format("broken JSON at byte {}", position), "one JSON object");
  }

 private:
  bool leave() {
    --depth_;
    return true;
  }
  bool in_list() const { return field_ != nullptr && field_->kind == Kind::strings; }
  // A value begins that is of this kind, where it is a field's own.
  bool value(Kind kind) {
    if (depth_ == 0) fields_.fail("not a JSON object", R"({"key": "value", ...})");
    if (depth_ == 2 && in_list()) field_->kind = Kind::other;  // of more than strings
    if (depth_ > 1 || field_ == nullptr) return true;
    if (field_->seen) fields_.fail(fmt::format("key '{}' twice", field_->key), "it once");
    field_->seen = true;
    field_->kind = kind == Kind::strings && !field_->is_list ? Kind::other : kind;
    return true;
  }
  bool integer(std::int64_t number) {
    value(Kind::integer);
    if (depth_ == 1 && field_ != nullptr) field_->number = number;
    return true;
  }

  JsonFields& fields_;
  Field* field_ = nullptr;  // whose value comes next; null: of no interest
  int depth_ = 0;
};

JsonFields::JsonFields(std::filesystem::path path, std::initializer_list<std::string_view> keys,
                       std::initializer_list<std::string_view> lists)
    : path_(std::move(path)) {
  for (const std::string_view key : keys) fields_.push_back({std::string(key)});
  for (const std::string_view key : lists) fields_.push_back({std::string(key), true});
}

void JsonFields::read(std::string_view text, std::size_t line) {
  line_ = line;
  others_.clear();
  for (Field& field : fields_) {
    field.kind = Kind::absent;
    field.seen = false;
    field.text.clear();
    field.list.clear();
  }
  Handler handler(*this);
  nlohmann::json::sax_parse(text, &handler);
}

std::string& JsonFields::required(std::size_t key) {
  Field& field = fields_[key];
  if (field.kind == Kind::string && !field.text.empty()) return field.text;
  if (field.kind == Kind::string) fail(fmt::format("empty '{}'", field.key), "a string");
  fail_not(field, "a string");
}

std::string& JsonFields::optional(std::size_t key) {
  Field& field = fields_[key];
  if (has(key) && field.kind != Kind::string) fail_not(field, "a string");
  return field.text;
}

std::vector<std::string>& JsonFields::strings(std::size_t key) {
  Field& field = fields_[key];
  if (has(key) && field.kind != Kind::strings) fail_not(field, "a list of strings");
  return field.list;
}

std::int64_t JsonFields::integer(std::size_t key) {
  if (!is_integer(key)) fail_not(fields_[key], "a whole number");
  return fields_[key].number;
}

void JsonFields::fail_not(const Field& field, std::string_view expected) const {
  if (field.kind != Kind::absent) {
    fail(fmt::format("value of '{}' is not {}", field.key, expected), expected);
  }
  // Of other programs' keys ("file_name", "caption") the message shows what is there instead.
  const std::string others =
      others_.empty() ? "" : fmt::format("; the line has '{}'", fmt::join(others_, "', '"));
  fail(fmt::format("missing key '{}'{}", field.key, others), expected);
}

void JsonFields::fail(std::string_view what, std::string_view expected) const {
  throw InputError(path_, line_, what, expected);
}

}  // namespace hinny
