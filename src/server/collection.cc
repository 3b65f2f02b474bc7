#include "server/collection.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "base/error.h"
#include "server/http_error.h"

namespace hinny {

Collection::Collection(const std::filesystem::path& folder)
    : index_(Index::open(folder, Method::graph)) {
  const auto& images = index_.contents().images;
  positions_.reserve(images.size());
  for (std::size_t i = 0; i < images.size(); ++i) positions_.emplace(images[i], i);
}

std::optional<std::size_t> Collection::position(const std::string& id) const {
  const auto found = positions_.find(id);
  if (found == positions_.end()) return std::nullopt;
  return found->second;
}

std::vector<float> Collection::features(const Picture& picture) const {
  if (!reads_pictures()) throw HttpError(400, "this index cannot be asked with pictures");
  PictureFeatures* pictures = nullptr;
  {
    const std::lock_guard guard(lock_);
    if (pictures_ == nullptr) {
      try {
        pictures_ = std::make_unique<PictureFeatures>(index_.picture_encoders());
      } catch (const InputError& error) {  // the index's fault, not that of who asks
        throw Failure(error.what());
      }
    }
    pictures = pictures_.get();
  }
  return pictures->of(picture);
}

const KeptSentences& Collection::sentences() const {
  const std::lock_guard guard(lock_);
  if (sentences_ == nullptr) sentences_ = std::make_unique<KeptSentences>(index_);
  return *sentences_;
}

Collection::Encoder::Encoder(const Collection& owner) : owner_(owner) {
  {
    const std::lock_guard guard(owner.lock_);
    if (!owner.idle_.empty()) {
      encoder_ = std::move(owner.idle_.back());
      owner.idle_.pop_back();
    }
  }
  if (encoder_ == nullptr) encoder_ = std::make_unique<TextEncoder>(owner.index_.model());
}

Collection::Encoder::~Encoder() {
  const std::lock_guard guard(owner_.lock_);
  owner_.idle_.push_back(std::move(encoder_));
}

LiveCollection::LiveCollection(std::filesystem::path folder, Metrics& metrics,
                               std::chrono::milliseconds pause)
    : folder_(std::move(folder)), metrics_(metrics), seen_(stamp()) {
  current_ = std::make_shared<const Collection>(folder_);
  metrics_.images = static_cast<std::int64_t>(current_->index().size());
  watcher_ = std::jthread([this, pause] { watch(pause); });
}

LiveCollection::~LiveCollection() {
  {
    const std::lock_guard guard(lock_);
    stopping_ = true;
  }
  wake_.notify_all();
}

std::shared_ptr<const Collection> LiveCollection::current() const {
  const std::lock_guard guard(lock_);
  return current_;
}

LiveCollection::Stamp LiveCollection::stamp() const {
  struct stat status {};
  if (::stat((folder_ / "index.json").c_str(), &status) != 0) return {};
  return {static_cast<std::int64_t>(status.st_ino), status.st_size, status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec};
}

void LiveCollection::watch(std::chrono::milliseconds pause) {
  std::unique_lock guard(lock_);
  while (!wake_.wait_for(guard, pause, [this] { return stopping_; })) {
    guard.unlock();
    reload();
    guard.lock();
  }
}

void LiveCollection::reload() {
  Stamp now = stamp();
  if (now == seen_) return;
  seen_ = std::move(now);  // a broken index is tried once, until it changes again
  try {
    auto fresh = std::make_shared<const Collection>(folder_);
    metrics_.images = static_cast<std::int64_t>(fresh->index().size());
    ++metrics_.reloads;
    fmt::print(stderr, "reloaded {}: {} pictures\n", folder_.string(), fresh->index().size());
    const std::lock_guard guard(lock_);
    current_.swap(fresh);
  } catch (const std::exception& error) {
    ++metrics_.failed_reloads;
    fmt::print(stderr, "the index changed and cannot be opened; the old one stays: {}\n",
               error.what());
  }
}

}  // namespace hinny
