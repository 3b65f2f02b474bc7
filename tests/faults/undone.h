// What a machine that loses power now would not have on its disk: bytes that were written and not
// synced (of a file that grows, those behind its size when it was synced), and names that were made
// or changed in a folder that was not synced since.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace faults {

class Undone {
 public:
  void written(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    dirty_.insert(path);
  }
  void made(const std::string& path) {
    const std::scoped_lock lock(mutex_);
    made_.insert(path);
  }
  void synced(const std::string& path, std::int64_t size) {
    const std::scoped_lock lock(mutex_);
    dirty_.erase(path);
    sizes_[path] = size;
    std::erase_if(made_, [&](const std::string& name) { return folder_of(name) == path; });
    std::erase_if(renames_, [&](const Rename& one) { return folder_of(one.to) == path; });
  }
  // After the fact; `kept`: a second name of the file that had the name before, or nothing.
  void renamed(const std::string& from, const std::string& to, const std::string& kept,
               bool exchanged) {
    const std::scoped_lock lock(mutex_);
    std::set<std::string> dirty, made;
    for (const std::string& path : dirty_) dirty.insert(moved(path, from, to, exchanged));
    for (const std::string& path : made_) made.insert(moved(path, from, to, exchanged));
    std::map<std::string, std::int64_t> sizes;
    for (const auto& [path, size] : sizes_) {
      if (exchanged || !below(path, to)) sizes[moved(path, from, to, exchanged)] = size;
    }
    dirty_ = dirty;
    made_ = made;
    sizes_ = sizes;
    if (!exchanged) made_.erase(to);  // the rename's own entry stands for it
    renames_.push_back({from, to, kept, exchanged});
  }

  // One line each: what to take back, the last first.
  void report(int out) const {
    for (auto one = renames_.rbegin(); one != renames_.rend(); ++one) {
      ::dprintf(out, "%s\t%s\t%s\t%s\n", one->exchanged ? "exchange" : "rename", one->from.c_str(),
                one->to.c_str(), one->kept.c_str());
    }
    for (const std::string& path : dirty_) {
      const auto known = sizes_.find(path);
      const long size = known == sizes_.end() ? 0 : static_cast<long>(known->second);
      ::dprintf(out, "dirty\t%s\t%ld\n", path.c_str(), size);
    }
    for (const std::string& path : made_) ::dprintf(out, "made\t%s\n", path.c_str());
  }

 private:
  struct Rename {
    std::string from, to, kept;
    bool exchanged;
  };
  static std::string folder_of(const std::string& path) {
    return path.substr(0, path.find_last_of('/'));
  }
  static bool below(const std::string& path, const std::string& folder) {
    return path == folder || path.compare(0, folder.size() + 1, folder + "/") == 0;
  }
  static std::string moved(const std::string& path, const std::string& from, const std::string& to,
                           bool exchanged) {
    if (below(path, from)) return to + path.substr(from.size());
    if (exchanged && below(path, to)) return from + path.substr(to.size());
    return path;
  }

  std::mutex mutex_;
  std::set<std::string> dirty_, made_;
  std::vector<Rename> renames_;
  std::map<std::string, std::int64_t> sizes_;  // of what was synced
};

}  // namespace faults
