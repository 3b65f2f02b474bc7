#include "data/importers/crossmodal.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/lines.h"
#include "data/importers/json_records.h"
#include "data/importers/listed_captions.h"
#include "data/importers/names.h"
#include "text/language_code.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr const char* kImageKey = "image/key";

json crossmodal_record(std::string_view text, const Place& place) {
  const auto keep = [&](int depth, json::parse_event_t, const json&) {
    if (depth > kDeepestJson) throw nested_too_deeply(place);
    return true;
  };
  try {
    json record = json::parse(text, keep);
    if (record.is_object()) return record;
  } catch (const json::exception&) {
  }
  throw InputError(place.text() + ": not a JSON object",
                   R"({"image/key":...,"en":{"caption":[...]},...})");
}

void add_language(const json& captions, const std::string& image, const std::string& language,
                  const char* key, const Place& place, ImportWriter& writer) {
  const auto wrong = [&] {
    return InputError(fmt::format("{}: no usable \"{}\" in \"{}\"", place.text(), key, language),
                      "a list of strings");
  };
  const auto found = captions.find(key);
  if (found == captions.end() || !found->is_array()) throw wrong();
  for (const json& caption : *found) {
    if (!caption.is_string()) throw wrong();
    writer.caption(image, language, caption.get_ref<const std::string&>(), Source::human_original,
                   place);
  }
}

void add_image(const json& record, const CrossmodalOptions& options, const Place& place,
               ImportWriter& writer) {
  const std::string id = text_field(record, kImageKey, place);
  if (writer.has(id)) {
    throw InputError(fmt::format("{}: image '{}' for the second time", place.text(), id),
                     "each image once");
  }
  writer.image({id, "test", options.pictures.find(id + ".jpg", place)}, place);
  for (const auto& [key, value] : record.items()) {
    if (key.starts_with("image/")) continue;  // image/locale: where the picture was taken
    if (!value.is_object() && !is_language_code(key)) {
      writer.skip("key that is not known", fmt::format("{}: '{}'", place.text(), key));
      continue;
    }
    add_language(value, id, key, options.tokenised ? "caption/tokenized" : "caption", place,
                 writer);
  }
}

}  // namespace

void import_crossmodal(const fs::path& source, const CrossmodalOptions& options,
                       ImportWriter& writer) {
  const fs::path file = listed_file(source, "captions.jsonl");
  for_each_line(file, [&](std::string_view line, std::size_t number) {
    const Place place{file, number};
    if (!trimmed(line).empty()) add_image(crossmodal_record(line, place), options, place, writer);
  });
  options.pictures.link(writer.folder());
}

}  // namespace hinny
