#include "film/confine.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <vector>

#include "film/film_stream.h"

namespace hinny::film {
namespace {

void limit(int what, rlim_t most, rlim_t at_last) {
  const rlimit both{most, at_last};
  ::setrlimit(static_cast<__rlimit_resource>(what), &both);
}
void limit(int what, rlim_t most) { limit(what, most, most); }

constexpr std::array kAllowed = {
    __NR_read,
    __NR_write,
    __NR_writev,
    __NR_lseek,
    __NR_fstat,
    __NR_brk,
    __NR_mmap,
    __NR_munmap,
    __NR_mremap,
    __NR_mprotect,
    __NR_madvise,
    __NR_futex,
    __NR_clock_gettime,
    __NR_gettimeofday,
    __NR_getrandom,
    __NR_sched_getaffinity,
    __NR_sched_yield,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_rt_sigaction,
    __NR_exit,
    __NR_exit_group,
    __NR_restart_syscall,
    __NR_getpid,
    __NR_gettid,
    __NR_tgkill};  // the last three: abort() ends the process by a signal

#if defined(__x86_64__)
constexpr unsigned kMachine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kMachine = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kMachine = 0;
#endif

sock_filter statement(int code, unsigned value) {
  return {static_cast<std::uint16_t>(code), 0, 0, value};
}
sock_filter jump_if_equal(unsigned value, std::size_t then, std::size_t otherwise) {
  return {BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint8_t>(then),
          static_cast<std::uint8_t>(otherwise), value};
}

}  // namespace

void limit_process(int seconds) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::syscall(__NR_close_range, 3U, ~0U, 0U);
  const auto time = static_cast<rlim_t>(seconds);
  limit(RLIMIT_CPU, time, time + 1);  // which ends it by SIGXCPU, not SIGKILL
  if (!kSanitized) limit(RLIMIT_AS, kMostMemory);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 16);
}

void confine_process() {
  if (kMachine == 0 || kSanitized || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  std::vector<sock_filter> filter = {
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      jump_if_equal(kMachine, 1, 0), statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (std::size_t i = 0; i < kAllowed.size(); ++i) {
    filter.push_back(jump_if_equal(static_cast<unsigned>(kAllowed[i]), kAllowed.size() - i, 0));
  }
  filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  filter.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<std::uint16_t>(filter.size()), filter.data()};
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

}  // namespace hinny::film
