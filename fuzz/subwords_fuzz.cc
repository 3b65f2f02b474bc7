// Whatever a file of merges holds, it is read or refused with an InputError.
#include "base/error.h"
#include "fuzz/input_file.h"
#include "text/subwords.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    static_cast<void>(hinny::Subwords::read(hinny::input_file(data, size)).pieces("dogs"));
  } catch (const hinny::InputError&) {
  }
  return 0;
}
