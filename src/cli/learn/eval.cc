#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/folder_name.h"
#include "base/progress.h"
#include "base/run_files.h"
#include "base/terminal_text.h"
#include "cli/json_output.h"
#include "cli/learn/against.h"
#include "cli/learn/engine.h"
#include "cli/verb.h"
#include "data/dataset_path.h"
#include "data/features.h"
#include "recipe/read_recipe.h"
#include "retrieval/recall.h"
#include "text/language_code.h"
#include "training/evaluation/consistency.h"
#include "training/evaluation/evaluate.h"
#include "training/evaluation/fusion.h"
#include "training/evaluation/hard_captions.h"
#include "training/evaluation/rankings.h"
#include "training/evaluation/reranking.h"
#include "training/loop/run_lock.h"
#include "training/start/open_experiment.h"
#include "translation/bleu.h"
#include "translation/chrf.h"
#include "translation/meteor.h"
#include "translation/train_translation.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string run;
  std::string data;
  std::string split = "test";
  std::string features;
  std::vector<std::string> languages;
  std::vector<std::string> with;  // other runs, whose scores are averaged with this one's
  std::string against;            // another run, which this one is compared with
  int folds = 1;
  std::string device = "cpu";
  std::string translations;
  std::string into;
  std::string clc;
  std::string clc_split = "val";
  bool clc_split_given = false, hubs_given = false;
  bool keep = false;
  std::string hubs = "on";
  std::size_t hard = 0;
  std::size_t rerank = 0;
  std::string regions;
  std::optional<std::int64_t> beam;
  std::string rankings;
  bool json = false;
  bool markdown = false;
  std::vector<const CLI::Option*> of_retrieval{};  // that no model that translates has a use for

  // The first of those that is given; empty: none.
  std::string retrieval_option() const {
    const auto given = std::ranges::find_if(
        of_retrieval, [](const CLI::Option* option) { return option->count() > 0; });
    return given == of_retrieval.end() ? std::string() : (*given)->get_name();
  }
};

// The model's directions from and to the languages that are asked for.
std::vector<Direction> asked_directions(const std::vector<Direction>& all,
                                        const Arguments& arguments) {
  std::vector<std::string> languages = arguments.languages;
  if (languages.empty()) return all;
  const std::vector<std::string> known = languages_of(all);
  for (std::string& language : languages) {
    const auto own = find_language(known, language);
    if (!own) {
      throw InputError(arguments.run, fmt::format("the model lacks language '{}'", language),
                       languages_expected(known));
    }
    language = *own;
  }
  const auto asked = [&](const std::string& language) {
    return std::ranges::find(languages, language) != languages.end();
  };
  std::vector<Direction> between;
  for (const Direction& direction : all) {
    if (asked(direction.from) && asked(direction.to)) between.push_back(direction);
  }
  if (between.empty()) {
    throw InputError(arguments.run,
                     fmt::format("no direction between languages {}", fmt::join(languages, ", ")),
                     "both languages of a direction");
  }
  return between;
}

// A model that translates: how well it does so, by direction.
int measure_translation(const Arguments& arguments, torch::Device device) {
  if (const std::string option = arguments.retrieval_option(); !option.empty()) {
    throw InputError(option + ", an option of retrieval for a model that translates",
                     "--data, --split, --features, --languages, --beam, --device or --json");
  }
  const auto experiment =
      open_translation_on(arguments.run, find_dataset(arguments.data), arguments.features, device);
  TranslateOptions options;
  options.beam = arguments.beam.value_or(options.beam);
  nlohmann::json all;
  const std::vector<std::string>& there = experiment->dataset.languages();
  const auto lacks = [&](const std::string& language) { return !find_language(there, language); };
  for (const Direction& direction : asked_directions(experiment->model.directions, arguments)) {
    if (lacks(direction.from) || lacks(direction.to)) continue;
    const SentencePairs pairs = sentence_pairs(experiment->dataset, arguments.split, direction);
    if (pairs.pairs.empty()) continue;
    Progress progress("translate " + direction.name(), pairs.pairs.size());
    const Measured measured = translate_pairs(*experiment, direction, pairs, options, &progress);
    const ScoreTokeniser tokeniser = tokeniser_for(direction.to);
    const Bleu by_words = bleu(measured.translations, {measured.references},
                               {.tokeniser = tokeniser, .lower_case = true});
    all[direction.name()] = {
        {"sentences", pairs.pairs.size()},
        {"bleu", by_words.score},
        {"bleu_signature", by_words.signature()},
        {"chrf", chrf(measured.translations, {measured.references}, true).score},
        {"meteor",
         meteor(measured.translations, {measured.references}, {direction.to, tokeniser}).score}};
  }
  if (all.empty()) {
    throw InputError("no pairs of captions in split '" + arguments.split + "'",
                     "images with one caption in each language of a direction");
  }
  if (arguments.json) {
    put_json(nlohmann::json{{"split", arguments.split}, {"directions", all}});
    return 0;
  }
  fmt::print("{:<12}{:>10}{:>8}{:>8}{:>8}\n", "direction", "sentences", "BLEU", "chrF2", "METEOR");
  for (const auto& [name, scores] : all.items()) {
    fmt::print("{:<12}{:>10}{:>8.1f}{:>8.1f}{:>8.1f}\n", name, scores["sentences"].get<int>(),
               scores["bleu"].get<double>(), scores["chrf"].get<double>(),
               scores["meteor"].get<double>());
  }
  std::map<std::string, std::vector<std::string>> signed_by;
  for (const auto& [name, scores] : all.items()) {
    signed_by[scores["bleu_signature"].get<std::string>()].push_back(name);
  }
  for (const auto& [signature, names] : signed_by) {
    fmt::print("BLEU of {}: {}\n", fmt::join(names, ", "), signature);
  }
  return 0;
}

void report_weights(const Consistency& consistency) {
  if (consistency.weights.empty()) return;
  std::string weights;
  for (const auto& [language, weight] : consistency.weights) {
    weights += fmt::format(" {} {:.3f}", language, weight);
  }
  print_line(stderr, "what a sentence in each language counts for:{}\n", weights);
}

// The result in the form that is asked for.
template <typename Table>
int print(const Table& table, const Arguments& arguments) {
  print_lines(stdout, arguments.json ? as_json(table) + "\n"
                                     : (arguments.markdown ? as_markdown(table) : as_text(table)));
  return 0;
}

// Recall with the second look that the run holds.
RecallTable look_again(const Arguments& arguments, Experiment& first, const fs::path& data,
                       OpenOptions open, const EvaluationOptions& options) {
  const fs::path look = fs::path(arguments.run) / kLookFolder;
  if (!fs::exists(look / kRecipeFile)) {
    throw InputError(arguments.run, "the run has no second look",
                     "one that was trained with --regions (hinny train --help)");
  }
  open.features = arguments.regions;
  open.languages = first.dataset.languages();
  const auto second = open_experiment(look, data, open);
  return evaluate_with_second_look(first, *second, arguments.rerank, options);
}

// Before all is measured, and not after it.
void check_rankings_folder(const std::string& prefix) {
  const fs::path folder = folder_of(prefix);
  if (prefix.empty() || fs::is_directory(folder)) return;
  throw InputError(folder, "no such folder", "--run FOLDER/PREFIX with a folder that is there");
}

int run(const Arguments& arguments) {
  if (arguments.keep && arguments.clc != "learned") {
    throw InputError("--keep without weights that were learnt", "--clc learned");
  }
  if (arguments.clc_split_given && arguments.clc != "learned") {
    throw InputError("--clc-split without weights to learn", "--clc learned");
  }
  if (!arguments.clc.empty() && arguments.hubs_given && arguments.hubs == "on") {
    throw InputError("--hubs on with --clc, whose scores are the plain ones", "--hubs off");
  }
  if (!arguments.translations.empty() && arguments.into.empty() && arguments.clc.empty()) {
    throw InputError("--translations without a use of them",
                     "--into en: queries in English alone; or --clc average: in every language");
  }
  const auto device = set_up_engine(arguments.device);
  const fs::path recipe = fs::path(arguments.run) / kRecipeFile;
  if (fs::exists(recipe) && translates(read_run_recipe(recipe).model.system)) {
    return measure_translation(arguments, device);
  }
  if (arguments.beam) {
    throw InputError("--beam for a model that retrieves", "a model of nmt or mmt");
  }
  OpenOptions open{arguments.languages,
                   arguments.features,
                   device,
                   {},
                   arguments.into,
                   arguments.split,
                   arguments.hubs == "on" && arguments.clc.empty()};
  if (!arguments.into.empty()) open.translations = arguments.translations;
  const fs::path data = find_dataset(arguments.data);
  if (!arguments.against.empty()) {
    return print(measure_against(arguments.run, arguments.against, data, open), arguments);
  }
  std::optional<RunLock> lock;
  if (arguments.keep) lock.emplace(arguments.run);
  check_rankings_folder(arguments.rankings);
  std::vector<std::unique_ptr<Experiment>> experiments;
  experiments.push_back(open_experiment(arguments.run, data, open));
  Experiment& experiment = *experiments.front();
  if (arguments.hard > 0) {
    for (const std::string& other : arguments.with) {
      experiments.push_back(open_experiment(other, data, open));
    }
    const HardCaptions hard = hard_captions(experiments, arguments.split, arguments.hard);
    print_lines(stdout, arguments.json ? as_json(hard) + "\n" : as_text(hard));
    return 0;
  }
  EvaluationOptions options;
  options.split = arguments.split;
  options.folds = arguments.folds;
  report_left_out(experiment.features, experiment.dataset.split(options.split), options.split);
  RecallTable table;
  if (!arguments.clc.empty()) {
    Consistency consistency = evaluate_consistency(
        experiment, {arguments.split, arguments.clc, arguments.translations, arguments.clc_split});
    if (lock) keep_consistency(arguments.run, consistency);
    report_weights(consistency);
    table = std::move(consistency.table);
  } else if (!arguments.with.empty()) {
    open.languages = experiment.dataset.languages();
    for (const std::string& other : arguments.with) {
      experiments.push_back(open_experiment(other, data, open));
    }
    table = evaluate_together(experiments, options);
  } else if (arguments.rerank > 0) {
    table = look_again(arguments, experiment, data, open, options);
  } else {
    table = evaluate(experiment, options).table;
    if (!arguments.rankings.empty()) {
      const fs::path run = without_slash(fs::path(arguments.run).lexically_normal());
      write_rankings(experiment, options.split, run.filename().string(), arguments.rankings);
    }
  }
  return print(table, arguments);
}

std::function<int()> declare(CLI::App& command) {
  auto arguments = std::make_shared<Arguments>();
  Arguments& a = *arguments;
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
  command.add_option("--device", a.device, "cpu, cuda or cuda:N");
  auto* translations =
      command.add_option("--translations", a.translations,
                         "folder with de-en.tsv: ask with the captions' translations");
  auto* into =
      command
          .add_option("--into", a.into, "language that they are translated into, one of the run's")
          ->needs(translations);
  auto* clc = command
                  .add_option("--clc", a.clc,
                              "score a query and its translations together: average, or learned")
                  ->needs(translations)
                  ->excludes(into)
                  ->excludes(folds);
  auto* with =
      command
          .add_option("--with", a.with,
                      "another run folder: score each pair by the mean of both models' scores")
          ->expected(1)
          ->take_all()
          ->excludes(clc)
          ->excludes(folds);
  auto* against =
      command
          .add_option(
              "--against", a.against,
              "another run folder: how far RUN's recall is above that run's, and whether by "
              "luck (docs/recipes.md)")
          ->excludes(folds)
          ->excludes(translations)
          ->excludes(into)
          ->excludes(clc)
          ->excludes(with);
  auto* clc_split =
      command.add_option("--clc-split", a.clc_split, "split that --clc learned learns from")
          ->needs(clc);
  auto* keep =
      command
          .add_flag(
              "--keep", a.keep,
              "keep what --clc learned has learnt in RUN: indexes made of it weigh a question's "
              "translations so")
          ->needs(clc);
  auto* hard =
      command
          .add_option(
              "--hard", a.hard,
              "in place of recall print so many captions per language whose image neither RUN "
              "nor any --with run has among its ten best")
          ->check(CLI::Range(1, 1000000))
          ->excludes(folds)
          ->excludes(clc)
          ->excludes(against);
  auto* hubs =
      command
          .add_option("--hubs", a.hubs,
                      "off: plain scores of a run that remembers what lies near everything "
                      "(recipe key hubs.size); so with --clc")
          ->check(CLI::IsMember({"on", "off"}));
  auto* rerank =
      command
          .add_option("--rerank", a.rerank,
                      "let the run's second look (train --regions) put so many of each query's "
                      "best in order")
          ->check(CLI::Range(1, 1000000))
          ->excludes(folds)
          ->excludes(clc)
          ->excludes(with)
          ->excludes(against)
          ->excludes(hard);
  auto* regions = command
                      .add_option("--regions", a.regions,
                                  "features of regions for it (default: those of the training)")
                      ->needs(rerank);
  auto* rankings =
      command
          .add_option(
              "--run", a.rankings,
              "also write rankings for other programs: PREFIX.de.t2i.run and .qrels, as TREC "
              "has them (docs/formats/trec.md)")
          ->type_name("PREFIX")
          ->excludes(clc)
          ->excludes(with)
          ->excludes(against)
          ->excludes(hard)
          ->excludes(rerank);
  command.add_option("--beam", a.beam, "for a model that translates: beam of its search")
      ->check(CLI::Range(1, 100));
  auto* json = command.add_flag("--json", a.json, "print JSON");
  auto* markdown = command.add_flag("--markdown", a.markdown, "print a Markdown table")
                       ->excludes(json)
                       ->excludes(hard);
  command.footer(
      "example:\n  hinny eval runs/bag --data demo/pictures --json\n"
      "  hinny eval runs/english --data flickr8k --translations mt --into en\n"
      "  hinny eval runs/scan-t2i --with runs/scan-i2t --data flickr8k\n"
      "  hinny eval runs/new --against runs/old --data flickr8k\n"
      "  hinny eval runs/bag --data flickr8k --run rankings/bag");
  a.of_retrieval = {folds,   translations, into, clc,    clc_split, keep,     with,
                    against, hard,         hubs, rerank, regions,   rankings, markdown};
  return [arguments, clc_split, hubs] {
    arguments->clc_split_given = clc_split->count() > 0;
    arguments->hubs_given = hubs->count() > 0;
    return run(*arguments);
  };
}

const RegisterVerb registered{"eval", declare};

}  // namespace
}  // namespace hinny
