// A folder with one file, of the fuzzer's bytes, and what Hinny's tokenizer makes of it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "fuzz/input_file.h"
#include "tests/scratch.h"
#include "tokenizer/import_tokenizer.h"
#include "tokenizer/subword_tokenizer.h"

namespace hinny {

// Imports and opens it, as each of the families reads it, and asks it some texts: InputError alone
// may come.
inline void try_tokenizer_folder(const char* name, const std::uint8_t* data, std::size_t size) {
  static const Scratch folder;
  const std::filesystem::path file = folder / "in" / name;
  if (!std::filesystem::is_symlink(file)) {
    std::filesystem::create_directories(folder / "in");
    std::filesystem::create_symlink(input_file(data, size), file);
  }
  input_file(data, size);
  static constexpr const char* kFamilies[] = {"clip", "siglip", "siglip2", "xlm-roberta", ""};
  const char* family = kFamilies[size % std::size(kFamilies)];
  try {
    const auto imported = import_tokenizer(folder / "in", family, {}, folder / "out");
    const auto tokenizer = SubwordTokenizer::open(folder / "out");
    if (tokenizer.size() != imported.size) std::abort();
    for (const char* text : {"a dog", " A\u0301b!\t", "\u72d7\U0001F600", "<s> [CLS]"}) {
      for (const std::int32_t id : tokenizer.ids(text, tokenizer.marks() + 20)) {
        if (id < 0 || id >= tokenizer.size()) std::abort();
      }
    }
  } catch (const InputError&) {
  }
}

}  // namespace hinny
