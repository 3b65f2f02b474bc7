// Stands between a program and the C library (LD_PRELOAD) and lets time pass while it waits.
//
//   HINNY_IDLE   file of two 64-bit numbers, which whoever tests may change at any time:
//                [0] seconds that a wait for files or connections counts in which nothing happened
//                    for a thousandth; 0: time goes as it does
//                [1] nanoseconds that its clocks are ahead
//
// Only waits for what may happen at any time are meant, those of inotify and of epoll: decoders and
// other programs that it waits for take as long as they take.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr long kSecond = 1'000'000'000;

struct Idle {
  std::atomic<long> seconds, ahead;
};

Idle& idle() {
  static Idle* const shared = [] {
    const char* file = std::getenv("HINNY_IDLE");
    const int descriptor = file == nullptr ? -1 : ::open(file, O_RDWR | O_CLOEXEC);
    void* const at = descriptor < 0 ? MAP_FAILED
                                    : ::mmap(nullptr, sizeof(Idle), PROT_READ | PROT_WRITE,
                                             MAP_SHARED, descriptor, 0);
    if (descriptor >= 0) ::close(descriptor);
    return at == MAP_FAILED ? new Idle{} : static_cast<Idle*>(at);
  }();
  return *shared;
}

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool follows_files(int descriptor) {
  char link[64], path[64] = "";
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = ::readlink(link, path, sizeof path - 1);
  return size > 0 && std::strstr(path, "inotify") != nullptr;
}

// wait(milliseconds) -> how many happened. Like it with `whole`, or as if time had passed.
template <typename Wait>
int wait_idly(int whole, const Wait& wait) {
  const long seconds = idle().seconds;
  if (seconds == 0 || whole == 0 || whole == 1) return wait(whole);
  const int happened = wait(1);
  if (happened == 0) idle().ahead += seconds * kSecond;
  return happened;
}

timespec moved(const timespec& at, long nanoseconds) {
  const long all = at.tv_nsec + nanoseconds % kSecond;
  timespec then{at.tv_sec + nanoseconds / kSecond + all / kSecond, all % kSecond};
  if (then.tv_nsec < 0) {
    then.tv_nsec += kSecond;
    --then.tv_sec;
  }
  return then;
}

bool earlier(const timespec& a, const timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) {
  static auto* const ask = real<int(clockid_t, timespec*)>("clock_gettime");
  const int result = ask(clock, now);
  const bool of_a_processor = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
  if (result == 0 && !of_a_processor) *now = moved(*now, idle().ahead);
  return result;
}

time_t time(time_t* where) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (where != nullptr) *where = now.tv_sec;
  return now.tv_sec;
}

int poll(pollfd* files, nfds_t count, int milliseconds) {
  static auto* const ask = real<int(pollfd*, nfds_t, int)>("poll");
  if (count != 1 || !follows_files(files[0].fd)) return ask(files, count, milliseconds);
  return wait_idly(milliseconds, [&](int some) { return ask(files, count, some); });
}

int epoll_wait(int descriptor, epoll_event* events, int most, int milliseconds) {
  static auto* const ask = real<int(int, epoll_event*, int, int)>("epoll_wait");
  return wait_idly(milliseconds, [&](int some) { return ask(descriptor, events, most, some); });
}

// Until a moment of clocks that may go ahead meanwhile: in short waits.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* lock, clockid_t clock,
                           const timespec* until) {
  static auto* const ask = real<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
      "pthread_cond_clockwait");
  for (;;) {
    timespec now{};
    clock_gettime(clock, &now);
    if (!earlier(now, *until)) return ETIMEDOUT;
    const timespec soon = moved(now, kSecond / 100);
    const timespec next = moved(earlier(soon, *until) ? soon : *until, -idle().ahead);
    const int result = ask(condition, lock, clock, &next);
    if (result != ETIMEDOUT) return result;
  }
}

}  // extern "C"
