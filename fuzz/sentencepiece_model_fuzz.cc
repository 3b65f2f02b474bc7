// Whatever a SentencePiece model holds, it is read or refused with an InputError.
#include "fuzz/tokenizer_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hinny::try_tokenizer_folder("tokenizer.model", data, size);
  return 0;
}
