#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/run_files.h"
#include "cli/learn/engine.h"
#include "cli/learn/eval_modes.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "data/dataset_path.h"
#include "recipe/read_recipe.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// In the order in which they are looked for.
struct EvalModes {
  explicit EvalModes(Modes& modes)
      : against(modes.with("--against")),
        learned(modes.with("--clc learned")),
        consistent(learned | modes.with("--clc")),
        hard(modes.with("--hard")),
        reranked(modes.with("--rerank")),
        together(modes.with("--with")),
        recall(modes.otherwise("in a table of recall")),
        translation(modes.found("for a model that translates")) {}

  Modes::Set translated() const { return hard | reranked | together | recall; }
  Modes::Set tables() const { return against | consistent | reranked | together | recall; }

  Modes::Set against, learned, consistent, hard, reranked, together, recall, translation;
};

int run_eval(const EvalArguments& arguments, const Modes& modes, const EvalModes& m) {
  const fs::path recipe = fs::path(arguments.run) / kRecipeFile;
  const bool translator = fs::exists(recipe) && translates(read_run_recipe(recipe).model.system);
  modes.settle(translator ? m.translation : modes.chosen());
  const auto device = set_up_engine(arguments.device);
  if (translator) return eval_translation(arguments, device);
  OpenOptions open{arguments.languages,
                   arguments.features,
                   device,
                   {},
                   arguments.into,
                   arguments.split,
                   arguments.hubs == "on" && arguments.clc.empty()};
  if (!arguments.into.empty()) open.translations = arguments.translations;
  const fs::path data = find_dataset(arguments.data);
  if (modes.chose(m.against)) return eval_against(arguments, data, open);
  if (modes.chose(m.consistent)) return eval_consistent(arguments, data, open);
  if (modes.chose(m.hard)) return eval_hard(arguments, data, open);
  if (modes.chose(m.reranked)) return eval_reranked(arguments, data, open);
  if (modes.chose(m.together)) return eval_together(arguments, data, open);
  return eval_recall(arguments, data, open);
}

std::function<int()> declare_eval(CLI::App& command) {
  auto arguments = std::make_shared<EvalArguments>();
  EvalArguments& a = *arguments;
  Modes modes(command);
  const EvalModes m(modes);
  command.add_option("RUN", a.run, "run folder of hinny train")->required();
  command.add_option("--data", a.data, "dataset folder, or its name inside $HINNY_DATA")
      ->required();
  command.add_option("--split", a.split, "images to measure on");
  command.add_option("--features", a.features, "features (default: those of the training)");
  command
      .add_option("--languages", a.languages,
                  "languages: en,de (default: all of the run); a model that translates is measured "
                  "between them")
      ->delimiter(',');
  auto* folds =
      command.add_option("--folds", a.folds, "average over equal folds of the images (COCO 1K: 5)")
          ->check(CLI::Range(1, 1000));
  modes.acts(folds).in(m.recall | m.together);
  command.add_option("--device", a.device, "cpu, cuda or cuda:N");
  auto* translations =
      command.add_option("--translations", a.translations,
                         "folder with de-en.tsv: ask with the captions' translations");
  modes.acts(translations).in(m.translated() | m.consistent).beside({"--into", "--clc"});
  auto* into = command.add_option("--into", a.into,
                                  "language that they are translated into, one of the run's");
  modes.acts(into).in(m.translated()).beside({"--translations"});
  auto* clc = command.add_option("--clc", a.clc,
                                 "score a query and its translations together: average, or "
                                 "learned");
  modes.acts(clc).in(m.consistent).beside({"--translations"});
  auto* with =
      command
          .add_option("--with", a.with,
                      "another run folder: score each pair by the mean of both models' scores")
          ->expected(1)
          ->take_all();
  modes.acts(with).in(m.together | m.hard);
  auto* weights =
      command
          .add_option("--weights", a.weights,
                      "0.7,0.3: what RUN's scores and those of each --with count, in their order")
          ->delimiter(',')
          ->check(CLI::PositiveNumber);
  modes.acts(weights).in(m.together);
  auto* against = command.add_option("--against", a.against,
                                     "another run folder: by how much RUN's recall is above that "
                                     "run's, and whether by chance (docs/recipes.md)");
  modes.acts(against).in(m.against);
  auto* clc_split =
      command.add_option("--clc-split", a.clc_split, "split that --clc learned learns from");
  modes.acts(clc_split).in(m.learned);
  auto* keep = command.add_flag("--keep", a.keep,
                                "store in RUN what --clc learned has learnt: indexes made from it "
                                "weight a question's translations by it");
  modes.acts(keep).in(m.learned);
  auto* hard =
      command
          .add_option("--hard", a.hard,
                      "in place of recall print so many captions per language whose image neither "
                      "RUN nor any --with run has among its ten best")
          ->check(CLI::Range(1, 1000000));
  modes.acts(hard).in(m.hard);
  auto* hubs = command
                   .add_option("--hubs", a.hubs,
                               "off: plain scores of a run that remembers what lies near "
                               "everything (recipe key hubs.size); so always with --clc")
                   ->check(CLI::IsMember({"on", "off"}));
  modes.acts(hubs).in(m.against | m.translated());
  auto* rerank = command
                     .add_option("--rerank", a.rerank,
                                 "re-rank so many of each query's best by the run's re-ranking "
                                 "model (train --regions)")
                     ->check(CLI::Range(1, 1000000));
  modes.acts(rerank).in(m.reranked);
  auto* regions = command.add_option("--regions", a.regions,
                                     "features of regions for it (default: those of the training)");
  modes.acts(regions).in(m.reranked);
  auto* rankings =
      command
          .add_option("--run", a.rankings,
                      "also write rankings for other programs: PREFIX.de.t2i.run and .qrels, as "
                      "TREC has them (docs/formats/trec.md)")
          ->type_name("PREFIX");
  modes.acts(rankings).in(m.recall);
  auto* beam =
      command.add_option("--beam", a.beam, "beam of its search")->check(CLI::Range(1, 100));
  modes.acts(beam).in(m.translation);
  command.add_flag("--json", a.json, "print JSON");
  auto* markdown = command.add_flag("--markdown", a.markdown, "print a Markdown table");
  modes.acts(markdown).in(m.tables()).apart_from({"--json"});
  command.footer(
      "example:\n  hinny eval runs/bag --data demo/pictures --json\n"
      "  hinny eval runs/english --data flickr8k --translations mt --into en\n"
      "  hinny eval runs/scan-t2i --with runs/scan-i2t --data flickr8k\n"
      "  hinny eval runs/hinny --with runs/vse --weights 0.7,0.3 --data flickr8k\n"
      "  hinny eval runs/new --against runs/old --data flickr8k\n"
      "  hinny eval runs/bag --data flickr8k --run rankings/bag");
  return [arguments, modes, m] { return run_eval(*arguments, modes, m); };
}

const RegisterVerb eval_verb{"eval", declare_eval};

}  // namespace
}  // namespace hinny
