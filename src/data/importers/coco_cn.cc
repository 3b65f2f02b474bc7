#include "data/importers/coco_cn.h"

#include "base/error.h"
#include "data/importers/listed_captions.h"
#include "data/importers/names.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kWritten = "imageid.human-written-caption.txt";
constexpr std::string_view kBlanks = "\t ";
constexpr ListedLayout kCocoCn{kBlanks,
                               {"coco-cn_train.txt", "coco-cn_val.txt", "coco-cn_test.txt"},
                               "COCO_train2014_000000123456#0<TAB>two dogs, in Chinese"};

// Lines name COCO's file without its ending.
template <Source source>
CaptionRow coco_cn_row(const ListedLine& line) {
  CaptionRow row;
  row.id = image_id_of_file(line.picture);
  row.picture = line.picture;
  if (!names_a_file(row.picture)) row.picture += ".jpg";
  row.source = source_name(source);
  row.texts.push_back({std::string(line.text), ""});
  return row;
}

}  // namespace

bool is_coco_cn_line(std::string_view line) {
  return line.starts_with("COCO_") && listed_line(line, kBlanks).has_value();
}

void import_coco_cn(const fs::path& source, const RowOptions& options, ImportWriter& writer) {
  const fs::path file = listed_file(source, kWritten);
  const std::string name = file.filename().string();
  const auto says = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (says("seg.")) {  // "dog:n"
    throw InputError(file, "words with their kinds", kWritten);
  }
  const RowOfLine row = says("manually-translated")  ? coco_cn_row<Source::human_translation>
                        : says("machine-translated") ? coco_cn_row<Source::machine_translation>
                                                     : coco_cn_row<Source::human_original>;
  import_listed_captions(file, kCocoCn, row, options, writer);
}

}  // namespace hinny
