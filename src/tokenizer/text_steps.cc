#include "tokenizer/text_steps.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <map>
#include <memory>

#include "base/error.h"
#include "base/utf8.h"
#include "text/icu_status.h"
#include "text/utf16.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/html_entities.h"
#include "tokenizer/letters.h"
#include "tokenizer/pattern.h"
#include "tokenizer/sentencepiece_step.h"

namespace hinny {
namespace {

// Letters for which use(letter, result) appends what it likes.
template <typename Use>
void map_letters(std::string& text, const Use& use) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) use(next_letter(text, at), result);
  text = std::move(result);
}

template <typename Drops>
void drop_letters(std::string& text, const Drops& drops) {
  map_letters(text, [&](UChar32 letter, std::string& result) {
    if (!drops(letter)) append_letter(letter, result);
  });
}

using Instance = const icu::Normalizer2* (*)(UErrorCode&);

TextStep normal_form(Instance instance) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form = instance(status);
  if (icu_failed(status)) throw Failure("ICU has no data for normalisation");
  return [form](std::string& text) {
    UErrorCode failed = U_ZERO_ERROR;
    text = to_utf8(form->normalize(to_utf16(text), failed));
    if (icu_failed(failed)) throw Failure(fmt::format("ICU: {}", u_errorName(failed)));
  };
}

bool is_mark(UChar32 letter) {
  const int kind = u_charType(letter);
  return kind == U_NON_SPACING_MARK || kind == U_COMBINING_SPACING_MARK || kind == U_ENCLOSING_MARK;
}

struct BertStep {
  bool cleans, parts_chinese, strips_accents, lowers;
  TextStep decompose = normal_form(icu::Normalizer2::getNFDInstance);

  void operator()(std::string& text) const {
    map_letters(text, [&](UChar32 letter, std::string& result) {
      if (cleans && (letter == 0 || letter == 0xFFFD || is_dropped_control(letter))) return;
      if (cleans && is_space(letter)) letter = ' ';
      const bool parted = parts_chinese && is_chinese(letter);
      if (parted) result += ' ';
      append_letter(letter, result);
      if (parted) result += ' ';
    });
    if (strips_accents) {
      decompose(text);
      drop_letters(text, [](UChar32 letter) { return u_charType(letter) == U_NON_SPACING_MARK; });
    }
    if (lowers) text = lower_case(text);
  }
};

// What SentencePiece's rules "nmt" drop, and what they take for a space.
void nmt(std::string& text) {
  map_letters(text, [](UChar32 letter, std::string& result) {
    const bool dropped = (letter >= 1 && letter <= 8) || letter == 0x0B ||
                         (letter >= 0x0E && letter <= 0x1F) || letter == 0x7F || letter == 0x8F ||
                         letter == 0x9F;
    const bool space = letter == 0x09 || letter == 0x0A || letter == 0x0C || letter == 0x0D ||
                       letter == 0x1680 || (letter >= 0x200B && letter <= 0x200F) ||
                       letter == 0x2028 || letter == 0x2029 || letter == 0x2581 ||
                       letter == 0xFEFF || letter == 0xFFFD;
    if (!dropped) append_letter(space ? ' ' : letter, result);
  });
}

void join_spaces(std::string& text) {
  std::string result;
  bool between = false;
  for (std::size_t at = 0; at < text.size();) {
    const UChar32 letter = next_letter(text, at);
    if (is_space(letter)) {
      between = !result.empty();
      continue;
    }
    if (between) result += ' ';
    between = false;
    append_letter(letter, result);
  }
  text = std::move(result);
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, done)) {
    result.append(text, done, at - done);
    result += by;
    done = at + what.size();
  }
  result.append(text, done);
  text = std::move(result);
}

using Options = std::vector<std::string>;
struct TextStepKind {
  std::size_t options;
  TextStep (*make)(const Options& options, const TextStepContext& context);
};

TextStep make_sentencepiece(const Options& options, const TextStepContext& context) {
  const SentencePieceStep step{context.characters,  context.user_defined, options[0] == "yes",
                               options[1] == "yes", options[2] == "yes",  options[3] == "yes"};
  return [step](std::string& text) { text = step(text); };
}

TextStep make_pattern_replacement(const Options& options, const TextStepContext& context) {
  const auto pattern = std::make_shared<const Pattern>(options[0], context.file);
  return [pattern, by = options[1]](std::string& text) { text = pattern->replace(text, by); };
}

// clang-format off
const std::map<std::string, TextStepKind>& text_step_kinds() {
  using Context = TextStepContext;
  static const std::map<std::string, TextStepKind> kinds = {
      {"nfc", {0, [](const Options&, const Context&) { return normal_form(icu::Normalizer2::getNFCInstance); }}},
      {"nfd", {0, [](const Options&, const Context&) { return normal_form(icu::Normalizer2::getNFDInstance); }}},
      {"nfkc", {0, [](const Options&, const Context&) { return normal_form(icu::Normalizer2::getNFKCInstance); }}},
      {"nfkd", {0, [](const Options&, const Context&) { return normal_form(icu::Normalizer2::getNFKDInstance); }}},
      {"lower-case", {0, [](const Options&, const Context&) -> TextStep {
         return [](std::string& text) { text = lower_case(text); }; }}},
      {"drop-marks", {0, [](const Options&, const Context&) -> TextStep {
         return [](std::string& text) { drop_letters(text, is_mark); }; }}},
      {"drop-punctuation", {0, [](const Options&, const Context&) -> TextStep {
         return [](std::string& text) { drop_letters(text, is_ascii_sign); }; }}},
      {"join-spaces", {0, [](const Options&, const Context&) -> TextStep { return join_spaces; }}},
      {"entities", {0, [](const Options&, const Context&) -> TextStep {
         return [](std::string& text) { text = without_entities(text); }; }}},
      {"nmt", {0, [](const Options&, const Context&) -> TextStep { return nmt; }}},
      {"byte-letters", {0, [](const Options&, const Context&) -> TextStep {
         return [](std::string& text) { text = byte_letters(text); }; }}},
      {"precompiled", {0, [](const Options&, const Context& context) -> TextStep {
         return [map = context.characters](std::string& text) { text = map.by_graphemes(text); }; }}},
      {"prepend", {1, [](const Options& options, const Context&) -> TextStep {
         return [before = options[0]](std::string& text) { if (!text.empty()) text = before + text; }; }}},
      {"strip", {2, [](const Options& options, const Context&) -> TextStep {
         return [left = options[0] == "yes", right = options[1] == "yes"](std::string& text) {
           text = without_spaces_around(text, left, right); }; }}},
      {"replace", {2, [](const Options& options, const Context&) -> TextStep {
         return [what = options[0], by = options[1]](std::string& text) {
           if (!what.empty()) replace_all(text, what, by); }; }}},
      {"replace-pattern", {2, make_pattern_replacement}},
      {"bert", {4, [](const Options& options, const Context&) -> TextStep {
         return BertStep{options[0] == "yes", options[1] == "yes", options[2] == "yes", options[3] == "yes"}; }}},
      {"sentencepiece", {4, make_sentencepiece}},
  };
  return kinds;
}
// clang-format on

}  // namespace

TextStep make_text_step(const Step& step, const TextStepContext& context) {
  const auto kind = text_step_kinds().find(step.name);
  if (kind == text_step_kinds().end() || kind->second.options != step.options.size()) {
    throw InputError(context.file,
                     fmt::format("a step '{}' with {} options", step.name, step.options.size()),
                     "one that this version of Hinny knows");
  }
  const bool puts_in = step.name == "prepend" || step.name.starts_with("replace");
  for (const std::string& option : step.options) {
    const bool put_in = puts_in && &option == &step.options.back();
    const std::size_t longest = put_in ? kLongestInsertion : kLongestOption;
    if (!is_utf8(option) || option.size() > longest) {
      throw InputError(context.file, fmt::format("an option of {} bytes", option.size()),
                       fmt::format("UTF-8 of at most {}", longest));
    }
  }
  return kind->second.make(step.options, context);
}

}  // namespace hinny
