// XTD-10, a thousand of COCO's pictures with a caption in each of eleven languages:
// docs/formats/imports.md.
#pragma once

#include <filesystem>

#include "data/importers/import_writer.h"
#include "data/importers/picture_folder.h"

namespace hinny {

// `source` is a clone of the collection's repository, whose files are in XTD10/, MIC/ and STAIR/,
// or one folder of such files: test_image_names.txt, and test_1kcaptions_CODE.txt with a line for
// each picture. All images are in the split test. Files are read line by line. InputErrors name
// file and line: no list, a picture twice, a file that is longer or shorter, a language twice.
void import_xtd(const std::filesystem::path& source, const PictureFolder& pictures,
                ImportWriter& writer);

}  // namespace hinny
