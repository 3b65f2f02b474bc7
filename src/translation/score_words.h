// What the measures of translation share: lines side by side, and words as mteval-v13a cuts them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hinny {

using Lines = std::vector<std::string>;  // a sentence each, UTF-8

// Throws InputError unless there are hypotheses, and a reference or more with as many lines each.
// A line may be empty, in a reference too (as in sacreBLEU since 2.1).
void check_parallel(const Lines& hypotheses, const std::vector<Lines>& references);

enum class ScoreTokeniser {
  mteval_13a,  // sacreBLEU's "13a", the rules of NIST's mteval-v13a.pl: for text as people write it
  none,        // split at white space alone: for text that is tokenised already
  intl,        // punctuation and symbols of any script, the rules of mteval-v14.pl
  zh,          // each Chinese character, and 13a's rules for the rest
  character,   // each character, for what is written without spaces: "char"
};
// Their names in sacreBLEU's signatures. Throws InputError for another name, with the reason for
// those of sacreBLEU that need what is not here.
ScoreTokeniser score_tokeniser(std::string_view name);
// What cuts a language best: zh for Chinese, char for others written without spaces, else 13a.
// InputError when it is no language.
ScoreTokeniser tokeniser_for(const std::string& language);
std::string_view name_of(ScoreTokeniser tokeniser);

// White space is what Python splits at, no-break spaces included, as in sacreBLEU.
std::vector<std::string> score_words(std::string_view text, ScoreTokeniser tokeniser);
std::string without_spaces(std::string_view text);

// Unicode's lower case by the rules of no language in particular, as Python's.
std::string lower_cased(std::string_view text);

// The end of a signature: "version:hinny-0.2.0".
std::string version_signature();

// Threads may call all of these at once.

}  // namespace hinny
