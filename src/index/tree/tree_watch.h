// Tells when something changes in a folder of pictures.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace hinny {

// Follows folders by inotify, and says where that does not do. Whoever uses it walks the whole tree
// after each change; the walk says which folders there are:
//
//   do {
//     watch.start_walk();
//     find_pictures(root, [&](const auto& folder) { watch.add(folder); });
//     watch.end_walk();
//   } while (watch.wait());
//
// A folder is followed before it is read, so that no change falls in between. For one thread.
class TreeWatch {
 public:
  struct Options {
    std::chrono::milliseconds quiet{1500};       // without a change, before wait() returns
    std::chrono::milliseconds patience{30'000};  // but no later than this after the first one
    std::chrono::milliseconds blind{60'000};  // where changes may go unseen: wait() returns anyway
    std::size_t most_folders =
        std::numeric_limits<std::size_t>::max();  // tests: the system's limit
  };
  TreeWatch() : TreeWatch(Options()) {}
  explicit TreeWatch(const Options& options);
  ~TreeWatch();
  TreeWatch(const TreeWatch&) = delete;
  TreeWatch& operator=(const TreeWatch&) = delete;

  void start_walk();
  void add(const std::filesystem::path& folder);
  // Of a whole walk: what it did not come to is followed no more.
  void end_walk();
  // Why changes may go unseen, after the last walk; empty when none does.
  const std::string& problem() const { return problem_; }
  // Until pictures or folders changed and nothing more happens for a while; at most `blind` where
  // there is a problem, or the caller has one (`again`). False after Ctrl-C.
  bool wait(bool again = false);

 private:
  enum class Happened { nothing, goes_on, changed };
  Happened read_events();
  Happened judge(int watch, std::uint32_t mask, const std::string& name);

  Options options_;
  int descriptor_ = -1;
  std::map<int, std::filesystem::path> folders_;  // by watch
  std::set<int> met_;                             // in this walk
  std::string found_;                             // the problem of this walk
  std::string problem_;
};

}  // namespace hinny
