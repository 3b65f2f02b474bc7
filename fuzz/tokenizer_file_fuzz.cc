// A tokenizer's file of any bytes is refused with an InputError, or gives ids that are its own.
// The input: a byte that says how many of the others are a text, the file, the text.
#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "fuzz/input_file.h"
#include "tokenizer/subword_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t text_size = std::min<std::size_t>(data[0], size - 1);
  const std::string text(reinterpret_cast<const char*>(data) + size - text_size, text_size);
  try {
    const auto tokenizer =
        hinny::SubwordTokenizer::open(hinny::input_file(data + 1, size - 1 - text_size));
    for (const std::int32_t id : tokenizer.ids(text, tokenizer.marks() + 1000)) {
      if (id < 0 || id >= tokenizer.size()) std::abort();
      static_cast<void>(tokenizer.piece(id));
    }
  } catch (const hinny::InputError&) {
  }
  return 0;
}
