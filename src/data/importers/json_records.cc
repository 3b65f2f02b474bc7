#include "data/importers/json_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <istream>
#include <nlohmann/json.hpp>
#include <streambuf>
#include <utility>

#include "base/error.h"
#include "base/text_file.h"

namespace hinny {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestRecord = std::size_t{16} << 20;

// A file for the parser that knows how far it is and gives up when one record, or one token
// outside of records, does not end.
class CountingBuffer : public std::streambuf {
 public:
  explicit CountingBuffer(const std::filesystem::path& path)
      : path_(path), file_(path, std::ios::binary) {
    if (!std::filesystem::is_regular_file(path)) {
      throw InputError(path, std::filesystem::exists(path) ? "not a regular file" : "no such file",
                       "a JSON file");
    }
    if (!file_) throw InputError(path, "cannot open", "a readable file");
  }

  std::size_t line() const {
    return lines_ + static_cast<std::size_t>(std::count(eback(), gptr(), '\n'));
  }
  // Counts the 16 MiB from here.
  void restart_limit() { since_ = 0; }

 private:
  int_type underflow() override {
    lines_ += static_cast<std::size_t>(std::count(eback(), egptr(), '\n'));
    since_ += static_cast<std::size_t>(egptr() - eback());
    if (since_ > kLargestRecord) {
      throw InputError(path_, lines_, "a record that does not end", "at most 16 MiB each");
    }
    file_.read(block_, sizeof block_);
    const auto count = static_cast<std::size_t>(file_.gcount());
    if (std::exchange(first_, false))
      without_mark({block_, count}, path_);  // UTF-8's is the parser's
    setg(block_, block_, block_ + count);
    if (file_.bad()) throw InputError(path_, lines_, "cannot read", "a readable file");
    return file_.gcount() == 0 ? traits_type::eof() : traits_type::to_int_type(*block_);
  }

  const std::filesystem::path& path_;
  std::ifstream file_;
  char block_[1 << 16];
  std::size_t lines_ = 1;
  std::size_t since_ = 0;
  bool first_ = true;
};

// Follows the parser's events: the file is depth 0, its keys and arrays 1, the records 2.
class RecordReader {
 public:
  using Use = std::function<void(const std::string&, const json&, const Place&)>;
  RecordReader(const std::filesystem::path& path, const std::set<std::string>& arrays,
               const Use& use)
      : path_(path), arrays_(arrays), use_(use), buffer_(path) {}

  std::set<std::string> read() {
    std::istream stream(&buffer_);
    try {
      const auto follow = [this](int depth, json::parse_event_t event, json& parsed) {
        return on_event(depth, event, parsed);
      };
      const json rest = json::parse(stream, follow);  // next to nothing: records are dropped
    } catch (const json::exception& error) {
      throw InputError(path_, buffer_.line(), "broken JSON: " + reason(error.what()),
                       "a JSON file in UTF-8");
    }
    return seen_;
  }

 private:
  // Returns whether to keep the value: only what lies inside a wanted record.
  bool on_event(int depth, json::parse_event_t event, json& parsed) {
    using Event = json::parse_event_t;
    if (depth > kDeepestJson) throw nested_too_deeply({path_, buffer_.line()});
    if (depth == 0) return on_file(event);
    if (depth == 1) return on_array(event, parsed);
    if (!wanted_) {
      buffer_.restart_limit();
      return false;
    }
    if (depth > 2) return true;
    buffer_.restart_limit();
    if (event == Event::object_start) return true;
    if (event != Event::object_end) {
      throw InputError(place().text() + ": not an object", "an object");
    }
    entry_ = fmt::format("{}[{}]", array_, index_++);
    use_(array_, parsed, place());
    return false;
  }

  bool on_file(json::parse_event_t event) const {
    if (event == json::parse_event_t::object_start || event == json::parse_event_t::object_end) {
      return true;
    }
    throw InputError(path_, "not a JSON object", "an object that holds arrays");
  }

  bool on_array(json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    buffer_.restart_limit();
    if (event == Event::key) {
      array_ = parsed.get<std::string>();
      index_ = 0;
      wanted_ = arrays_.contains(array_);
      if (wanted_ && !seen_.insert(array_).second) {
        throw InputError(path_, buffer_.line(), "\"" + array_ + "\" twice", "one array");
      }
      return wanted_;
    }
    if (wanted_ && event != Event::array_start && event != Event::array_end) {
      throw InputError(path_, buffer_.line(), "\"" + array_ + "\" is not an array", "an array");
    }
    return wanted_;
  }

  Place place() const { return {path_, buffer_.line(), entry_}; }

  // The library's message without its prefix "[json.exception.parse_error.101] " and without the
  // offending token, which may be long.
  static std::string reason(std::string text) {
    const std::size_t end = text.find("] ");
    if (end != std::string::npos) text.erase(0, end + 2);
    text.erase(std::min(text.find("; last read"), text.size()));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return text;
  }

  const std::filesystem::path& path_;
  const std::set<std::string>& arrays_;
  const Use& use_;
  CountingBuffer buffer_;
  std::set<std::string> seen_;
  std::string array_;
  std::string entry_;
  std::size_t index_ = 0;
  bool wanted_ = false;
};

constexpr std::size_t kKeysShown = 5;
constexpr double kMostExact = 9007199254740992.0;  // 2^53

// Says what is there instead: "file_name" where "filename" was expected, say.
[[noreturn]] void refuse(const json& record, const char* key, const Place& place,
                         const char* expected) {
  std::string others;
  std::size_t shown = 0;
  for (const auto& [name, value] : record.items()) {
    if (record.contains(key) || shown == kKeysShown || name.size() > 40) continue;
    others += fmt::format("{}{}", shown++ == 0 ? "; it has " : ", ", json(name).dump());
  }
  throw InputError(fmt::format("{}: no usable \"{}\"{}", place.text(), key, others), expected);
}

}  // namespace

InputError nested_too_deeply(const Place& place) {
  return InputError(place.text() + ": nested too deeply", fmt::format("{} levels", kDeepestJson));
}

std::set<std::string> for_each_record(
    const std::filesystem::path& path, const std::set<std::string>& arrays,
    const std::function<void(const std::string& array, const json& record, const Place& place)>&
        use) {
  return RecordReader(path, arrays, use).read();
}

std::string text_field(const json& record, const char* key, const Place& place) {
  const auto found = record.find(key);
  if (found == record.end() || !found->is_string()) refuse(record, key, place, "a string");
  return found->get<std::string>();
}

std::string text_field_or(const json& record, const char* key, std::string fallback,
                          const Place& place) {
  return record.contains(key) ? text_field(record, key, place) : std::move(fallback);
}

std::string id_field(const json& record, const char* key, const Place& place) {
  const auto found = record.find(key);
  if (found != record.end() && found->is_string()) return found->get<std::string>();
  if (found != record.end() && found->is_number_integer()) return found->dump();
  // pandas makes floats of whole columns in which one number is missing.
  if (found != record.end() && found->is_number_float()) {
    const auto number = found->get<double>();
    if (std::abs(number) < kMostExact && number == std::trunc(number)) {
      return std::to_string(static_cast<std::int64_t>(number));
    }
  }
  refuse(record, key, place, "a string or a whole number");
}

}  // namespace hinny
