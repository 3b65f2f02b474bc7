#include "translation/augment.h"

#include <fmt/format.h>

#include "base/terminal_text.h"
#include "cli/learn/engine.h"
#include "cli/verb.h"
#include "data/dataset_path.h"

namespace hinny {
namespace {

struct AugmentArguments {
  std::string run;
  std::string data;
  std::string out;
  std::string features;
  std::vector<std::string> splits = {"train"};
  std::vector<std::string> sources;
  AugmentOptions options;
  std::string device = "cpu";
};

int run_augment(AugmentArguments& arguments) {
  const auto device = set_up_engine(arguments.device);
  AugmentOptions& options = arguments.options;
  options.splits = {arguments.splits.begin(), arguments.splits.end()};
  for (const std::string& name : arguments.sources) options.sources.insert(source_of_name(name));
  const auto experiment =
      open_translation_on(arguments.run, find_dataset(arguments.data), arguments.features, device);
  options.direction = experiment->model.direction(options.direction.from, options.direction.to);
  const Augmented result = augment(*experiment, arguments.run, arguments.out, options);
  print_line(stderr, "{}: {} captions in {} added\n", arguments.out, result.captions,
             options.direction.to);
  if (result.unseen > 0) {
    print_line(stderr, "{} captions of images without features are left out\n", result.unseen);
  }
  if (result.untranslated > 0) {
    print_line(stderr, "{} captions whose translation is empty are left out\n",
               result.untranslated);
  }
  return 0;
}

std::function<int()> declare_augment(CLI::App& command) {
  auto arguments = std::make_shared<AugmentArguments>();
  AugmentArguments& a = *arguments;
  command.add_option("RUN", a.run, "run folder of a model that translates (recipes nmt, mmt)")
      ->required();
  command.add_option("--data", a.data, "dataset folder, or its name inside $HINNY_DATA")
      ->required();
  command.add_option("--out", a.out, "dataset folder to write")->required();
  command.add_option("--from", a.options.direction.from, "language of the captions")->required();
  command.add_option("--to", a.options.direction.to, "language to add")->required();
  command.add_option("--splits", a.splits, "splits whose captions are translated: train,val")
      ->delimiter(',')
      ->default_str("train");
  command
      .add_option("--sources", a.sources,
                  "which captions are translated: mmt,... (default: those by people)")
      ->delimiter(',');
  command.add_option("--features", a.features,
                     "for a model that sees: image features (default: the training's)");
  command
      .add_option("--beam", a.options.search.beam,
                  "beam size, how many hypotheses are kept; 1: greedy")
      ->check(CLI::Range(1, 100));
  command.add_flag("--resume", a.options.resume, "go on with an interrupted augmentation");
  command.add_option("--device", a.device, "cpu, cuda or cuda:N");
  command.footer(
      "example, forward and then backward:\n"
      "  hinny augment runs/en-de --data photos --from en --to de --out photos-f\n"
      "  hinny augment runs/de-en --data photos-f --from de --to en --sources machine-translation "
      "--out photos-fb");
  return [arguments] { return run_augment(*arguments); };
}

const RegisterVerb augment_verb{"augment", declare_augment};

}  // namespace
}  // namespace hinny
