// What the index as it stands knows of the files that are to be indexed now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/folder/index_entries.h"
#include "index/pictures/earlier_index.h"
#include "index/tree/picture_records.h"

namespace hinny {

class KnownBefore {
 public:
  // `before`: null where there is no index, of this model; it must outlive this. `reader`: the
  // version of what reads pictures now; `film_frames`: how many frames are asked for.
  KnownBefore(const EarlierIndex* before, std::string reader, int film_frames)
      : before_(before), reader_(std::move(reader)), film_frames_(film_frames) {}

  // Whether something else read the index's pictures, or other frames of them.
  bool other_reader() const { return before_ != nullptr && before_->records().reader != reader_; }
  bool other_frames() const {
    return before_ != nullptr && before_->records().film_frames != film_frames_;
  }

  // The record of the same file, of the same size and time; or null.
  const PictureRecord* unchanged(const PictureRecord& file) const;
  // Why a file of this content is no image, as far as that still holds; or null.
  const std::string* why_broken(const std::string& content) const;
  // Where a picture, or a frame, of this content has its vectors.
  std::optional<IndexEntry::Kept> kept(const std::string& content) const;
  // The frames of a file of this content, where the index has those that are asked for; or null.
  const std::vector<std::int64_t>* frames(const std::string& content) const;

  // Whether frames of it are images, not the file itself.
  bool by_frames(const PictureRecord& file) const;
  // Whether nothing of it is to be decoded.
  bool knows(const PictureRecord& file) const;

 private:
  const EarlierIndex* before_;
  std::string reader_;
  int film_frames_;
};

}  // namespace hinny
