// Whatever a model's config.json holds, it is read or refused with an InputError.
#include "base/error.h"
#include "fuzz/input_file.h"
#include "model/model_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    hinny::read_model_config(hinny::input_file(data, size));
  } catch (const hinny::InputError&) {
  }
  return 0;
}
