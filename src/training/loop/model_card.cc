#include "training/loop/model_card.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/atomic_file.h"
#include "base/progress.h"
#include "training/experiment/parameter_counts.h"

namespace hinny {

std::string learnt_from(const Experiment& experiment) {
  if (experiment.sentences_alone)
    return fmt::format("{} parallel sentences", experiment.parallel->sentences.size());
  return fmt::format(
      "{} training {}", experiment.dataset.split("train").size(),
      kTaught.contains(experiment.recipe.model.system) ? "parallel sentences" : "images");
}

std::string how_trained(const TrainingState& state, const Recipe& recipe, torch::Device device,
                        const char* units) {
  std::string text =
      fmt::format("- Training: {} batches in {} on {} in {}, best after {}, seed {}", state.step,
                  duration_text(state.seconds), device.str(), name_of(recipe.model.precision),
                  state.best_step, recipe.train.seed);
  if (state.seen >= 0) text += fmt::format(", {:.0f} {} seen", state.seen, units);
  return text;
}

void write_model_card(const std::filesystem::path& run, const Experiment& experiment,
                      const TrainingState& state, const std::optional<RecallTable>& validation) {
  const Recipe& recipe = experiment.recipe;
  const ParameterCounts counts = count_parameters(*experiment.system);
  std::string text = fmt::format("# A Hinny model: {}\n\n", name_of(recipe.model.system));
  if (!recipe.about.summary.empty()) text += recipe.about.summary + ".\n";
  if (!recipe.about.paper.empty()) text += "After " + recipe.about.paper + ".\n";
  text += fmt::format(
      "\n- Languages: {}\n- Trained on: `{}` ({}, features {})\n"
      "- Parameters: {} trained, {} needed by a query\n"
      "{}\n",
      fmt::join(recipe.languages, ", "), experiment.dataset.folder().filename().string(),
      learnt_from(experiment), experiment.features.names(), counts.train, counts.search,
      how_trained(state, recipe, experiment.builder.device(), "captions"));
  if (validation) {
    text += "\n## Recall on the validation split\n\n" + as_markdown(*validation);
  }
  if (!experiment.warnings.all().empty()) text += "\n## Warnings\n\n";
  for (const auto& [kind, warning] : experiment.warnings.all()) text += "- " + warning + "\n";
  text +=
      "\nEvery setting is in `recipe.toml`, the course of the training in `metrics.jsonl`.\n"
      "Measure it with `hinny eval`, make pictures searchable with `hinny index`.\n";
  write_file(run / "README.md", text);
}

}  // namespace hinny
