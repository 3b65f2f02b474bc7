#include "vision/decoding_memory.h"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>

#include "vision/picture.h"

namespace hinny {
namespace {

struct Shared {
  std::mutex lock;
  std::condition_variable changed;
  std::uint64_t used = 0;
  std::list<std::uint64_t> queue;  // what they wait for, the first in front
  std::chrono::milliseconds wait = std::chrono::hours(24 * 365);
};

Shared& shared() {
  static Shared all;
  return all;
}

}  // namespace

DecodingMemory::DecodingMemory(std::uint64_t bytes) : bytes_(std::min(bytes, kMostDecodingBytes)) {
  Shared& all = shared();
  std::unique_lock guard(all.lock);
  const auto mine = all.queue.insert(all.queue.end(), bytes_);
  const bool got = all.changed.wait_for(guard, all.wait, [&] {
    return mine == all.queue.begin() && all.used + bytes_ <= kMostDecodingBytes;
  });
  all.queue.erase(mine);
  if (got) all.used += bytes_;
  all.changed.notify_all();
  if (!got) throw DecodingBusy("too many pictures are being decoded");
}

DecodingMemory::~DecodingMemory() {
  Shared& all = shared();
  const std::lock_guard guard(all.lock);
  all.used -= bytes_;
  all.changed.notify_all();
}

void set_decoding_wait(std::chrono::milliseconds most) {
  const std::lock_guard guard(shared().lock);
  shared().wait = most;
}

}  // namespace hinny
