#include "server/thumbnails.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/content_hash.h"
#include "vision/frames.h"
#include "vision/picture.h"
#include "vision/thumbnail.h"

namespace hinny {
namespace {

constexpr int kLargestFrame = 4096;  // 28 MB of a film's usual shape

}  // namespace

std::string Thumbnails::tag(const Of& picture, int longest_side) {
  const auto& [file, moment] = picture;
  struct stat status {};
  ::stat(file.c_str(), &status);
  const std::string about =
      fmt::format("{} {} {} {} {} {}", file.string(), status.st_size, status.st_mtim.tv_sec,
                  status.st_mtim.tv_nsec, longest_side, moment.value_or(-1));
  return content_hash(std::string_view(about));
}

std::shared_ptr<const std::string> Thumbnails::get(const Of& picture, int longest_side) {
  const std::string name = tag(picture, longest_side);
  {
    const std::lock_guard guard(lock_);
    if (const auto found = places_.find(name); found != places_.end()) {
      entries_.splice(entries_.begin(), entries_, found->second);
      return found->second->second;
    }
  }
  // Two threads may make the same one; that costs less than a lock while decoding.
  std::shared_ptr<const std::string> bytes;
  const auto use = [&](const Picture& decoded) {
    bytes = std::make_shared<const std::string>(thumbnail_jpeg(decoded, longest_side));
  };
  if (picture.moment) {
    use(read_frame(picture.file, *picture.moment, std::min(longest_side, kLargestFrame)));
  } else {
    use_picture(picture.file, {.longer = longest_side}, use);
  }
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
