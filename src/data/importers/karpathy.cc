#include "data/importers/karpathy.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "data/importers/json_records.h"
#include "data/importers/names.h"

namespace hinny {
namespace {

using nlohmann::json;

std::string joined_tokens(const json& sentence, const Place& place) {
  const auto tokens = sentence.find("tokens");
  const std::string what = place.text() + ": no usable \"tokens\"";
  if (tokens == sentence.end() || !tokens->is_array()) throw InputError(what, "a list of words");
  std::string text;
  for (const json& token : *tokens) {
    if (!token.is_string()) throw InputError(what, "a list of words");
    if (!text.empty()) text += ' ';
    text += token.get_ref<const std::string&>();
  }
  return text;
}

Image image_of(const json& record, const KarpathyOptions& options, const Place& place) {
  const std::string name = text_field(record, "filename", place);
  const std::string folder = text_field_or(record, "filepath", "", place);
  Image image;
  image.id = record.contains("cocoid") ? id_field(record, "cocoid", place) : image_id_of_file(name);
  image.split = text_field(record, "split", place);
  if (options.restval_as_train && image.split == "restval") image.split = "train";
  image.file = folder.empty() ? name : folder + "/" + name;
  return image;
}

}  // namespace

void import_karpathy(const std::filesystem::path& file, const KarpathyOptions& options,
                     ImportWriter& writer) {
  const auto use = [&](const std::string&, const json& record, const Place& place) {
    const Image image = image_of(record, options, place);
    if (writer.has(image.id)) {
      throw InputError(fmt::format("{}: image '{}' is there twice", place.text(), image.id),
                       fmt::format("each image once; '{}' gives this id", image.file));
    }
    writer.image(image, place);
    const auto sentences = record.find("sentences");
    if (sentences == record.end() || !sentences->is_array()) {
      throw InputError(place.text() + ": no usable \"sentences\"", "an array");
    }
    for (const json& sentence : *sentences) {
      if (!sentence.is_object()) {
        throw InputError(place.text() + ": a sentence is not an object", "an object");
      }
      if (!options.tokenised && !sentence.contains("raw") && sentence.contains("tokens")) {
        throw InputError(place.text() + ": a sentence has \"tokens\" and no \"raw\"",
                         "--tokenised to read them");
      }
      writer.caption(
          image.id, options.language,
          options.tokenised ? joined_tokens(sentence, place) : text_field(sentence, "raw", place),
          Source::human_original, place);
    }
  };
  if (for_each_record(file, {"images"}, use).empty()) {
    throw InputError(file, "no \"images\"", "a Karpathy split file");
  }
}

}  // namespace hinny
