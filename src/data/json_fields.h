// The fields of one JSON object on a line, as JSONL files have them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

// Reads lines of one file; keep it for all of them, so that its memory is reused. Other keys than
// the given ones are passed over, whatever their values. Memory is bounded by the line.
class JsonFields {
 public:
  // `lists` are the keys of lists of strings; their positions come after those of `keys`.
  JsonFields(std::filesystem::path path, std::initializer_list<std::string_view> keys,
             std::initializer_list<std::string_view> lists = {});

  // Throws InputError with file and line when `text` is not an object, or when one of the keys is
  // there twice.
  void read(std::string_view text, std::size_t line);

  // By position; a null counts as absent. Each throws InputError for a value of another
  // kind. Strings and lists are valid, and free to be moved from, until the next read().
  bool has(std::size_t key) const { return fields_[key].kind != Kind::absent; }
  std::string& required(std::size_t key);              // throws, too, when it is absent or empty
  std::string& optional(std::size_t key);              // "" when it is absent
  std::vector<std::string>& strings(std::size_t key);  // none when it is absent
  bool is_integer(std::size_t key) const { return fields_[key].kind == Kind::integer; }
  std::int64_t integer(std::size_t key);  // throws, too, when it is absent

  // About the line that was read last.
  [[noreturn]] void fail(std::string_view what, std::string_view expected) const;

 private:
  enum class Kind { absent, string, integer, strings, other };
  class Handler;
  struct Field {
    std::string key;
    bool is_list = false;
    Kind kind = Kind::absent;
    std::string text{};
    std::int64_t number = 0;
    std::vector<std::string> list{};
    bool seen = false;
  };
  // It is absent, or of another kind.
  [[noreturn]] void fail_not(const Field& field, std::string_view expected) const;
  std::filesystem::path path_;
  std::size_t line_ = 0;
  std::vector<Field> fields_;
  std::vector<std::string> others_;  // the line's first few other keys, for messages
};

}  // namespace hinny
