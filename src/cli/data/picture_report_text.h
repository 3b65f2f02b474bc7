// What indexing a folder of pictures did, in words and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "index/pictures/picture_report.h"

namespace hinny {

// "3 new, 1 moved": the counts that are not 0.
std::string changes_text(const PictureReport& report);
// "2 folders and 3 pictures by @eaDir, which programs make: photos/@eaDir, ..."
std::string ignored_text(const PictureTree::Ignored& ignored);
// "12 pictures and 30 frames of 2 films"
std::string images_text(const PictureReport& report);
std::string films_text(std::size_t films);  // "1 film"
// "12 films and 3 raw pictures", or "".
std::string not_read_text(const FilesNotRead& files);
nlohmann::ordered_json report_json(const PictureReport& report);

}  // namespace hinny
