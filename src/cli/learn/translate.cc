#include "translation/translate.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "cli/learn/engine.h"
#include "cli/verb.h"
#include "data/dataset_path.h"
#include "translation/train_translation.h"

namespace hinny {
namespace {

constexpr std::size_t kLinesAtOnce = 512;

struct Arguments {
  std::string run;
  std::string from;
  std::string to;
  TranslateOptions search;
  bool nbest = false;
  bool pairs = false;
  std::string images;  // a file of ids
  std::string data;
  std::string features;
  std::size_t max_words = 1000;
  std::string device = "cpu";
};

// The images' regions for a model that sees, by the ids of --image.
class SeenImages {
 public:
  SeenImages(const Arguments& arguments, torch::Device device)
      : experiment_(open_translation_on(arguments.run, find_dataset(arguments.data),
                                        arguments.features, device)) {
    if (!experiment_->model.sees()) {
      throw InputError("--image for a model of text alone", "a model of system mmt");
    }
    for_each_line(arguments.images, [&](std::string_view id, std::size_t line) {
      const int image = experiment_->dataset.find(std::string(id));
      if (image < 0 || !experiment_->features->has(image)) {
        throw InputError(std::filesystem::path(arguments.images), line,
                         fmt::format("no image '{}' with features", id), "an image of --data");
      }
      images_.push_back(image);
    });
  }

  TranslationModel& model() { return experiment_->model; }
  std::size_t count() const { return images_.size(); }
  // Of `count` lines from `first` on.
  RegionsOf regions_of(std::size_t first, std::size_t count) const {
    const auto begin = images_.begin() + static_cast<std::ptrdiff_t>(first);
    return experiment_->regions_of({begin, begin + static_cast<std::ptrdiff_t>(count)});
  }

 private:
  std::unique_ptr<TranslationExperiment> experiment_;
  std::vector<int> images_;
};

class Lines {
 public:
  Lines(const Arguments& arguments, TranslationModel& model, const SeenImages* seen)
      : arguments_(arguments),
        model_(model),
        direction_(model.direction(arguments.from, arguments.to)),
        seen_(seen) {}

  void add(std::string_view line) {
    const auto fail = [&](const std::string& what, const std::string& expected) {
      throw InputError(std::filesystem::path("standard input"), read_ + 1, what, expected);
    };
    const auto words = static_cast<std::size_t>(std::count(line.begin(), line.end(), ' ')) + 1;
    if (words > arguments_.max_words || line.size() > 20 * arguments_.max_words) {
      fail(fmt::format("a line of {} words, {} bytes", words, line.size()),
           fmt::format("a sentence of at most {} words (--max-words)", arguments_.max_words));
    }
    if (seen_ != nullptr && read_ == seen_->count()) {
      fail("a line without an image", fmt::format("{} lines, one for each id", seen_->count()));
    }
    lines_.emplace_back(line);
    ++read_;
  }
  std::size_t waiting() const { return lines_.size(); }

  // Those that wait, on stdout.
  void write() {
    const std::size_t first = read_ - lines_.size();
    const RegionsOf regions = seen_ ? seen_->regions_of(first, lines_.size()) : RegionsOf();
    const auto found = translate(model_, direction_, lines_, arguments_.search, regions);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!arguments_.nbest) {
        const std::string text = found[i].empty() ? std::string() : found[i].front().text;
        fmt::print("{}\n", arguments_.pairs ? lines_[i] + "\t" + text : text);
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
    if (seen_ != nullptr && read_ != seen_->count()) {
      throw InputError(fmt::format("{} lines for {} images", read_, seen_->count()),
                       "a line for each id of --image");
    }
  }

 private:
  const Arguments& arguments_;
  TranslationModel& model_;
  const Direction& direction_;
  const SeenImages* seen_;
  std::vector<std::string> lines_;
  std::size_t read_ = 0;
};

int run(const Arguments& arguments) {
  const auto device = set_up_engine(arguments.device);
  std::unique_ptr<SeenImages> seen;
  std::unique_ptr<TranslationModel> text_only;
  if (arguments.images.empty()) {
    text_only = std::make_unique<TranslationModel>(open_translation(arguments.run, device));
  } else {
    seen = std::make_unique<SeenImages>(arguments, device);
  }
  Lines lines(arguments, seen ? seen->model() : *text_only, seen.get());
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

std::function<int()> declare(CLI::App& command) {
  auto arguments = std::make_shared<Arguments>();
  Arguments& a = *arguments;
  command.add_option("RUN", a.run, "run folder of a model that translates (recipes nmt, mmt)")
      ->required();
  command.add_option("--from", a.from, "language of the sentences on standard input")->required();
  command.add_option("--to", a.to, "language to write")->required();
  command.add_option("--beam", a.search.beam, "how many beginnings are kept; 1: greedy")
      ->check(CLI::Range(1, 100));
  auto* nbest = command.add_option("--nbest", a.search.best,
                                   "write so many of each, by a beam at least as wide: number ||| "
                                   "translation ||| score");
  nbest->check(CLI::Range(1, 100));
  command
      .add_flag("--pairs", a.pairs,
                "write sentence, tab, translation: a file for --translations of eval and search")
      ->excludes(nbest);
  command
      .add_option("--length-power", a.search.length_power,
                  "a score is the log-probability over the length to this power")
      ->check(CLI::Range(0.0, 10.0));
  auto* images = command.add_option("--image", a.images,
                                    "file with an image id on each line, for a model that sees");
  auto* data = command.add_option("--data", a.data, "dataset folder of those images");
  command.add_option("--features", a.features, "their features (default: the training's)")
      ->needs(images);
  images->needs(data);
  data->needs(images);
  command.add_option("--max-words", a.max_words, "longer lines are an error")
      ->check(CLI::Range(1, 100000));
  command.add_option("--device", a.device, "cpu, cuda or cuda:N");
  command.footer(
      "example:\n  echo \"a dog jumps into the water\" | hinny translate runs/nmt --from en --to "
      "de\n"
      "A line in, a line out; an empty line stays empty.");
  return [arguments, nbest] {
    arguments->nbest = nbest->count() > 0;
    arguments->search.beam = std::max(arguments->search.beam, arguments->search.best);
    return run(*arguments);
  };
}

const RegisterVerb registered{"translate", declare};

}  // namespace
}  // namespace hinny
