// Any bytes: the reader accepts them or throws InputError, and what it accepts can be read.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "base/files.h"
#include "base/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto path = std::filesystem::temp_directory_path() /
                           ("hinny-fuzz-" + std::to_string(::getpid()) + ".safetensors");
  hinny::write_file(path, {reinterpret_cast<const char*>(data), size});
  try {
    const auto file = hinny::SafetensorsFile::open(path);
    for (const auto& [name, view] : file.tensors()) {
      if (view.type < hinny::TensorType::int64) (void)view.floats();
    }
  } catch (const hinny::InputError&) {
  }
  return 0;
}
