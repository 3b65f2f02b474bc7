#include <fmt/format.h>

#include <optional>

#include "cli/learn/eval_modes.h"
#include "data/features.h"
#include "retrieval/recall.h"
#include "training/evaluation/consistency.h"
#include "training/loop/run_lock.h"

namespace hinny {
namespace {

void report_weights(const Consistency& consistency) {
  if (consistency.weights.empty()) return;
  std::string weights;
  for (const auto& [language, weight] : consistency.weights) {
    weights += fmt::format(" {} {:.3f}", language, weight);
  }
  print_line(stderr, "weight of a sentence in each language:{}\n", weights);
}

}  // namespace

int eval_consistent(const EvalArguments& arguments, const std::filesystem::path& data,
                    const OpenOptions& open) {
  std::optional<RunLock> lock;
  if (arguments.keep) lock.emplace(arguments.run);
  const auto experiment = open_experiment(arguments.run, data, open);
  report_left_out(experiment->features, experiment->dataset.split(arguments.split),
                  arguments.split);
  const Consistency consistency = evaluate_consistency(
      *experiment, {arguments.split, arguments.clc, arguments.translations, arguments.clc_split});
  if (lock) store_consistency(arguments.run, consistency);
  report_weights(consistency);
  return print_table(consistency.table, arguments);
}

}  // namespace hinny
