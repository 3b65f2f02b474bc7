// Stands between a program and the C library (LD_PRELOAD) and makes one file operation fail.
//
//   HINNY_FAULT_UNDER   folder whose files count; others are left alone
//   HINNY_FAULT         KIND:N:HOW, the N-th operation (from 1) of a kind in this process
//                       kinds: open read write sync rename exchange (two names, at once) map
//                       how: the name of an error (ENOSPC EIO EINTR EMFILE EINVAL), "short" (a
//                       read or write does half of what it is asked), or "power" (see below);
//                       end:1:power is when the process has ended well
//   HINNY_FAULT_COUNT   file to which "KIND COUNT" lines go at the end
//   HINNY_FAULT_LOG     folder for "power": in its file "undone" is what the disk would not have
//   HINNY_FAULT_CLOCK   so many seconds later it is than the machine says
//
// ENOSPC stays: a full disk is full for every later write. The others come once. "power": the
// process ends at this operation as if the machine had, and whoever started it takes back what was
// not synced (undone.h).
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "undone.h"

namespace {

enum Kind { kOpen, kRead, kWrite, kSync, kRename, kExchange, kMap, kKinds };
constexpr const char* kNames[kKinds] = {"open",   "read",     "write", "sync",
                                        "rename", "exchange", "map"};

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

struct Plan {
  std::string under;
  int kind = -1;
  long number = 0;
  int error = 0;
  bool is_short = false, stays = false, power = false;

  Plan() {
    const char* folder = std::getenv("HINNY_FAULT_UNDER");
    if (folder != nullptr) under = folder;
    const char* text = std::getenv("HINNY_FAULT");
    if (text == nullptr) return;
    char name[16] = "", how[16] = "";
    if (std::sscanf(text, "%15[a-z]:%ld:%15s", name, &number, how) != 3) return;
    for (int k = 0; k < kKinds; ++k) {
      if (std::strcmp(name, kNames[k]) == 0) kind = k;
    }
    const std::string wanted = how;
    is_short = wanted == "short";
    power = wanted == "power";
    stays = wanted == "ENOSPC";
    error = wanted == "ENOSPC"   ? ENOSPC
            : wanted == "EIO"    ? EIO
            : wanted == "EINTR"  ? EINTR
            : wanted == "EMFILE" ? EMFILE
            : wanted == "EINVAL" ? EINVAL
                                 : 0;
  }
};

Plan& plan() {
  static Plan one;
  return one;
}

std::atomic<long> counts[kKinds];
std::atomic<bool> full = false;

faults::Undone& undone() {
  static auto* one = new faults::Undone;  // until the very end of the process
  return *one;
}

std::string log_folder() {
  const char* folder = std::getenv("HINNY_FAULT_LOG");
  return folder == nullptr ? "" : folder;
}

int open_log(const std::string& file) {
  return real<int(const char*, int, ...)>("open")(file.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                                  0644);
}

void report_undone() {
  const int out = open_log(log_folder() + "/undone");
  undone().report(out);
  ::close(out);
}

struct AtEnd {
  ~AtEnd() {
    if (plan().power) report_undone();
    const char* file = std::getenv("HINNY_FAULT_COUNT");
    if (file == nullptr) return;
    const int out = open_log(file);
    for (int k = 0; k < kKinds; ++k) {
      ::dprintf(out, "%s %ld\n", kNames[k], counts[k].load());
    }
    ::close(out);
  }
} at_end;

bool is_under(const char* path) {
  const std::string& under = plan().under;
  if (under.empty() || path == nullptr) return false;
  if (path[0] == '/') return std::strncmp(path, under.c_str(), under.size()) == 0;
  char folder[4096];
  return ::getcwd(folder, sizeof folder) != nullptr &&
         std::strncmp(folder, under.c_str(), under.size()) == 0;
}

std::string path_of(int descriptor) {
  char link[64], path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = ::readlink(link, path, sizeof path);
  return size <= 0 ? "" : std::string(path, static_cast<std::size_t>(size));
}

bool is_under(int descriptor) {
  return !plan().under.empty() && descriptor > 2 && is_under(path_of(descriptor).c_str());
}

std::string whole_path(const char* path) {
  if (path[0] == '/') return path;
  char folder[4096];
  return ::getcwd(folder, sizeof folder) == nullptr ? path : std::string(folder) + "/" + path;
}

bool exists(const char* path) { return ::access(path, F_OK) == 0; }

enum Act { kGoOn, kFail, kHalf };

// Counts the operation; kFail: errno says why.
Act meet(Kind kind) {
  const long number = ++counts[kind];
  const Plan& p = plan();
  if (full && kind == kWrite) {
    errno = ENOSPC;
    return kFail;
  }
  if (p.kind != kind || number != p.number) return kGoOn;
  if (p.power) {
    report_undone();
    ::_exit(86);
  }
  if (p.is_short) return kHalf;
  if (p.stays) full = true;
  errno = p.error;
  return kFail;
}

template <typename Path>
bool fails_to_open(const Path& path) {
  return is_under(path) && meet(kOpen) == kFail;
}

int open_with(const char* name, const char* path, int flags, mode_t mode) {
  if (fails_to_open(path)) return -1;
  const bool makes = (flags & O_CREAT) != 0 && is_under(path) && !exists(path);
  const int descriptor = real<int(const char*, int, ...)>(name)(path, flags, mode);
  if (descriptor >= 0 && makes) undone().made(whole_path(path));
  if (descriptor >= 0 && (flags & O_TRUNC) != 0 && is_under(path)) {
    undone().written(whole_path(path));
  }
  return descriptor;
}

FILE* open_stream(const char* name, const char* path, const char* mode) {
  if (fails_to_open(path)) return nullptr;
  if (mode[0] != 'r' && is_under(path)) undone().written(whole_path(path));
  return real<FILE*(const char*, const char*)>(name)(path, mode);
}

// -1 and errno, or how much is to be done.
ssize_t allowed(Kind kind, int descriptor, std::size_t size) {
  if (!is_under(descriptor)) return static_cast<ssize_t>(size);
  const Act act = meet(kind);
  if (act == kFail) return -1;
  if (kind == kWrite) undone().written(path_of(descriptor));
  return static_cast<ssize_t>(act == kHalf && size > 1 ? size / 2 : size);
}

// A second name for the file that is about to lose its own, in the folder of the log.
std::string keep(const char* path) {
  static std::atomic<int> number = 0;
  if (!plan().power || !exists(path)) return "";
  const std::string kept = log_folder() + "/" + std::to_string(++number);
  return ::link(path, kept.c_str()) == 0 ? kept : "";
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open_with("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open_with("open64", path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) { return open_stream("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return open_stream("fopen64", path, mode); }

ssize_t read(int descriptor, void* bytes, size_t size) {
  const ssize_t some = allowed(kRead, descriptor, size);
  if (some < 0) return -1;
  return real<ssize_t(int, void*, size_t)>("read")(descriptor, bytes, static_cast<size_t>(some));
}

ssize_t pread64(int descriptor, void* bytes, size_t size, off64_t at) {
  const ssize_t some = allowed(kRead, descriptor, size);
  if (some < 0) return -1;
  return real<ssize_t(int, void*, size_t, off64_t)>("pread64")(descriptor, bytes,
                                                               static_cast<size_t>(some), at);
}
ssize_t pread(int descriptor, void* bytes, size_t size, off_t at) {
  return pread64(descriptor, bytes, size, at);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  const ssize_t some = allowed(kWrite, descriptor, size);
  if (some < 0) return -1;
  return real<ssize_t(int, const void*, size_t)>("write")(descriptor, bytes,
                                                          static_cast<size_t>(some));
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (allowed(kWrite, descriptor, 1) < 0) return -1;
  return real<ssize_t(int, const iovec*, int)>("writev")(descriptor, parts, count);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t at) {
  const ssize_t some = allowed(kWrite, descriptor, size);
  if (some < 0) return -1;
  return real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64")(
      descriptor, bytes, static_cast<size_t>(some), at);
}
ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
  return pwrite64(descriptor, bytes, size, at);
}

int fsync(int descriptor) {
  const bool counts = is_under(descriptor);
  if (counts && meet(kSync) == kFail) return -1;
  const int result = real<int(int)>("fsync")(descriptor);
  struct stat status {};
  if (counts && result == 0 && ::fstat(descriptor, &status) == 0) {
    undone().synced(path_of(descriptor), status.st_size);
  }
  return result;
}

int mkdir(const char* path, mode_t mode) {
  const int result = real<int(const char*, mode_t)>("mkdir")(path, mode);
  if (result == 0 && is_under(path)) undone().made(whole_path(path));
  return result;
}

int rename(const char* from, const char* to) {
  if (!is_under(to)) return real<int(const char*, const char*)>("rename")(from, to);
  if (meet(kRename) == kFail) return -1;
  const std::string kept = keep(to);
  const int result = real<int(const char*, const char*)>("rename")(from, to);
  if (result == 0) undone().renamed(whole_path(from), whole_path(to), kept, false);
  return result;
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned int flags) {
  const bool exchanges = (flags & RENAME_EXCHANGE) != 0;
  const bool counts = is_under(to);
  if (counts && meet(kRename) == kFail) return -1;
  if (counts && exchanges && meet(kExchange) == kFail) return -1;
  const int result = real<int(int, const char*, int, const char*, unsigned int)>("renameat2")(
      from_folder, from, to_folder, to, flags);
  if (result == 0 && counts) undone().renamed(whole_path(from), whole_path(to), "", exchanges);
  return result;
}

int clock_gettime(clockid_t clock, timespec* now) {
  static const char* const later = std::getenv("HINNY_FAULT_CLOCK");
  const int result = real<int(clockid_t, timespec*)>("clock_gettime")(clock, now);
  if (result == 0 && clock == CLOCK_REALTIME && later != nullptr) now->tv_sec += std::atol(later);
  return result;
}

void* mmap64(void* at, size_t size, int protection, int flags, int descriptor, off64_t offset) {
  if (descriptor >= 0 && is_under(descriptor) && meet(kMap) == kFail) return MAP_FAILED;
  return real<void*(void*, size_t, int, int, int, off64_t)>("mmap64")(at, size, protection, flags,
                                                                      descriptor, offset);
}
void* mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  return mmap64(at, size, protection, flags, descriptor, offset);
}

}  // extern "C"
