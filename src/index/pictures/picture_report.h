// What making an index of a folder of pictures, or bringing it up to date, did.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "index/tree/picture_tree.h"

namespace hinny {

struct PictureReport {
  std::size_t added = 0;     // files that were not there, of new content
  std::size_t changed = 0;   // of other content than before
  std::size_t moved = 0;     // of a content that stood elsewhere, where it is no more
  std::size_t returned = 0;  // whose folder was away (away.h)
  std::size_t copies = 0;    // of a content that another file has as well
  std::size_t removed = 0;   // files that are gone
  std::size_t kept = 0;      // as they were
  std::size_t encoded = 0;   // pictures and frames that went through the networks, in this run
  std::size_t images = 0;    // of the index now
  std::size_t raw = 0;       // raw files beside the pictures that cameras made of them
  std::size_t films = 0;     // of the index now
  std::size_t frames = 0;    // of these films, among the images
  std::size_t away = 0;      // no images, but their vectors are kept: their folder is away
  std::vector<PictureTree::LeftOut> broken;      // files that hold no picture that can be read
  std::vector<PictureTree::LeftOut> incomplete;  // encoded now, though a part is missing: which
  std::vector<PictureTree::LeftOut> left_out;    // find_pictures
  std::vector<PictureTree::Ignored> ignored;
  FilesNotRead not_read;
  bool lacks_film_reader = false;  // which is why films were not read
  std::size_t named = 0;           // images of the index whose place has a name
  std::string towns_gone{};        // the list that named them, which is there no more
};

}  // namespace hinny
