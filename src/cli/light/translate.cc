#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/lines.h"
#include "cli/dispatch.h"
#include "cli/line_translator.h"
#include "cli/modes.h"
#include "cli/verb.h"

namespace hinny {
namespace {

constexpr std::size_t kLinesAtOnce = 512;

struct TranslateArguments {
  LineTranslatorOptions model;
  SearchOptions search;
  bool nbest = false;
  bool pairs = false;
  std::size_t max_words = 1000;
};

// A sentence in a row of two fields: a tab in it, as any other control character, is a space there.
std::string as_field(std::string line) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; };
  std::ranges::replace_if(line, control, ' ');
  return line;
}

class Lines {
 public:
  Lines(const TranslateArguments& arguments, LineTranslator& translator)
      : arguments_(arguments), translator_(translator) {}

  void add(std::string_view line) {
    const auto fail = [&](const std::string& what, const std::string& expected) {
      throw InputError(std::filesystem::path("standard input"), read_ + 1, what, expected);
    };
    const auto words = static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')) + 1;
    if (words > arguments_.max_words || line.size() > 20 * arguments_.max_words) {
      fail(fmt::format("a line of {} words, {} bytes", words, line.size()),
           fmt::format("a sentence of at most {} words (--max-words)", arguments_.max_words));
    }
    if (translator_.count() == read_) {
      fail("a line without an image", fmt::format("{} lines, one for each id", read_));
    }
    lines_.emplace_back(line);
    ++read_;
  }
  std::size_t waiting() const { return lines_.size(); }

  // Those that wait, on stdout.
  void write() {
    const std::size_t first = read_ - lines_.size();
    const auto found = translator_.translate(first, lines_, arguments_.search);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!arguments_.nbest) {
        const std::string text = found[i].empty() ? std::string() : found[i].front().text;
        fmt::print("{}\n", arguments_.pairs ? as_field(lines_[i]) + "\t" + text : text);
        continue;
      }
      for (const Translation& one : found[i]) {
        fmt::print("{} ||| {} ||| {:.4f}\n", first + i, one.text, one.score);
      }
    }
    std::fflush(stdout);
    lines_.clear();
  }

  void check_end() const {
    if (const auto images = translator_.count(); images && read_ != *images) {
      throw InputError(fmt::format("{} lines for {} images", read_, *images),
                       "a line for each id of --image");
    }
  }

 private:
  const TranslateArguments& arguments_;
  LineTranslator& translator_;
  std::vector<std::string> lines_;
  std::size_t read_ = 0;
};

int run_translate(const TranslateArguments& arguments) {
  const auto translator = open_line_translator(arguments.model);
  Lines lines(arguments, *translator);
  const std::size_t at_once = isatty(STDIN_FILENO) != 0 ? 1 : kLinesAtOnce;
  try {
    for_each_input_line([&](std::string_view line, std::size_t) {
      lines.add(line);
      if (lines.waiting() == at_once) lines.write();
    });
  } catch (const InputError&) {
    lines.write();  // what came before the line that is wrong
    throw;
  }
  lines.write();
  lines.check_end();
  return 0;
}

std::function<int()> declare_translate(CLI::App& command) {
  auto arguments = std::make_shared<TranslateArguments>();
  TranslateArguments& a = *arguments;
  Modes modes(command);
  const Modes::Set seeing = modes.with("--image"),
                   text = modes.otherwise("for sentences without pictures"),
                   copy = modes.found(
                       "for a small copy, which has neither recipe nor picture "
                       "layer");
  command
      .add_option("RUN", a.model.run,
                  "a model that translates (recipes nmt, mmt): its run folder, or a small copy "
                  "(hinny export), which is faster")
      ->required();
  command.add_option("--from", a.model.from, "language of the sentences on standard input")
      ->required();
  command.add_option("--to", a.model.to, "language to write")->required();
  command.add_option("--beam", a.search.beam, "beam size, how many hypotheses are kept; 1: greedy")
      ->check(CLI::Range(1, 100));
  auto* nbest = command.add_option("--nbest", a.search.best,
                                   "write so many of each, by a beam at least as wide: number ||| "
                                   "translation ||| score");
  nbest->check(CLI::Range(1, 100));
  auto* pairs = command.add_flag(
      "--pairs", a.pairs,
      "write sentence (tabs in it as spaces), tab, translation: a file for --translations of eval");
  modes.acts(pairs).apart_from({"--nbest"});
  command
      .add_option("--length-power", a.search.length_power,
                  "a score is the log-probability over the length to this power")
      ->check(CLI::Range(0.0, 10.0));
  modes
      .acts(command.add_option("--image", a.model.images,
                               "file with an image id on each line, for a model that sees"))
      .in(seeing)
      .beside({"--data"});
  modes.acts(command.add_option("--data", a.model.data, "dataset folder of those images"))
      .in(seeing);
  modes
      .acts(command.add_option("--features", a.model.features,
                               "their features (default: the training's)"))
      .in(seeing);
  command.add_option("--max-words", a.max_words, "longer lines are an error")
      ->check(CLI::Range(1, 100000));
  modes.acts(command.add_option("--device", a.model.device, "cpu, cuda or cuda:N"))
      .in(seeing | text);
  command.footer(
      "example:\n  echo \"a dog jumps into the water\" | hinny translate runs/nmt --from en --to "
      "de\n"
      "A line in, a line out; an empty line stays empty.");
  return [arguments, nbest, modes, copy] {
    modes.settle(is_small_copy(arguments->model.run) ? copy : modes.chosen());
    arguments->nbest = nbest->count() > 0;
    arguments->search.beam = std::max(arguments->search.beam, arguments->search.best);
    return run_translate(*arguments);
  };
}

const RegisterVerb translate_verb{"translate", declare_translate};

}  // namespace
}  // namespace hinny
