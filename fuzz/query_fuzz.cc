// Whatever is asked, it is answered or refused with an InputError.
#include "base/error.h"
#include "fuzz/small_index.h"
#include "index/ask.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hinny::SmallIndex small;
  static const auto index = hinny::Index::open(small.folder());
  static hinny::TextEncoder encoder(index.model());
  // Two sentences, at the first line end.
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(all.find('\n'), all.size());
  hinny::Question question;
  question.parts.push_back({std::string(all.substr(0, end)), {}, {}, 1});
  if (end < all.size()) question.parts.push_back({std::string(all.substr(end + 1)), {}, {}, -0.5F});
  try {
    hinny::ask(index, encoder, question);
  } catch (const hinny::InputError&) {
  }
  return 0;
}
