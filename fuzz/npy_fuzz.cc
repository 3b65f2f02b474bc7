// Feeds arbitrary bytes to the npy reader: whatever the file holds, it is read or refused with an
// InputError. To run it (clang with its fuzzer runtime: Debian's clang and libclang-rt-14-dev):
//   CXX=clang++ cmake -S . -B build/fuzz -G Ninja -DHINNY_FUZZ=ON -DHINNY_LEARN=OFF
//   -DHINNY_TESTS=OFF ninja -C build/fuzz npy_fuzz mkdir -p build/fuzz/npy && build/fuzz/npy_fuzz
//   build/fuzz/npy -max_total_time=60 -max_len=4096
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int descriptor = memfd_create("input.npy", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  if (ftruncate(descriptor, 0) != 0 ||
      pwrite(descriptor, data, size, 0) != static_cast<ssize_t>(size)) {
    return 0;
  }
  try {
    const hinny::NpyArray array = hinny::NpyArray::open(path);
    std::vector<float> row(static_cast<std::size_t>(array.row_size()));
    if (array.rows() > 0) array.row(array.rows() - 1, row);
    array.first_bad_row();
  } catch (const hinny::InputError&) {
  }
  return 0;
}
