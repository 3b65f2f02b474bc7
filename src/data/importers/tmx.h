// TMX, the exchange format of translation memories: docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/importers/import_writer.h"

namespace hinny {

// Whether a text's first bytes are XML's, in UTF-8 or UTF-16.
bool is_xml(std::string_view start);

// Calls `use` for each <tu>, in file order, with the text of each of its <tuv> under the language
// code that it has in the file. Codes of formatting (<bpt>, <ph> and so on, with what is in them)
// are left out of texts, any run of white space is one space, and there is none around them. One
// <tu> is in memory at a time; the file is plain or gzip. InputErrors name its line: broken XML,
// broken UTF-8, a file that ends before </tmx>, one that is no TMX, a <tuv> without a language,
// entities that it declares or does not.
using UseUnit =
    std::function<void(const std::vector<ImportWriter::Text>& texts, const Place& place)>;
void for_each_unit(const std::filesystem::path& file, const UseUnit& use);

}  // namespace hinny
