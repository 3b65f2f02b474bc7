// Whatever bundle.json holds, it is read or refused with an InputError.
#include "base/error.h"
#include "fuzz/input_file.h"
#include "index/bundle/bundle_record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    hinny::read_bundle_record(hinny::input_file(data, size));
  } catch (const hinny::InputError&) {
  }
  return 0;
}
