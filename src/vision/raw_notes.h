// What cameras write into raw pictures that are no TIFF files. Internal to this level.
#pragma once

#include "vision/note_bytes.h"
#include "vision/picture_notes.h"

namespace hinny {

// Where the JPEG of a RAF file lies, whose notes are the camera's; 0: nowhere.
std::uint64_t raf_preview(const NoteBytes& file);

// Adds what a CR3 file says.
void read_cr3_notes(const NoteBytes& file, PictureNotes& notes);

}  // namespace hinny
