#include "index/tree/tree_watch.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "base/interrupt.h"
#include "index/tree/picture_tree.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kOfFolders = IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE |
                                  IN_DELETE | IN_ATTRIB | IN_MODIFY | kOfFolders;

std::string system_limit() {
  std::string limit = "?";
  std::ifstream("/proc/sys/fs/inotify/max_user_watches") >> limit;
  return limit;
}

// Where other machines may write without this one being told: NFS, SMB, 9P, FUSE, Ceph, AFS.
bool is_remote(const fs::path& folder) {
  constexpr std::array<std::uint32_t, 8> kRemote = {0x6969U,     0x517BU,     0xFE534D42U,
                                                    0xFF534D42U, 0x01021997U, 0x65735546U,
                                                    0x00C36400U, 0x5346414FU};
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) != 0) return false;
  return std::ranges::count(kRemote, static_cast<std::uint32_t>(status.f_type)) > 0;
}

}  // namespace

TreeWatch::TreeWatch(const Options& options)
    : options_(options), descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  if (descriptor_ < 0) {
    found_ = fmt::format("this system follows no folder (inotify: {})", std::strerror(errno));
  }
}

TreeWatch::~TreeWatch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void TreeWatch::start_walk() {
  met_.clear();
  if (descriptor_ >= 0) found_.clear();
}

void TreeWatch::add(const fs::path& folder) {
  if (descriptor_ < 0) return;
  if (met_.empty() && is_remote(folder)) {
    found_ = "a network drive does not tell what other machines change on it";
  }
  errno = ENOSPC;
  const int watch = met_.size() < options_.most_folders
                        ? ::inotify_add_watch(descriptor_, folder.c_str(), kEvents | IN_ONLYDIR)
                        : -1;
  if (watch >= 0) {
    met_.insert(watch);
    folders_[watch] = folder;
  } else if (errno == ENOSPC || errno == ENOMEM) {
    found_ = fmt::format(
        "more folders than this system follows for a user (fs.inotify.max_user_watches is {})",
        system_limit());
  }  // else the folder is gone or closed, which the walk sees as well
}

void TreeWatch::end_walk() {
  for (auto folder = folders_.begin(); folder != folders_.end();) {
    if (met_.contains(folder->first)) {
      ++folder;
    } else {
      ::inotify_rm_watch(descriptor_, folder->first);
      folder = folders_.erase(folder);
    }
  }
  problem_ = found_;
}

bool TreeWatch::wait(bool again) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const bool blind = again || !problem_.empty();
  std::optional<Clock::time_point> first, last;  // change
  while (!interrupted()) {
    const Clock::time_point now = Clock::now();
    if (first && (now - *last >= options_.quiet || now - *first >= options_.patience)) return true;
    if (blind && now - start >= options_.blind) return true;
    pollfd ready{descriptor_, POLLIN, 0};
    const auto pause =
        first ? options_.quiet / 8 : std::min(options_.blind, std::chrono::milliseconds(500));
    ::poll(&ready, 1, static_cast<int>(pause.count()));  // a descriptor below 0 is left out
    const Happened happened = read_events();
    if (happened == Happened::changed && !first) first = Clock::now();
    if (happened != Happened::nothing && first) last = Clock::now();
  }
  return false;
}

TreeWatch::Happened TreeWatch::read_events() {
  alignas(inotify_event) std::array<char, 65536> bytes{};
  Happened all = Happened::nothing;
  for (;;) {
    const ssize_t size = descriptor_ < 0 ? -1 : ::read(descriptor_, bytes.data(), bytes.size());
    if (size <= 0) return all;
    for (const char* at = bytes.data(); at < bytes.data() + size;) {
      inotify_event event{};
      std::memcpy(&event, at, sizeof event);
      at += sizeof event;
      all = std::max(all, judge(event.wd, event.mask, event.len > 0 ? at : ""));
      at += event.len;
    }
  }
}

TreeWatch::Happened TreeWatch::judge(int watch, std::uint32_t mask, const std::string& name) {
  if ((mask & (IN_Q_OVERFLOW | IN_UNMOUNT | kOfFolders)) != 0) return Happened::changed;
  const auto folder = folders_.find(watch);
  if ((mask & IN_IGNORED) != 0) {
    if (folder != folders_.end()) folders_.erase(folder);
    return Happened::nothing;
  }
  if (folder == folders_.end()) return Happened::nothing;
  if (name.starts_with('.') && !says_what_to_ignore(name)) return Happened::nothing;
  if (name.empty() || (mask & IN_ISDIR) != 0) return Happened::changed;
  if ((mask & IN_MODIFY) != 0) return Happened::goes_on;
  if ((mask & IN_CREATE) !=
      0) {  // of a new file, what counts is that it is closed; links are whole
    struct stat status {};
    const bool there = ::lstat((folder->second / name).c_str(), &status) == 0;
    if (there && S_ISREG(status.st_mode) && status.st_nlink == 1) return Happened::goes_on;
    if (there && S_ISLNK(status.st_mode)) return Happened::changed;
  }
  // A name without an ending may have been a link to a folder.
  const bool counts =
      is_picture_name(name) || says_what_to_ignore(name) || !fs::path(name).has_extension();
  return counts ? Happened::changed : Happened::nothing;
}

}  // namespace hinny
