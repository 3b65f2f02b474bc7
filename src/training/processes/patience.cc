#include "training/processes/patience.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <future>
#include <thread>

#include "base/interrupt.h"
#include "base/terminal_text.h"

namespace hinny {
namespace {

constexpr auto kFirst = std::chrono::seconds(2);
constexpr auto kSecond = std::chrono::seconds(15);
constexpr auto kThen = std::chrono::seconds(30);
constexpr auto kGrace = std::chrono::seconds(10);  // for the work to say by itself what was wrong
constexpr int kInterrupted = 130;

[[noreturn]] void end(int code) {
  std::fflush(stderr);
  ::_exit(code);
}

long long whole(std::chrono::steady_clock::duration time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

}  // namespace

void WaitedFor::set(std::string what) {
  const std::lock_guard guard(lock_);
  what_ = std::move(what);
}

std::string WaitedFor::text() const {
  const std::lock_guard guard(lock_);
  return what_;
}

WaitNotes::WaitNotes(std::string who, std::chrono::seconds first, std::chrono::seconds limit)
    : who_(std::move(who)), next_(first), limit_(limit) {}

void WaitNotes::look(const std::string& what) {
  if (waited() < next_) return;
  print_line(stderr, "{}: waiting for {}: {} s so far{}; Ctrl-C ends it\n", who_, what,
             whole(waited()),
             limit_.count() > 0 ? fmt::format(", {} at most", limit_.count()) : std::string());
  next_ = next_ < kSecond ? kSecond : (next_ < kThen ? kThen : next_ + kThen);
}

void end_interrupted(const std::string& who, const std::string& what) {
  print_line(stderr, "{}: interrupted while waiting for {}\n", who, what);
  end(kInterrupted);
}

void work_patiently(const std::string& who, std::chrono::seconds limit,
                    const std::function<void(WaitedFor&)>& work) {
  WaitedFor waited_for;
  std::packaged_task<void()> task([&] { work(waited_for); });
  std::future<void> done = task.get_future();
  std::thread thread(std::move(task));
  WaitNotes notes(who, kFirst, limit);
  while (done.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (interrupted()) end_interrupted(who, waited_for.text());
    notes.look(waited_for.text());
    if (notes.waited() < limit + kGrace) continue;
    print_line(stderr, "error: {}: no word from {} within {} s\n", who, waited_for.text(),
               limit.count());
    end(1);
  }
  thread.join();
  done.get();
}

}  // namespace hinny
