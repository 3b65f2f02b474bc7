#include "data/importers/delimited.h"

#include <fmt/format.h>

#include "base/error.h"
#include "data/importers/names.h"

namespace hinny {

void DelimitedRows::end_field() {
  fields_.push_back(std::move(field_));
  field_.clear();
  state_ = State::start;
}

void DelimitedRows::take(char letter) {
  if (state_ == State::quoted) {
    if (letter == '"') {
      state_ = State::after_quote;
    } else {
      field_ += letter;
    }
  } else if (letter == separator_) {
    end_field();
  } else if (state_ == State::start && letter == '"' && separator_ != '|') {
    state_ = State::quoted;
  } else if (state_ == State::after_quote && letter == '"') {
    field_ += '"';
    state_ = State::quoted;
  } else if (state_ == State::after_quote && separator_ == '\t') {
    field_ = '"' + field_ + '"' + letter;
    state_ = State::plain;
  } else if (state_ == State::after_quote) {
    if (letter == ' ') return;
    throw InputError(file_, begin_, "text after a closing quote",
                     "quotes inside of a quoted field doubled");
  } else {
    field_ += letter;
    state_ = State::plain;
  }
}

void DelimitedRows::add(std::string_view line, std::size_t number) {
  if (state_ != State::quoted) {
    if (trimmed(line).empty()) return;
    begin_ = number;
    size_ = 0;
  }
  size_ += line.size() + 1;
  if (size_ > kLongestRow) {
    throw InputError(file_, begin_,
                     state_ == State::quoted ? "a quote that does not end" : "a row too long",
                     "rows of at most 1 MiB");
  }
  for (const char letter : line) take(letter);
  if (state_ == State::quoted) {
    field_ += '\n';
    return;
  }
  end_field();
  use_(fields_, {file_, begin_});
  fields_.clear();
}

void DelimitedRows::finish() {
  if (state_ == State::quoted) {
    throw InputError(file_, begin_, "a quote that does not end", "a closing quote");
  }
}

std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> found;
  DelimitedRows rows("", separator, [&](auto& fields, const Place&) { found = fields; });
  try {
    rows.add(line, 1);
  } catch (const InputError&) {
    return {};
  }
  return found;
}

}  // namespace hinny
