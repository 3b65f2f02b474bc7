// A fuzzer without libFuzzer: the files named, or else some thousand inputs that are always the
// same. So every compiler builds the fuzzers, and `make test` runs them.
#include <cstdio>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

// Bytes of any value, or mostly of those that the formats are written with.
std::string some_input(int seed) {
  static const std::string signs = "{}[]\",:0123456789 \n\tabcdnotru-=&%/.\\";
  hinny::Random random(static_cast<std::uint64_t>(seed));
  std::string input(random.below(64), '\0');
  const bool text = random.below(2) == 0;
  for (char& byte : input) {
    byte = text && random.below(50) > 0 ? random.pick(signs) : static_cast<char>(random.below(256));
  }
  return input;
}

}  // namespace

int main(int count, char** arguments) {
  constexpr int kInputs = 1000;
  for (int i = 1; i < count; ++i) run(hinny::read_file(arguments[i]));
  if (count > 1) return 0;
  run("");
  for (int seed = 1; seed <= kInputs; ++seed) run(some_input(seed));
  std::printf("%d inputs\n", kInputs + 1);
}
