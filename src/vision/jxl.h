// JPEG XL files, by libjxl. Safe to call from several threads.
#pragma once

#include <cstddef>
#include <span>

#include "vision/note_bytes.h"
#include "vision/picture_notes.h"

namespace hinny {

// By how the file begins: a bare stream, or boxes with one.
bool is_jxl(std::span<const std::byte> head);

// Adds the EXIF and XMP of a file of boxes, compressed (brob) or not.
void read_jxl_notes(const NoteBytes& file, PictureNotes& notes);

}  // namespace hinny
