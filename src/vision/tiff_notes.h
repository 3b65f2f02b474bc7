// The directories of TIFF, which are also what EXIF is made of.
#pragma once

#include "vision/note_bytes.h"
#include "vision/picture_notes.h"

namespace hinny {

// Adds what a TIFF or BigTIFF file, or the part of another file that is one, says; or a raw picture
// of that form (ORF, RW2).
void read_tiff_notes(const NoteBytes& file, PictureNotes& notes);
// Likewise of one whose first directory is that of the place.
void read_tiff_place(const NoteBytes& file, PictureNotes& notes);

}  // namespace hinny
