// token_ids FOLDER FAMILY [LANGUAGE] < TEXTS > IDS: what tests/pretrained/tokenizers compares. A
// JSON string a line in, a JSON list of ids a line out.
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/terminal_text.h"
#include "tests/scratch.h"
#include "tokenizer/import_tokenizer.h"
#include "tokenizer/subword_tokenizer.h"

int main(int count, char** arguments) {
  if (count < 3) return 2;
  try {
    const hinny::Scratch folder;
    hinny::TokenizerChoices choices;
    if (count > 3) choices.language = arguments[3];
    const auto out = folder / "tokenizer.safetensors";
    const auto imported = hinny::import_tokenizer(arguments[1], arguments[2], choices, out);
    for (const std::string& line : imported.chosen) hinny::print_line(stderr, "{}\n", line);
    const auto tokenizer = hinny::SubwordTokenizer::open(out);
    constexpr std::size_t kMost = std::size_t{1} << 30U;
    for (std::string line; std::getline(std::cin, line);) {
      const auto text = nlohmann::json::parse(line).get<std::string>();
      std::cout << nlohmann::json(tokenizer.ids(text, kMost)).dump() << '\n';
    }
  } catch (const std::exception& error) {
    hinny::print_line(stderr, "{}\n", error.what());
    return 1;
  }
}
