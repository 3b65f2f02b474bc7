#include "base/confine.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace hinny {
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

constexpr std::array kToAnswerAgain = {
    __NR_recvmsg,  __NR_sendto, __NR_recvfrom, __NR_pread64,
    __NR_pwrite64, __NR_close,  __NR_ppoll,    __NR_set_robust_list,
#if defined(__NR_poll)
    __NR_poll,
#endif
#if defined(__NR_rseq)
    __NR_rseq,
#endif
};

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
sock_filter jump(int how, unsigned value, std::size_t then, std::size_t otherwise) {
  return {static_cast<std::uint16_t>(BPF_JMP | BPF_K | how), static_cast<std::uint8_t>(then),
          static_cast<std::uint8_t>(otherwise), value};
}
sock_filter load(std::size_t place) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(place));
}
sock_filter leave(unsigned how) { return statement(BPF_RET | BPF_K, how); }

class CallFilter {
 public:
  CallFilter() {
    add({load(offsetof(seccomp_data, arch)), jump(BPF_JEQ, kMachine, 1, 0),
         leave(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr))});
  }
  void allow(int call) {
    add({jump(BPF_JEQ, static_cast<unsigned>(call), 0, 1), leave(SECCOMP_RET_ALLOW)});
  }
  // Of clone(2): a thread, but no process. What clone3 is asked for cannot be seen from here; where
  // it seems not to be there, the C library takes the other.
  void allow_threads() {
    add({jump(BPF_JEQ, __NR_clone, 0, 4), load(offsetof(seccomp_data, args[0])),
         jump(BPF_JSET, CLONE_THREAD, 0, 1), leave(SECCOMP_RET_ALLOW),
         leave(SECCOMP_RET_ERRNO | EPERM)});
#if defined(__NR_clone3)
    add({jump(BPF_JEQ, __NR_clone3, 0, 1), leave(SECCOMP_RET_ERRNO | ENOSYS)});
#endif
  }
  void install() {
    add({leave(SECCOMP_RET_ERRNO | EPERM)});
    const sock_fprog program{static_cast<std::uint16_t>(filter_.size()), filter_.data()};
    ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
  }

 private:
  void add(std::initializer_list<sock_filter> more) {
    filter_.insert(filter_.end(), more.begin(), more.end());
  }
  std::vector<sock_filter> filter_;
};

}  // namespace

void limit_process(const ProcessLimits& limits) {
  if (limits.ends_with_starter) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::syscall(__NR_close_range, 3U, ~0U, 0U);
  if (limits.seconds > 0) {
    const auto time = static_cast<rlim_t>(limits.seconds);
    limit(RLIMIT_CPU, time, time + 1);  // which ends it by SIGXCPU, not SIGKILL
  }
  if (!kSanitized) limit(RLIMIT_AS, limits.memory);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 16);
}

bool can_confine() {
  if (kMachine == 0 || kSanitized) return false;
  // Only who knows filters sees that this is none.
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr, 0, 0) != 0 && errno == EFAULT;
}

void confine_process(MayAlso also) {
  if (!can_confine() || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  CallFilter filter;
  for (const int call : kAllowed) filter.allow(call);
  if (also == MayAlso::answer_again) {
    for (const int call : kToAnswerAgain) filter.allow(call);
    filter.allow_threads();
  }
  filter.install();
}

}  // namespace hinny
