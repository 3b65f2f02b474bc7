// Short words that are written onto the next or the previous one with an apostrophe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hinny {

// The rules of one language; most have none and keep every word whole.
//   fr, ca: a listed word before the apostrophe stands alone:  l'homme -> l' homme
//   it:     whatever stands before it does:                    dell'acqua -> dell' acqua
//   en:     's stands alone:                                   dog's -> dog 's   (don't stays)
class Clitics {
 public:
  explicit Clitics(std::string_view language);

  // Bytes of `word` that belong to its first part; word.size() when it is one word.
  std::size_t first_part(std::string_view word) const;
  // True when `word` loses its apostrophe to a segmenter if a space follows ("l' homme").
  bool leads(std::string_view word) const;

 private:
  std::vector<std::string_view> leading_;
  bool any_leading_ = false;
  bool english_ = false;
};

}  // namespace hinny
