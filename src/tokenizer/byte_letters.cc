#include "tokenizer/byte_letters.h"

#include <array>

#include "tokenizer/letters.h"

namespace hinny {
namespace {

// Latin-1 letters that can be seen stand for themselves, the others for U+0100 and after.
std::array<std::string, 256> make_alphabet() {
  std::array<std::string, 256> alphabet;
  UChar32 next = 0x100;
  for (UChar32 byte = 0; byte < 256; ++byte) {
    const bool seen = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) ||
                      (byte >= 0xAE && byte <= 0xFF);
    append_letter(seen ? byte : next++, alphabet[static_cast<std::size_t>(byte)]);
  }
  return alphabet;
}

}  // namespace

std::string byte_letters(std::string_view bytes) {
  static const std::array<std::string, 256> alphabet = make_alphabet();
  std::string result;
  result.reserve(2 * bytes.size());
  for (const char byte : bytes) result += alphabet[static_cast<unsigned char>(byte)];
  return result;
}

}  // namespace hinny
