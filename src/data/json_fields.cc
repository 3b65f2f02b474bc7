#include "data/json_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

  bool null() { return value(nullptr, true); }
  bool boolean(bool) { return value(nullptr, false); }
  bool number_integer(Json::number_integer_t) { return value(nullptr, false); }
  bool number_unsigned(Json::number_unsigned_t) { return value(nullptr, false); }
  bool number_float(Json::number_float_t, const std::string&) { return value(nullptr, false); }
  bool string(std::string& text) { return value(&text, false); }
  bool binary(Json::binary_t&) { return value(nullptr, false); }

  bool start_object(std::size_t) {
    if (depth_ > 0) value(nullptr, false);
    ++depth_;
    return true;
  }
  bool start_array(std::size_t) {
    value(nullptr, false);
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
  bool value(std::string* text, bool null) {
    if (depth_ == 0) fields_.fail("not a JSON object", R"({"key": "value", ...})");
    if (depth_ > 1 || field_ == nullptr) return true;
    if (field_->present) fields_.fail(fmt::format("key '{}' twice", field_->key), "it once");
    if (text == nullptr && !null) {
      fields_.fail(fmt::format("value of '{}' is not a string", field_->key), "a string");
    }
    field_->present = true;
    if (text != nullptr) field_->value.assign(*text);
    return true;
  }

  JsonFields& fields_;
  Field* field_ = nullptr;  // whose value comes next; null: of no interest
  int depth_ = 0;
};

JsonFields::JsonFields(std::filesystem::path path, std::initializer_list<std::string_view> keys)
    : path_(std::move(path)) {
  for (const std::string_view key : keys) fields_.push_back({std::string(key), {}, false});
}

void JsonFields::read(std::string_view text, std::size_t line) {
  line_ = line;
  others_.clear();
  for (Field& field : fields_) {
    field.value.clear();
    field.present = false;
  }
  Handler handler(*this);
  nlohmann::json::sax_parse(text, &handler);
}

std::string& JsonFields::required(std::size_t key) {
  Field& field = fields_[key];
  if (!field.value.empty()) return field.value;
  if (field.present) fail(fmt::format("empty '{}'", field.key), "a string");
  // Of other programs' keys ("file_name", "caption") the message shows what is there instead.
  const std::string others =
      others_.empty() ? "" : fmt::format("; the line has '{}'", fmt::join(others_, "', '"));
  fail(fmt::format("missing key '{}'{}", field.key, others), "a string");
}

void JsonFields::fail(std::string_view what, std::string_view expected) const {
  throw InputError(path_, line_, what, expected);
}

}  // namespace hinny
