#include "cli/program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <new>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/out_of_memory.h"
#include "base/problem_text.h"
#include "base/terminal_text.h"
#include "base/threads.h"
#include "cli/describe.h"
#include "cli/dispatch.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "cli/version.h"

namespace hinny {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongInput = 2;
constexpr int kInterrupted = 130;
// For scripts/manuals: `hinny --describe` names the verbs, `hinny VERB --describe` its options.
constexpr std::string_view kDescribe = "--describe";

std::map<std::string, Verb>& registry() {
  static std::map<std::string, Verb> verbs;
  return verbs;
}

std::string overview() {
  std::string text =
      "hinny: search pictures with sentences in any language\n\nusage: hinny VERB [options]\n\n";
  for (const VerbPlace& place : verb_places()) {
    text += fmt::format("  {:<10} {}\n", place.verb, place.summary);
  }
  text +=
      "\n`hinny VERB --help` shows a verb's options and an example. First time here: make demo\n";
  return text;
}

int report(std::string_view message, int code) {
  print_line(stderr, "error: {}\n", message);
  return code;
}

std::string_view summary_of(std::string_view verb) {
  for (const VerbPlace& place : verb_places()) {
    if (place.verb == verb) return place.summary;
  }
  return {};
}

// "add" of "index add".
std::vector<std::string> second_words(const std::string& verb) {
  std::vector<std::string> words;
  for (const auto& [name, other] : registry()) {
    if (name.starts_with(verb + " ")) words.push_back(name.substr(verb.size() + 1));
  }
  return words;
}

// An option that takes one value each time leaves what follows that to others: "--exclude A MODEL".
void leave_what_follows(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->nonpositional() && option->get_expected_max() == 1) option->allow_extra_args(false);
  }
  for (CLI::App* format : command.get_subcommands({})) leave_what_follows(*format);
}

int run_verb(const Verb& verb, int argc, char** argv) {
  CLI::App command{std::string(summary_of(verb.name)), "hinny " + verb.name};
  command.option_defaults()->always_capture_default();
  int threads = 0;
  command.add_option("--threads", threads, "threads to use (also HINNY_THREADS)")
      ->check(CLI::Range(1, 1024))
      ->default_str("every core, or what a CPU quota or OMP_NUM_THREADS leaves");
  const auto work = verb.declare(command);
  leave_what_follows(command);
  ModesText::explain(command);
  if (argc > 2 && std::string_view(argv[2]) == kDescribe) {
    fmt::print("{}", describe(command, verb.name, second_words(verb.name)));
    return 0;
  }
  try {
    command.parse(argc - 1, argv + 1);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", command.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return report(fmt::format("{} (see hinny {} --help)", error.what(), verb.name), kWrongInput);
  }
  if (threads > 0) set_thread_count(threads);
  return work();
}

int run(int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  if (word.empty() || word == "--help" || word == "-h" || word == "help") {
    fmt::print(word.empty() ? stderr : stdout, "{}", overview());
    return word.empty() ? kWrongInput : 0;
  }
  if (word == "--version") {
    fmt::print("{}\n", version_line());
    return 0;
  }
  if (word == kDescribe) {
    for (const VerbPlace& place : verb_places()) fmt::print("{}\n", place.verb);
    return 0;
  }
  hand_over(argc, argv);
  if (argc > 2) {  // verbs of two words: index add
    const auto longer = registry().find(fmt::format("{} {}", word, argv[2]));
    if (longer != registry().end()) return run_verb(longer->second, argc - 1, argv + 1);
  }
  const auto found = registry().find(std::string(word));
  if (found == registry().end()) {
    std::vector<std::string_view> names;
    for (const VerbPlace& place : verb_places()) names.push_back(place.verb);
    throw InputError(fmt::format("no verb '{}'{}", word, did_you_mean(word, names)),
                     "one of those in hinny --help");
  }
  return run_verb(found->second, argc, argv);
}

}  // namespace

RegisterVerb::RegisterVerb(const std::string& name,
                           std::function<std::function<int()>(CLI::App&)> declare) {
  registry()[name] = Verb{name, std::move(declare)};
}

int run_program(int argc, char** argv) {
  prepare_for_no_memory();
  watch_for_interrupt();
  try {
    const int code = run(argc, argv);
    // Results that did not reach a full disk or a closed pipe are no results.
    if (std::fflush(stdout) != 0) throw Failure::from_errno("cannot write to standard output");
    return code;
  } catch (const InputError& error) {
    return report(error.what(), kWrongInput);
  } catch (const Interrupted& stop) {
    print_line(stderr, "{}\n", stop.what());
    return kInterrupted;
  } catch (const std::bad_alloc&) {
    return report("out of memory", kFailed);
  } catch (const std::exception& error) {
    return report(problem_text(error), kFailed);
  }
}

}  // namespace hinny
