// What files hold: what identifies it, and what it says of itself.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/progress.h"
#include "index/tree/picture_records.h"
#include "index/tree/picture_tree.h"
#include "vision/picture_reader.h"

namespace hinny {

// Whether the file still has this content: another one went, or is being written.
bool holds(const std::filesystem::path& file, const std::string& content);

// The same of a file of the tree, which was listed before its content was read, without reading it
// where nothing has touched it since.
bool still_holds(const PictureTree& tree, const std::filesystem::path& file,
                 const std::string& content);

// Fills in content and facts of `files` below `root`, the former where it is empty; `broken` says
// why where that cannot be done. Uses several threads; may be Interrupted.
void read_contents(const std::filesystem::path& root, std::span<PictureRecord* const> files,
                   const PictureReader& reader, Progress& progress);

// Whether another reader may find more: a date by EXIF, or with it a camera; the size; that it
// moves.
bool may_say_more(const PictureRecord& file);

}  // namespace hinny
