#include "data/importers/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/error.h"
#include "base/lines.h"
#include "data/importers/delimited.h"
#include "data/importers/names.h"
#include "text/language_code.h"

namespace hinny {
namespace {

constexpr std::string_view kSeparators = ",\t|;";
// Columns that name a picture, the likeliest first; an id beside one of the first is the image's.
constexpr std::array<std::string_view, 14> kPictures{
    "file_name", "filename", "image_name", "image_file", "image_path", "image",   "img",
    "img_path",  "file",     "filepath",   "file_path",  "path",       "picture", "photo"};
constexpr std::array<std::string_view, 3> kIds{"image_id", "img_id", "imageid"};
constexpr std::array<std::string_view, 9> kTexts{"captions", "caption",     "texts",
                                                 "text",     "comment",     "sentences",
                                                 "sentence", "description", "raw"};
constexpr std::array<std::string_view, 4> kLanguages{"lang", "language", "locale", "lang_code"};
constexpr std::array<std::string_view, 4> kSplits{"split", "subset", "partition", "set"};
constexpr std::array<std::string_view, 3> kNumbers{"comment_number", "caption_number", "sentid"};
constexpr std::size_t kNone = std::string::npos;

template <typename Names>
bool one_of(const std::string& name, const Names& names) {
  return std::ranges::find(names, name) != names.end();
}

// As headers are compared: "Image Name" is image_name.
std::string plain(std::string_view column) {
  std::string name(trimmed(column));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == ' ' || c == '-') c = '_';
  }
  return name;
}

// caption, caption_2 and caption3 are captions; caption_de and caption-pt-BR those of a language.
// Nothing: another column.
std::optional<std::string> language_of_text(std::string_view column) {
  const std::string name = plain(column);
  for (const std::string_view base : kTexts) {
    if (!name.starts_with(base)) continue;
    std::string rest = name.substr(base.size());
    if (rest.find_first_not_of("_0123456789") == std::string::npos) return "";
    if (rest.front() != '_') continue;
    rest.erase(0, 1);
    const std::string_view language = rest;
    const std::size_t end = std::min(language.find('_'), language.size());
    const bool code = (end == 2 || end == 3) && language != "id" && language != "no" &&
                      language != "len" && language.size() <= 8 &&
                      is_language_code(language.substr(0, end));
    if (!code) return std::nullopt;
    const std::string_view written = trimmed(column);
    std::string as_written(written.substr(written.size() - rest.size()));
    std::ranges::replace(as_written, '_', '-');
    return as_written;
  }
  return std::nullopt;
}

// Which column of a table is what.
struct Layout {
  char separator = ',';
  std::size_t columns = 0;
  std::size_t picture = kNone, id = kNone, language = kNone, split = kNone, source = kNone;
  std::size_t number = kNone;
  std::vector<std::pair<std::size_t, std::string>> texts;  // with their languages
  std::vector<std::string> unknown;

  bool usable() const { return (picture != kNone || id != kNone) && !texts.empty(); }
};

Layout layout_of(std::string_view header, char separator) {
  const std::vector<std::string> columns = fields_of(header, separator);
  Layout layout;
  layout.separator = separator;
  layout.columns = columns.size();
  std::vector<std::string> names;
  for (const std::string& column : columns) names.push_back(plain(column));
  const auto find = [&](const auto& known) {
    for (const std::string_view name : known) {
      const auto found = std::ranges::find(names, name);
      if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    }
    return kNone;
  };
  layout.picture = find(kPictures);
  layout.id = find(kIds);
  if (layout.picture == kNone && layout.id == kNone) layout.id = find(std::array{"id"});
  layout.language = find(kLanguages);
  layout.split = find(kSplits);
  layout.source = find(std::array{"source"});
  layout.number = find(kNumbers);
  const std::array known{layout.picture, layout.id,     layout.language,
                         layout.split,   layout.source, layout.number};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (one_of(names[i], kNumbers) || std::ranges::find(known, i) != known.end()) continue;
    if (auto language = language_of_text(columns[i])) {
      layout.texts.emplace_back(i, std::move(*language));
    } else if (!names[i].empty() && !names[i].starts_with("unnamed")) {  // pandas' index
      layout.unknown.push_back(std::string(trimmed(columns[i])));
    }
  }
  return layout;
}

std::optional<Layout> layout_of(std::string_view header) {
  for (const char separator : kSeparators) {
    Layout layout = layout_of(header, separator);
    if (layout.usable()) return layout;
  }
  return std::nullopt;
}

// A line for a message: none of its letters may do anything to a terminal.
std::string shown(std::string_view line) {
  std::string text(line.size() <= 80 ? line : "");
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

class Table {
 public:
  using Use = std::function<void(CaptionRow&, const Place&)>;
  Table(const std::filesystem::path& file, ImportWriter* writer, const Use& use)
      : file_(file), writer_(writer), use_(use) {}

  void read() {
    for_each_line(file_, [&](std::string_view line, std::size_t number) {
      if (rows_) {
        rows_->add(line, number);
      } else if (const std::string_view header = trimmed(line);
                 !header.empty() && !(header.starts_with("sep=") && header.size() <= 5)) {
        start(line, number);
      }
    });
    if (!rows_) throw InputError(file_, "no header", "image,caption");
    rows_->finish();
  }

 private:
  void start(std::string_view line, std::size_t number) {
    auto found = layout_of(line);
    if (!found) {
      throw InputError(file_, number,
                       fmt::format("'{}' is no header of a picture and its caption", shown(line)),
                       "such as image,caption or image,caption,lang,split; parted by ',', a tab, "
                       "'|' or ';'");
    }
    layout_ = std::move(*found);
    for (const std::string& column : layout_.unknown) {
      if (writer_ != nullptr) {
        writer_->skip("column that is not known",
                      fmt::format("{}:{}: '{}'", file_.string(), number, column));
      }
    }
    rows_ = std::make_unique<DelimitedRows>(
        file_, layout_.separator,
        [&](std::vector<std::string>& fields, const Place& place) { row(fields, place); });
  }

  // Of Flickr30K's results.csv one row lacks a separator: "2199200615.jpg| 4   A dog runs".
  void mend(std::vector<std::string>& fields, const Place& place) const {
    const std::size_t at = layout_.number;
    if (layout_.separator != '|' || fields.size() + 1 != layout_.columns || at == kNone) return;
    if (layout_.texts.front().first != at + 1 || at >= fields.size()) return;
    const std::string text(trimmed(fields[at]));
    const std::size_t digits = text.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string::npos || text[digits] != ' ') return;
    fields[at] = text.substr(0, digits);
    fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(at) + 1, text.substr(digits));
    if (writer_ != nullptr) writer_->note("row without its last separator, mended", place.text());
  }

  void row(std::vector<std::string>& fields, const Place& place) {
    mend(fields, place);
    while (fields.size() > layout_.columns && trimmed(fields.back()).empty()) fields.pop_back();
    std::size_t last = layout_.texts.front().first;
    for (const std::size_t column : {layout_.picture, layout_.id}) {
      if (column != kNone) last = std::max(last, column);
    }
    if (fields.size() > layout_.columns || fields.size() <= last) {
      throw InputError(file_, place.line,
                       fmt::format("{} field{}", fields.size(), fields.size() == 1 ? "" : "s"),
                       fmt::format("{}, as the header has{}", layout_.columns, advice()));
    }
    fields.resize(layout_.columns);
    const auto field = [&](std::size_t column) {
      return column == kNone ? std::string() : std::string(trimmed(fields[column]));
    };
    CaptionRow row{
        field(layout_.picture), field(layout_.id), field(layout_.split), {}, field(layout_.source)};
    if (row.picture.empty()) std::swap(row.picture, row.id);
    const std::string language = field(layout_.language);
    for (const auto& [column, own] : layout_.texts) {
      // Of several caption columns some may be empty; a single empty one is counted.
      if (layout_.texts.size() > 1 && trimmed(fields[column]).empty()) continue;
      row.texts.push_back({std::move(fields[column]), own.empty() ? language : own});
    }
    use_(row, place);
  }

  std::string_view advice() const {
    if (layout_.separator == '|') return "";
    return layout_.separator == '\t' ? "; a caption with a tab stands in quotes"
                                     : "; a caption with separators stands in quotes";
  }

  const std::filesystem::path& file_;
  ImportWriter* writer_;
  const Use& use_;
  Layout layout_;
  std::unique_ptr<DelimitedRows> rows_;
};

}  // namespace

bool is_caption_header(std::string_view line) { return layout_of(line).has_value(); }

void for_each_csv_row(const std::filesystem::path& file, ImportWriter* writer,
                      const std::function<void(CaptionRow&, const Place&)>& use) {
  Table(file, writer, use).read();
}

void import_csv(const std::filesystem::path& file, const RowOptions& options,
                ImportWriter& writer) {
  CaptionRows rows(options, writer);
  for_each_csv_row(file, nullptr,
                   [&](const CaptionRow& row, const Place& place) { rows.see(row, place); });
  rows.write_images();
  for_each_csv_row(file, &writer,
                   [&](const CaptionRow& row, const Place& place) { rows.add(row, place); });
}

}  // namespace hinny
