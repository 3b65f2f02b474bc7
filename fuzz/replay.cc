// A fuzzer without libFuzzer: the files named, those in the folders named, or else some thousand
// inputs that are always the same. So every compiler builds the fuzzers, and `make test` runs them.
#include <cstdio>
#include <filesystem>
#include <string>

#include "base/random.h"
#include "base/read_file.h"

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

// -> how many inputs
int run_files(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    run(hinny::read_file(path));
    return 1;
  }
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    inputs += run_files(entry.path());
  }
  return inputs;
}

}  // namespace

int main(int count, char** arguments) {
  constexpr int kInputs = 1000;
  int files = 0;
  for (int i = 1; i < count; ++i) files += run_files(arguments[i]);
  if (count > 1) {
    std::printf("%d files\n", files);
    return files > 0 ? 0 : 1;
  }
  run("");
  for (int seed = 1; seed <= kInputs; ++seed) run(some_input(seed));
  std::printf("%d inputs\n", kInputs + 1);
}
