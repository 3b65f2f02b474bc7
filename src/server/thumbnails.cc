#include "server/thumbnails.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/content_hash.h"
#include "vision/picture.h"
#include "vision/thumbnail.h"

namespace hinny {

std::string Thumbnails::tag(const std::filesystem::path& file, int longest_side) {
  struct stat status {};
  ::stat(file.c_str(), &status);
  const std::string about =
      fmt::format("{} {} {} {} {}", file.string(), status.st_size, status.st_mtim.tv_sec,
                  status.st_mtim.tv_nsec, longest_side);
  return content_hash(std::string_view(about));
}

std::shared_ptr<const std::string> Thumbnails::get(const std::filesystem::path& file,
                                                   int longest_side) {
  const std::string name = tag(file, longest_side);
  {
    const std::lock_guard guard(lock_);
    if (const auto found = places_.find(name); found != places_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return found->second->second;
    }
  }
  // Two threads may make the same one; that costs less than a lock while decoding.
  std::shared_ptr<const std::string> bytes;
  use_picture(file, {.longer = longest_side}, [&](const Picture& picture) {
    bytes = std::make_shared<const std::string>(thumbnail_jpeg(picture, longest_side));
  });
  keep(name, bytes);
  return bytes;
}

void Thumbnails::keep(const std::string& tag, const std::shared_ptr<const std::string>& bytes) {
  const std::lock_guard guard(lock_);
  if (places_.contains(tag) || bytes->size() > most_bytes_) return;
  entries_.emplace_front(tag, bytes);
  places_[tag] = entries_.begin();
  bytes_ += bytes->size();
  while (bytes_ > most_bytes_) {
    bytes_ -= entries_.back().second->size();
    places_.erase(entries_.back().first);
    entries_.pop_back();
  }
}

}  // namespace hinny
