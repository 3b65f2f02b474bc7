// An option is refused in the modes of a verb in which it does not act, before any work
// (acting_test.cc tries those in which it does).
#include <gmock/gmock.h>

#include "tests/verb_options.h"

namespace hinny::verb_options {
namespace fs = std::filesystem;
namespace {

using testing::HasSubstr;
using testing::Not;

const fs::path kOld = fs::path(__FILE__).parent_path() / "old_models";

// Files that make a verb come to a mode of theirs.
Words found_in(const std::string& verb, const Scratch& scratch) {
  if (verb == "train") return {"nmt"};
  if (verb == "eval") return {kOld / "nmt"};
  if (verb == "bundle") return {kOld.parent_path() / "pretrained/folders/clip"};
  const std::string copy = scratch / "copy";
  if (!fs::exists(copy)) run_hinny({"export", kOld / "nmt", "--out", copy});
  return {copy};
}

// Runs in a folder of its own: "no-such" may become an output for a moment, of another test too.
Outcome run_in(const Scratch& scratch, const Words& words) {
  RunOptions options;
  options.folder = fs::path(scratch);
  return run_hinny(words, options);
}

// Those that may be given several times, too: "index --exclude A MODEL".
TEST(Options, TakeNoArgumentForTheirSecondValue) {
  const Scratch scratch;
  std::size_t tried = 0;
  for (const Verb& verb : verbs()) {
    const auto argument = std::ranges::find_if(
        verb.options, [](const Option& one) { return one.is_argument() && one.required; });
    if (argument == verb.options.end()) continue;
    for (const Option& option : verb.options) {
      if (option.is_argument() || option.value.empty() || option.value.ends_with("...")) continue;
      const Words words = words_of(verb.name) + option.given() + Words{"no-such-argument"};
      EXPECT_THAT(run_in(scratch, words).err, Not(HasSubstr(argument->name() + " is required")))
          << text_of(words);
      ++tried;
    }
  }
  EXPECT_GT(tried, 40U);
}

TEST(Options, AreRefusedInTheModesInWhichTheyDoNotAct) {
  const Scratch scratch;
  std::size_t refused = 0;
  for (const Verb& verb : verbs()) {
    for (const Mode& mode : verb.modes) {
      Words start = words_of(verb.name);
      if (mode.found) start = start + found_in(verb.name, scratch);
      if (verb.name == "train") start = start + Words{"--data", "no-such"};
      for (const Option& option : verb.options) {
        const bool taken = option.is_argument() && mode.found;  // the file that was found
        if (option.required && !taken && !has(mode.words, option.name())) {
          start = start + option.given();
        }
      }
      start = start + verb.chosen(mode);
      for (const Option& option : verb.options) {
        if (has(start, option.name()) || !verb.can_be_given(option, mode)) continue;
        const auto expect_refusal = [&](const Words& more, const std::string& says) {
          const Words words = start + verb.before(option, mode) + option.given() + more;
          const Outcome outcome = run_in(scratch, words);
          EXPECT_EQ(outcome.code, 2) << text_of(words);
          EXPECT_EQ(outcome.out, "") << text_of(words);
          EXPECT_THAT(outcome.err, HasSubstr(says)) << text_of(words);
          EXPECT_THAT(outcome.err, HasSubstr(option.name())) << text_of(words);
          ++refused;
        };
        if (!option.acts_in(mode.how)) {
          // Another choice may come first and have the mode's own beside it: --hard with --with.
          const bool goes_together =
              verb.is_choice(option.name()) &&
              std::ranges::all_of(mode.words, [&](const std::string& word) {
                const Option* other = verb.option(word);
                return other == nullptr || std::ranges::any_of(other->modes, [&](const auto& how) {
                         return option.acts_in(how);
                       });
              });
          if (!goes_together) expect_refusal({}, " has no effect ");
          continue;
        }
        if (!option.beside.empty() && verb.company(option, mode, start) != Words{}) {
          expect_refusal({}, option.name() + " has no effect without " + option.beside.front());
        }
        for (const std::string& other : option.apart_from) {
          if (verb.option(other)->acts_in(mode.how)) {
            expect_refusal(verb.option(other)->given(),
                           option.name() + " has no effect with " + other);
          }
        }
      }
    }
  }
  EXPECT_GT(refused, 80U);
}

}  // namespace
}  // namespace hinny::verb_options
