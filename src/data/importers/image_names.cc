#include "data/importers/image_names.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text_file.h"
#include "data/importers/json_records.h"
#include "data/importers/recognise.h"

namespace hinny {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20U;  // of {"0": "1.jpg", ...}

ImageNames names_of_karpathy(const std::filesystem::path& file) {
  ImageNames names;
  for_each_record(file, {"images"}, [&](auto&, const json& record, const Place& place) {
    const std::string number =
        id_field(record, record.contains("cocoid") ? "cocoid" : "imgid", place);
    if (names.try_emplace(number, text_field(record, "filename", place)).second) return;
    throw InputError(fmt::format("{}: number {} for the second time", place.text(), number),
                     "each image once");
  });
  return names;
}

}  // namespace

ImageNames read_image_names(const std::filesystem::path& file) {
  if (import_format_of(file) == "karpathy") return names_of_karpathy(file);
  const auto wrong = [&] {
    return InputError(file, "no names of images by their numbers",
                      R"({"0": "1000092795.jpg", ...}, or dataset_flickr30k.json)");
  };
  const json object = json::parse(
      read_text(file, kMostBytes),
      [](int depth, json::parse_event_t, const json&) { return depth <= 1; }, false);
  if (!object.is_object()) throw wrong();
  ImageNames names;
  for (const auto& [number, name] : object.items()) {
    if (!name.is_string()) throw wrong();
    names.emplace(number, name.get<std::string>());
  }
  return names;
}

}  // namespace hinny
