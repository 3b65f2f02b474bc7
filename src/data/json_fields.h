// The string fields of one JSON object on a line, as JSONL files have them.
#pragma once

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
  JsonFields(std::filesystem::path path, std::initializer_list<std::string_view> keys);

  // Throws InputError with file and line when `text` is not an object, or when one of the keys is
  // there twice or has a value that is neither a string nor null (null counts as absent).
  void read(std::string_view text, std::size_t line);

  // By position in `keys`. required() throws InputError when the line lacks the key or its value
  // is empty; optional() is then "". Valid, and free to be moved from, until the next read().
  std::string& required(std::size_t key);
  std::string& optional(std::size_t key) { return fields_[key].value; }

  // About the line that was read last.
  [[noreturn]] void fail(std::string_view what, std::string_view expected) const;

 private:
  class Handler;
  struct Field {
    std::string key;
    std::string value;
    bool present = false;
  };
  std::filesystem::path path_;
  std::size_t line_ = 0;
  std::vector<Field> fields_;
  std::vector<std::string> others_;  // the line's first few other keys, for messages
};

}  // namespace hinny
