// Stands between a program and the C library (LD_PRELOAD) and lets memory run out.
//
//   HINNY_MEMORY        N:once, the N-th allocation from the beginning of main() fails; N:on, each
//                       one of kLarge bytes or more from the N-th on; N:asked, the N-th once a
//                       client has come
//   HINNY_MEMORY_COUNT  file to which the number of allocations goes at the end
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

constexpr size_t kLarge = 4096;  // what is smaller is found, as mostly is so

std::atomic<long> count = 0;
std::atomic<bool> begun = false;
long number = 0;
bool goes_on = false, when_asked = false;

// Of the program that is tested: those that it starts have their own beginning.
void begin() {
  const char* text = std::getenv("HINNY_MEMORY");
  if (text != nullptr) {
    number = std::atol(text);
    goes_on = std::strstr(text, ":on") != nullptr && std::strstr(text, ":once") == nullptr;
    when_asked = std::strstr(text, ":asked") != nullptr;
  }
  begun = !when_asked;
}

bool fails(size_t size) {
  if (!begun.load(std::memory_order_relaxed)) return false;
  const long now = ++count;
  const bool hit = goes_on ? now >= number && size >= kLarge : now == number;
  if (number == 0 || !hit) return false;
  errno = ENOMEM;
  return true;
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;
int counted_main(int argc, char** argv, char** environment) {
  begin();
  return real_main(argc, argv, environment);
}

struct AtEnd {
  ~AtEnd() {
    const char* file = std::getenv("HINNY_MEMORY_COUNT");
    if (file == nullptr) return;
    const int out = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dprintf(out, "%ld\n", count.load());
    ::close(out);
  }
} at_end;

}  // namespace

extern "C" {

int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  using Start = int(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  real_main = main;
  auto* const start = reinterpret_cast<Start*>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

int accept4(int listener, sockaddr* address, socklen_t* size, int flags) {
  using Accept = int(int, sockaddr*, socklen_t*, int);
  static auto* const accept = reinterpret_cast<Accept*>(::dlsym(RTLD_NEXT, "accept4"));
  const int client = accept(listener, address, size, flags);
  if (client >= 0 && when_asked) begun = true;
  return client;
}

void* malloc(size_t size) { return fails(size) ? nullptr : __libc_malloc(size); }
void* calloc(size_t many, size_t size) {
  return fails(many * size) ? nullptr : __libc_calloc(many, size);
}
void* realloc(void* block, size_t size) {
  return size > 0 && fails(size) ? nullptr : __libc_realloc(block, size);
}
void* memalign(size_t alignment, size_t size) {
  return fails(size) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void** block, size_t alignment, size_t size) {
  void* const made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *block = made;
  return 0;
}

}  // extern "C"
