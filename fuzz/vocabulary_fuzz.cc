// Whatever vocabulary.tsv holds, it is read or refused with an InputError.
#include "base/error.h"
#include "fuzz/input_file.h"
#include "text/vocabulary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const auto& item : hinny::read_vocabularies(hinny::input_file(data, size))) {
      static_cast<void>(item.second.id("dog"));
    }
  } catch (const hinny::InputError&) {
  }
  return 0;
}
