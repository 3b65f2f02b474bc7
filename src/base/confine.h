// What keeps a program that reads strangers' bytes from doing more than it has to, whatever the
// bytes make of it.
#pragma once

#include <cstdint>

namespace hinny {

// Sanitizers take terabytes of addresses, and look at files and at their own process: under them
// there are neither a bound of memory nor the filter of system calls.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

struct ProcessLimits {
  std::uint64_t memory = 0;      // bytes; of addresses, as the kernel counts
  int seconds = 0;               // of a processor; 0: whoever started it sees to that
  std::uint64_t file_bytes = 0;  // that a file may grow to
  // It ends when the thread that started it ends; else it must see to that itself.
  bool ends_with_starter = true;
};

// Sets these bounds, and closes all descriptors but the first three.
void limit_process(const ProcessLimits& limits);

enum class MayAlso {
  nothing,
  // Threads of its own, messages by sockets that are open, files that come with these.
  answer_again,
};

// From here on only memory, what is open already and the end of the process can be asked of the
// kernel: no file, no socket, no other process. Anything else is refused (EPERM). Where the kernel
// knows no such filter, the limits above are all there is. Before a second thread is started.
void confine_process(MayAlso also = MayAlso::nothing);

// Whether the filter is known here: not to other kernels, nor to qemu-user.
bool can_confine();

}  // namespace hinny
