// Ways to break a file, and what a reader must make of it.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace hinny {

// A name for the damage, and the file after it. Made one at a time: a file has many thousands.
using EachDamage = std::function<void(const std::string& name, const std::string& bytes)>;

struct DamageOptions {
  std::size_t header = 512;       // bytes of which every bit is flipped in turn
  std::size_t body_bits = 10000;  // flipped at random places behind them
  std::size_t every = 1;          // only each so-manieth damage, for a short run
};

// Cut at every byte; every bit of the header flipped, and some of the body; 40 made-up files.
void for_each_damage(const std::string& whole, const DamageOptions& options, const EachDamage& use);

// While one exists, the process has this much more memory than it had, until it is lifted.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::size_t more);
  ~MemoryLimit() { lift(); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  void lift();

 private:
  rlimit before_{};
};

// Empty when `read` ends well or throws an InputError with a sentence in it, and until it lifts the
// limit takes no more memory than `bytes` x 1.1 + 32 MB; else what happened.
std::string reads_or_refuses(std::size_t bytes, const std::function<void(MemoryLimit&)>& read);

}  // namespace hinny
