// COCO-CN, Chinese captions of COCO's pictures: docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <string_view>

#include "data/importers/caption_rows.h"
#include "data/importers/import_writer.h"

namespace hinny {

// True for "COCO_train2014_000000123456#0<TAB or space>text".
bool is_coco_cn_line(std::string_view line);

// `source` is a file of such lines, or the folder that holds `imageid.human-written-caption.txt`.
// A picture's split is that of the list coco-cn_{train,val,test}.txt beside it that names it.
// Captions are human-written unless the file's name says that they were translated, and by whom.
void import_coco_cn(const std::filesystem::path& source, const RowOptions& options,
                    ImportWriter& writer);

}  // namespace hinny
