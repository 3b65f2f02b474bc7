
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/run_files.h"
#include "base/terminal_text.h"
#include "cli/learn/eval_modes.h"
#include "data/features.h"
#include "recipe/read_recipe.h"
#include "retrieval/paired_comparison.h"
#include "text/language_code.h"
#include "training/evaluation/paired_evaluation.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using Languages = std::vector<std::string>;

// Those of `some` that `others` has, or lacks.
Languages found_in(const Languages& others, const Languages& some, bool has) {
  Languages found;
  std::ranges::copy_if(some, std::back_inserter(found), [&](const std::string& language) {
    return find_language(others, language).has_value() == has;
  });
  return found;
}

void report_alone(const fs::path& run, const Languages& languages) {
  if (languages.empty()) return;
  print_line(stderr, "left out: {}, in {} alone\n", fmt::join(languages, ", "), run.string());
}

Languages common_languages(const fs::path& run, const Languages& its, const fs::path& other,
                           const Languages& others) {
  Languages common = found_in(others, its, true);
  if (common.empty()) {
    throw InputError(other,
                     fmt::format("no language of {} ({})", run.string(), fmt::join(its, ", ")),
                     fmt::format("one in common; this run has {}", fmt::join(others, ", ")));
  }
  report_alone(run, found_in(others, its, false));
  report_alone(other, found_in(its, others, false));
  return common;
}

}  // namespace

int eval_against(const EvalArguments& arguments, const fs::path& data, OpenOptions open) {
  const fs::path run = arguments.run, other = arguments.against;
  const Recipe second_recipe = read_run_recipe(other / kRecipeFile);
  if (translates(second_recipe.model.system)) {
    throw InputError(other, "a model that translates", "a run that retrieves");
  }
  if (open.languages.empty()) {
    const Recipe recipe = read_run_recipe(run / kRecipeFile);
    open.languages = common_languages(run, recipe.languages, other, second_recipe.languages);
  }
  const auto first = open_experiment(run, data, open);
  const auto second = open_experiment(other, data, open);
  report_left_out(first->features, first->dataset.split(open.split), open.split);
  EvaluationOptions evaluation;
  evaluation.split = open.split;
  PairedTable table = evaluate_against(*first, *second, evaluation);
  table.first_run = run.string();
  table.second_run = other.string();
  return print_table(table, arguments);
}

}  // namespace hinny
