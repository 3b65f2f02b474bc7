#include "text/snowball.h"

#include <libstemmer.h>

#include <new>

#include "text/language_code.h"

namespace hinny {

void Snowball::Free::operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }

Snowball::Snowball(const std::string& language) : code_(base_language(language)) {
  stemmer_.reset(sb_stemmer_new(code_.c_str(), "UTF_8"));
}

std::string Snowball::stem(const std::string& word) const {
  if (!stemmer_) return word;
  const sb_symbol* stem =
      sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
}

}  // namespace hinny
