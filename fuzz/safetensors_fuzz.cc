// Any bytes: the reader accepts them or throws InputError, and what it accepts can be read.
#include "base/error.h"
#include "base/safetensors.h"
#include "fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto file = hinny::SafetensorsFile::open(hinny::input_file(data, size));
    for (const auto& [name, view] : file.tensors()) {
      if (view.type < hinny::TensorType::int64) static_cast<void>(view.floats());
    }
  } catch (const hinny::InputError&) {
  }
  return 0;
}
