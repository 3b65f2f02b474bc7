#include <fmt/format.h>

#include "base/error.h"
#include "base/folder_name.h"
#include "base/run_files.h"
#include "cli/learn/eval_modes.h"
#include "data/features.h"
#include "retrieval/recall.h"
#include "training/evaluation/evaluate.h"
#include "training/evaluation/fusion.h"
#include "training/evaluation/hard_captions.h"
#include "training/evaluation/rankings.h"
#include "training/evaluation/reranking.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using Experiments = std::vector<std::unique_ptr<Experiment>>;

EvaluationOptions options_of(const EvalArguments& arguments) {
  EvaluationOptions options;
  options.split = arguments.split;
  options.folds = arguments.folds;
  return options;
}

std::unique_ptr<Experiment> open_first(const EvalArguments& arguments, const fs::path& data,
                                       const OpenOptions& open) {
  auto experiment = open_experiment(arguments.run, data, open);
  report_left_out(experiment->features, experiment->dataset.split(arguments.split),
                  arguments.split);
  return experiment;
}

void open_others(const EvalArguments& arguments, const fs::path& data, const OpenOptions& open,
                 Experiments& experiments) {
  for (const std::string& other : arguments.with) {
    experiments.push_back(open_experiment(other, data, open));
  }
}

// Before all is measured, and not after it.
void check_rankings_folder(const std::string& prefix) {
  const fs::path folder = folder_of(prefix);
  if (prefix.empty() || fs::is_directory(folder)) return;
  throw InputError(folder, "no such folder", "--run FOLDER/PREFIX with a folder that is there");
}

}  // namespace

int eval_recall(const EvalArguments& arguments, const fs::path& data, const OpenOptions& open) {
  check_rankings_folder(arguments.rankings);
  const auto experiment = open_first(arguments, data, open);
  const RecallTable table = evaluate(*experiment, options_of(arguments)).table;
  if (!arguments.rankings.empty()) {
    const fs::path run = without_slash(fs::path(arguments.run).lexically_normal());
    write_rankings(*experiment, arguments.split, run.filename().string(), arguments.rankings);
  }
  return print_table(table, arguments);
}

int eval_together(const EvalArguments& arguments, const fs::path& data, OpenOptions open) {
  Experiments experiments;
  experiments.push_back(open_first(arguments, data, open));
  open.languages = experiments.front()->dataset.languages();
  open_others(arguments, data, open, experiments);
  return print_table(evaluate_together(experiments, options_of(arguments), arguments.weights),
                     arguments);
}

int eval_reranked(const EvalArguments& arguments, const fs::path& data, OpenOptions open) {
  const auto first = open_first(arguments, data, open);
  const fs::path reranker = fs::path(arguments.run) / kRerankerFolder;
  if (!fs::exists(reranker / kRecipeFile)) {
    throw InputError(arguments.run, "the run has no re-ranking model",
                     "one that was trained with --regions (hinny train --help)");
  }
  open.features = arguments.regions;
  open.languages = first->dataset.languages();
  const auto second = open_experiment(reranker, data, open);
  return print_table(evaluate_reranked(*first, *second, arguments.rerank, options_of(arguments)),
                     arguments);
}

int eval_hard(const EvalArguments& arguments, const fs::path& data, const OpenOptions& open) {
  Experiments experiments;
  experiments.push_back(open_experiment(arguments.run, data, open));
  open_others(arguments, data, open, experiments);
  const HardCaptions hard = hard_captions(experiments, arguments.split, arguments.hard);
  print_lines(stdout, arguments.json ? as_json(hard) + "\n" : as_text(hard));
  return 0;
}

}  // namespace hinny
