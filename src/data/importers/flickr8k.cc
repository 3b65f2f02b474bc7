#include "data/importers/flickr8k.h"

#include "data/importers/listed_captions.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kTokenFile = "Flickr8k.token.txt";
constexpr std::string_view kTab = "\t";
constexpr ListedLayout kFlickr8k{kTab,
                                 {"trainImages.txt", "devImages.txt", "testImages.txt"},
                                 "1000268201_693b08cb0e.jpg#0<TAB>A child"};

CaptionRow flickr8k_row(const ListedLine& line) {
  CaptionRow row;
  row.picture = line.picture;
  row.texts.push_back({std::string(line.text), ""});
  return row;
}

}  // namespace

bool is_token_line(std::string_view line) { return listed_line(line, kTab).has_value(); }

void import_flickr8k(const fs::path& source, const RowOptions& options, ImportWriter& writer) {
  import_listed_captions(listed_file(source, kTokenFile), kFlickr8k, flickr8k_row, options, writer);
}

}  // namespace hinny
