#include "server/collection_watch.h"

#include <fmt/format.h>

#include <utility>

#include "base/terminal_text.h"
#include "vision/picture_reader.h"

namespace hinny {

CollectionOptions served_collection() { return {true, open_picture_reader}; }

CollectionWatch::CollectionWatch(Collection& collection, std::filesystem::path folder,
                                 Metrics::Index& figures, std::chrono::milliseconds pause)
    : collection_(collection), folder_(std::move(folder)), figures_(figures) {
  figures_.images = static_cast<std::int64_t>(collection_.facts().images);
  watcher_ = std::jthread([this, pause] { watch(pause); });
}

CollectionWatch::~CollectionWatch() {
  {
    const std::lock_guard guard(lock_);
    stopping_ = true;
  }
  wake_.notify_all();
}

void CollectionWatch::watch(std::chrono::milliseconds pause) {
  std::unique_lock guard(lock_);
  while (!wake_.wait_for(guard, pause, [this] { return stopping_; })) {
    guard.unlock();
    reload();
    guard.lock();
  }
}

void CollectionWatch::reload() {
  try {
    if (!collection_.reload()) return;
    const std::size_t images = collection_.facts().images;
    figures_.images = static_cast<std::int64_t>(images);
    ++figures_.reloads;
    print_line(stderr, "reloaded {}: {} pictures\n", folder_.string(), images);
  } catch (const std::exception& error) {
    ++figures_.failed_reloads;
    print_line(stderr, "the index changed and cannot be opened; the old one stays: {}\n",
               error.what());
  }
}

}  // namespace hinny
