// A collection that follows its folder.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "index/asking/collection.h"
#include "server/metrics.h"

namespace hinny {

// A collection for a server: with graphs, translators and pictures.
CollectionOptions served_collection();

// Reloads the collection once in `pause`, from construction on, in a thread of its own. An index
// that cannot be opened is logged, and the old one stays.
class CollectionWatch {
 public:
  // All must outlive it. `folder` is for the log.
  CollectionWatch(Collection& collection, std::filesystem::path folder, Metrics::Index& figures,
                  std::chrono::milliseconds pause = std::chrono::seconds(1));
  ~CollectionWatch();
  CollectionWatch(const CollectionWatch&) = delete;
  CollectionWatch& operator=(const CollectionWatch&) = delete;

 private:
  void watch(std::chrono::milliseconds pause);
  void reload();
  Collection& collection_;
  std::filesystem::path folder_;
  Metrics::Index& figures_;
  std::mutex lock_;  // of stopping_
  std::condition_variable wake_;
  bool stopping_ = false;
  std::jthread watcher_;  // last: it ends before what it uses
};

}  // namespace hinny
