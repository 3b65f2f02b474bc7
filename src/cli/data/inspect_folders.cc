#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/content_hash.h"
#include "base/folders.h"
#include "base/npy.h"
#include "base/path_text.h"
#include "base/run_files.h"
#include "cli/data/inspect_kinds.h"
#include "data/dataset.h"
#include "data/features.h"
#include "data/part.h"
#include "index/folder/away.h"
#include "index/folder/index.h"
#include "index/tree/picture_records.h"
#include "model/translation_config.h"

namespace hinny {
namespace fs = std::filesystem;
using nlohmann::ordered_json;
namespace {

// {"de": {"human-original": 5000}, ...}
ordered_json captions_by_language(const Dataset& dataset) {
  std::map<std::string, std::map<std::string, std::int64_t>> counts;
  for (const Caption& caption : dataset.captions()) {
    const std::string& language = dataset.languages()[static_cast<std::size_t>(caption.language)];
    ++counts[language][std::string(source_name(caption.source))];
  }
  return counts;
}

ordered_json features_of(const Dataset& dataset) {
  ordered_json result = ordered_json::object();
  std::set<fs::path> files;
  for (const auto& entry : entries_in(dataset.folder() / "features")) {
    if (entry.path().extension() == ".npy") files.insert(entry.path());
  }
  for (const fs::path& file : files) {
    const Features features = Features::open(dataset, file.stem().string());
    std::int64_t missing = 0;
    for (std::size_t i = 0; i < dataset.images().size(); ++i) {
      missing += features.has(static_cast<int>(i)) ? 0 : 1;
    }
    result[file.stem().string()] = inspect_npy(file);
    result[file.stem().string()].erase("kind");
    if (missing > 0) result[file.stem().string()]["images without features"] = missing;
  }
  return result;
}

std::string encoder_text(const EncoderSpec& spec) {
  if (spec.kind == EncoderKind::given) return fmt::format("given vectors of {}", spec.input);
  if (spec.kind == EncoderKind::mean) return fmt::format("mean of {}", spec.input);
  return fmt::format("{}{} {} -> {}", spec.bidirectional ? "bidirectional " : "",
                     spec.kind == EncoderKind::gru ? "gru" : "lstm", spec.input, spec.hidden);
}

ordered_json describe_translation(const fs::path& folder) {
  const TranslationConfig config = read_translation_config(folder / kConfigFile);
  return {{"kind", "model"},
          {"system", config.system},
          {"directions", config.directions},
          {"vocabulary", config.net.vocabulary},
          {"embedding", config.net.embedding},
          {"hidden", config.net.hidden},
          {"region_size", config.net.region_size},
          {"parameters", config.train_parameters},
          {"hash", content_hash(folder / kWeightsFile)}};
}

}  // namespace

ordered_json describe_model(const Model& model) {
  const ModelConfig& config = model.config();
  ordered_json vocabularies = ordered_json::object();
  if (const auto& transformer = config.transformer) {
    vocabularies["pieces"] = transformer->vocabulary;
  }
  for (const auto& [name, vocabulary] : model.vocabularies()) {
    vocabularies[name] = vocabulary.size() - kFirstWord;
  }
  ordered_json encoders = ordered_json::object();
  if (const auto& transformer = config.transformer) {
    encoders["all"] = fmt::format("transformer of {} layers, {} wide, {} tokens at most",
                                  transformer->layers, transformer->width, transformer->positions);
  } else {
    for (const auto& [language, text] : config.text) {
      encoders[language] = encoder_text(text.encoder);
    }
  }
  ordered_json parameters = {{"train", config.train_parameters},
                             {"search", config.search_parameters}};
  for (const auto& [part, count] : config.parameter_parts) parameters[part] = count;
  ordered_json spaces = ordered_json::array();
  for (const auto& item : config.image) spaces.push_back(item.first);
  return {{"system", config.system},
          {"languages", config.languages},
          {"dim", config.dim},
          {"encoders", encoders},
          {"words", vocabularies},
          {"image spaces", spaces},
          {"features", config.features.names},
          {"numbers per image", config.features.dim()},
          {"parameters", parameters},
          {"hash", model_hash(model.folder())}};
}

ordered_json inspect_dataset(const fs::path& folder) {
  const Dataset dataset = Dataset::load(folder);
  std::map<std::string, std::int64_t> splits;
  std::int64_t files = 0;
  std::set<int> with_captions;
  for (const Image& image : dataset.images()) {
    ++splits[image.split];
    files += image.file.empty() ? 0 : 1;
  }
  for (const Caption& caption : dataset.captions()) with_captions.insert(caption.image);
  return {{"kind", "dataset"},
          {"images", dataset.images().size()},
          {"splits", splits},
          {"images with a picture file", files},
          {"images without captions", dataset.images().size() - with_captions.size()},
          {"captions", captions_by_language(dataset)},
          {"features", features_of(dataset)}};
}

ordered_json inspect_model(const fs::path& folder) {
  if (is_translation_config(folder / kConfigFile)) return describe_translation(folder);
  ordered_json result = {{"kind", "model"}};
  result.update(describe_model(Model::open(folder)));
  return result;
}

std::vector<std::string> texts_of(const std::vector<std::string>& patterns) {
  std::vector<std::string> texts;
  for (const std::string& pattern : patterns) texts.push_back(path_text(pattern));
  return texts;
}

ordered_json inspect_index(const fs::path& folder) {
  const Index index = Index::open(folder);
  const IndexContents& contents = index.contents();
  ordered_json result = {{"kind", "index"}, {"images", index.size()}};
  if (const auto films = index.films().count; films > 0) result["films"] = films;
  if (const auto record = read_part_record(folder)) result["part"] = record->part.text();
  if (const auto records = read_picture_records(folder)) {
    const auto broken = std::ranges::count_if(
        records->files, [](const PictureRecord& file) { return !file.broken.empty(); });
    result["broken"] = broken;
    if (!records->reader.empty()) result["reader"] = records->reader;
    if (!records->exclude.empty()) result["exclude"] = texts_of(records->exclude);
    if (const auto away = read_picture_records(folder / kAwayFolder)) {
      result["away"] = away->files.size();
    }
  }
  result.update({{"split", contents.split},
                 {"features", contents.features},
                 {"codes", contents.codes},
                 {"pictures", path_text(contents.pictures.string())},
                 {"model", describe_model(index.model())}});
  return result;
}

}  // namespace hinny
