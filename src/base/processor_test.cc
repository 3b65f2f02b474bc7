#include "base/processor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/every_processor.h"

namespace hinny {
namespace {

// ctest runs these with each kind named, too (CMakeLists.txt).
std::string named() {
  const char* given = std::getenv("HINNY_PROCESSOR");
  return given == nullptr ? "" : given;
}

TEST(Processor, IsTheBestOfThoseThatTheMachineIsOrTheNamedOne) {
  const std::vector<Processor> all = processors();
  ASSERT_EQ(all.front(), Processor::portable);
  EXPECT_TRUE(std::ranges::is_sorted(all));
  EXPECT_TRUE(std::ranges::count(all, this_processor()) == 1);
  if (named().empty()) {
    EXPECT_EQ(this_processor(), all.back());
  } else if (named() == "portable") {
    EXPECT_EQ(this_processor(), Processor::portable);
  } else {
    EXPECT_LE(this_processor(), choice_of<Processor>(named()));
  }
}

struct Width {
  template <int kBytes>
  [[gnu::always_inline]] static void run(std::size_t& bytes) {
    bytes = kBytes;
  }
};
[[gnu::always_inline]] inline float sum_of(const float* x, std::size_t count, const float* more) {
  float sum = more == nullptr ? 0 : *more;
  for (std::size_t i = 0; i < count; ++i) sum += x[i];
  return sum;
}

TEST(Processor, LoopsAreNoWiderThanTheNamedOnesRegisters) {
  const std::size_t most = named() == "portable" ? 16 : named().empty() ? 64 : 32;
  EXPECT_LE(register_bytes(), most);
  std::size_t bytes = 0;
  at_register_width<Width>(bytes);
  EXPECT_EQ(bytes, register_bytes());
  const float numbers[] = {1, 2, 4};
  EXPECT_EQ(on_this_processor<sum_of>(numbers, std::size_t{3}, nullptr), 7);
  EXPECT_EQ(on_this_processor<sum_of>(numbers, std::size_t{3}, numbers + 2), 11);
}

}  // namespace
}  // namespace hinny
