// Whatever a .npy file holds, it is read or refused with an InputError.
#include <vector>

#include "base/error.h"
#include "base/npy.h"
#include "fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const hinny::NpyArray array = hinny::NpyArray::open(hinny::input_file(data, size));
    std::vector<float> row(static_cast<std::size_t>(array.row_size()));
    if (array.rows() > 0) array.row(array.rows() - 1, row);
    array.first_bad_row();
  } catch (const hinny::InputError&) {
  }
  return 0;
}
