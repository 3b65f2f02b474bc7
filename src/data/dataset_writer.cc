#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/utf8.h"
#include "data/dataset.h"

namespace hinny {
namespace {

// `text` as a JSON string. UTF-8 stays as it is: people read these files too.
std::string quoted(std::string_view text, std::string_view field, std::string_view image) {
  if (!is_utf8(text)) {
    throw InputError(fmt::format("broken UTF-8 in the {} of image '{}'", field, image), "UTF-8");
  }
  return nlohmann::json(text).dump();
}

void require(std::string_view value, std::string_view field, std::string_view image) {
  if (value.empty()) throw InputError(fmt::format("image '{}' has an empty {}", image, field));
}

}  // namespace

struct DatasetWriter::Files {
  explicit Files(const std::filesystem::path& folder)
      : images(folder / "images.jsonl"), captions(folder / "captions.jsonl") {}
  AtomicFile images;
  AtomicFile captions;
};

DatasetWriter::DatasetWriter(const std::filesystem::path& folder) {
  create_folder(folder);
  files_ = std::make_unique<Files>(folder);
}

DatasetWriter::~DatasetWriter() = default;

void DatasetWriter::image(const Image& image) {
  require(image.id, "id", image.id);
  require(image.split, "split", image.id);
  std::string line = fmt::format(R"({{"image":{},"split":{})", quoted(image.id, "id", "?"),
                                 quoted(image.split, "split", image.id));
  if (!image.file.empty()) line += R"(,"file":)" + quoted(image.file, "file", image.id);
  files_->images.write(line += "}\n");
}

void DatasetWriter::caption(const std::string& image_id, const std::string& language,
                            const std::string& text, Source source) {
  require(image_id, "id", image_id);
  require(language, "language", image_id);
  require(text, "caption", image_id);
  files_->captions.write(fmt::format("{{\"image\":{},\"lang\":{},\"text\":{},\"source\":\"{}\"}}\n",
                                     quoted(image_id, "id", "?"),
                                     quoted(language, "language", image_id),
                                     quoted(text, "caption", image_id), source_name(source)));
}

void DatasetWriter::commit() {
  // images.jsonl is what makes a folder a dataset, so it comes last.
  files_->captions.commit();
  files_->images.commit();
}

}  // namespace hinny
