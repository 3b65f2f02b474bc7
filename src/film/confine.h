// What keeps hinny-film from doing more than it has to, whatever a film's bytes make of it.
#pragma once

namespace hinny::film {

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

// Bounds of memory, processor time, files and their size. Closes all descriptors but the first
// three; ends this process when the one that started it ends.
void limit_process(int seconds);

// From here on only memory, what is open already and the end of the process can be asked of the
// kernel: no file, no socket, no other process. Anything else is refused (EPERM). Where the kernel
// knows no such filter, the limits above are all there is.
void confine_process();

}  // namespace hinny::film
