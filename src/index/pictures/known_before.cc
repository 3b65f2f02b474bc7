#include "index/pictures/known_before.h"

#include "index/tree/file_kinds.h"

namespace hinny {

const PictureRecord* KnownBefore::unchanged(const PictureRecord& file) const {
  const PictureRecord* old = before_ != nullptr ? before_->record(file.file) : nullptr;
  const bool same = old != nullptr && old->size == file.size && old->modified == file.modified;
  return same ? old : nullptr;
}

const std::string* KnownBefore::why_broken(const std::string& content) const {
  return before_ != nullptr && !other_reader() ? before_->why_broken(content) : nullptr;
}

std::optional<IndexEntry::Kept> KnownBefore::kept(const std::string& content) const {
  // What was images by its frames has no vector of its own.
  if (before_ == nullptr || before_->frames(content) != nullptr) return std::nullopt;
  const auto image = before_->image(content);
  return image ? image : before_->away_picture(content);
}

const std::vector<std::int64_t>* KnownBefore::frames(const std::string& content) const {
  return before_ != nullptr && !other_frames() ? before_->frames(content) : nullptr;
}

bool KnownBefore::by_frames(const PictureRecord& file) const {
  return is_film(file.file) || (file.facts.moves && film_frames_ > 0);
}

bool KnownBefore::knows(const PictureRecord& file) const {
  if (why_broken(file.content) != nullptr) return true;
  return by_frames(file) ? frames(file.content) != nullptr : kept(file.content).has_value();
}

}  // namespace hinny
