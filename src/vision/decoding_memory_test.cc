#include "vision/decoding_memory.h"

#include <gtest/gtest.h>

#include <future>
#include <optional>

#include "vision/picture.h"

namespace hinny {
namespace {

struct Wait {
  explicit Wait(std::chrono::milliseconds most) { set_decoding_wait(most); }
  ~Wait() { set_decoding_wait(std::chrono::hours(24)); }
};

TEST(DecodingMemory, IsSharedUpToItsBound) {
  const Wait wait(std::chrono::milliseconds(30));
  const DecodingMemory half(kMostDecodingBytes / 2);
  {
    const DecodingMemory rest(kMostDecodingBytes / 2);
    EXPECT_THROW(DecodingMemory(1), DecodingBusy);
  }
  EXPECT_NO_THROW(DecodingMemory(1));
  EXPECT_THROW(DecodingMemory{kMostDecodingBytes}, DecodingBusy);
  EXPECT_NO_THROW(DecodingMemory(1));  // who gave up does not stand in the way
}

TEST(DecodingMemory, ComesWhenOthersGiveItBack) {
  std::optional<DecodingMemory> all(std::in_place, kMostDecodingBytes);
  auto waiting = std::async(std::launch::async, [] { const DecodingMemory mine(100); });
  EXPECT_EQ(waiting.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  all.reset();
  waiting.get();
}

}  // namespace
}  // namespace hinny
