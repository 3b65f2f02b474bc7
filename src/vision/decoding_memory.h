// How much memory all pictures that are being decoded take together.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/error.h"

namespace hinny {

// The others took too long to make room.
class DecodingBusy : public Failure {
 public:
  using Failure::Failure;
};

// A share of kMostDecodingBytes, given back when it is destroyed. Whoever came first gets it first.
// A thread must not ask for a second one while it holds one. Throws DecodingBusy.
class DecodingMemory {
 public:
  explicit DecodingMemory(std::uint64_t bytes);
  ~DecodingMemory();
  DecodingMemory(const DecodingMemory&) = delete;
  DecodingMemory& operator=(const DecodingMemory&) = delete;

 private:
  std::uint64_t bytes_;
};

// For how long DecodingMemory waits in this process; until then, as long as it takes.
void set_decoding_wait(std::chrono::milliseconds most);

}  // namespace hinny
