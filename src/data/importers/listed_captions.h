// Captions of pictures, a line each, with lists beside them of the pictures in each split:
// Flickr8k's files and COCO-CN's.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "data/importers/caption_rows.h"
#include "data/importers/import_writer.h"

namespace hinny {

// "1000268201_693b08cb0e.jpg#0<TAB>A child": what is before the '#' and after the blank.
struct ListedLine {
  std::string_view picture, text;
};
std::optional<ListedLine> listed_line(std::string_view line, std::string_view blanks);

// `source`, or of a folder the file `name` in it. InputError where the folder has none.
std::filesystem::path listed_file(const std::filesystem::path& source, const char* name);

struct ListedLayout {
  std::string_view blanks;           // one of them ends "picture#number"
  std::array<const char*, 3> lists;  // how those of train, val and test end
  const char* example;               // of a line
};

// Fills `row` from a line: picture and id as the collection means them.
using RowOfLine = CaptionRow (*)(const ListedLine&);

// Reads `file` and the lists in its folder. What is in no list is left out and counted, unless
// there is none or options.shares divides the rest. InputErrors name file and line: a line of
// another form, a list that names a picture twice, or one that another list has.
void import_listed_captions(const std::filesystem::path& file, const ListedLayout& layout,
                            RowOfLine row_of, const RowOptions& options, ImportWriter& writer);

}  // namespace hinny
