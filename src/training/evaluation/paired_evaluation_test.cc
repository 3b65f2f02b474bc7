#include "training/evaluation/paired_evaluation.h"

#include <gmock/gmock.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "recipe/read_recipe.h"
#include "retrieval/recall.h"
#include "tests/tiny_dataset.h"
#include "training/start/new_experiment.h"

namespace hinny {
namespace {

// Untrained: what they find is luck, and differs.
std::unique_ptr<Experiment> experiment(const std::string& name, const std::string& features,
                                       const std::filesystem::path& data, std::uint64_t seed) {
  Recipe recipe = find_recipe(name);
  recipe.model.image.features = features;
  recipe.model.text.vectors = "random";
  recipe.model.text.dim = recipe.model.text.hidden = recipe.model.dim = 16;
  recipe.model.text.min_count = 1;
  recipe.train.seed = seed;
  return new_experiment(recipe, data, torch::Device(torch::kCPU));
}

EvaluationOptions on(const std::string& split) {
  EvaluationOptions options;
  options.split = split;
  options.progress = false;
  return options;
}

// By dot product, by order, and pair by pair; features differ.
TEST(PairedEvaluation, BothSystemsHaveTheRecallThatTheyHaveAlone) {
  const TinyDataset data;
  const auto options = on("train");
  std::vector<std::unique_ptr<Experiment>> systems;
  systems.push_back(experiment("bag", "toy", data.folder(), 1));
  systems.push_back(experiment("order", "toy", data.folder(), 2));
  systems.push_back(experiment("scan", "grid", data.folder(), 3));
  for (std::size_t i = 0; i < systems.size(); ++i) {
    Experiment &first = *systems[i], &second = *systems[(i + 1) % systems.size()];
    const RecallTable of_first = evaluate(first, options).table;
    const RecallTable of_second = evaluate(second, options).table;
    const PairedTable table = evaluate_against(first, second, options);
    EXPECT_EQ(table.split, "train");
    EXPECT_EQ(table.images, 24U);
    ASSERT_EQ(table.languages.size(), 2U);
    for (std::size_t l = 0; l < 2; ++l) {
      const PairedDifference& row = table.languages[l];
      EXPECT_EQ(row.language, of_first.languages[l].language);
      EXPECT_EQ(row.captions, 48U);
      EXPECT_DOUBLE_EQ(row.first, of_first.languages[l].mean());
      EXPECT_DOUBLE_EQ(row.second, of_second.languages[l].mean());
      EXPECT_LE(row.low, row.difference);
      EXPECT_GE(row.high, row.difference);
    }
    EXPECT_DOUBLE_EQ(table.average.difference, of_first.average() - of_second.average());
    EXPECT_NE(table.average.difference, 0);
  }
}

TEST(PairedEvaluation, ImagesMustBeTheSame) {
  const TinyDataset data, less;
  const auto ids = less.folder() / "features" / "ids.txt";
  std::string lines = read_file(ids);
  lines.replace(lines.find("i39\n"), 4, "no-such-image\n");  // the last test image has no row
  write_file(ids, lines);
  const auto first = experiment("bag", "toy", data.folder(), 1);
  const auto second = experiment("bag", "toy", less.folder(), 1);
  try {
    evaluate_against(*first, *second, on("test"));
    ADD_FAILURE() << "other images were taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("features of other images: toy"));
  }
  EvaluationOptions folds = on("test");
  folds.folds = 2;
  EXPECT_THROW(evaluate_against(*first, *first, folds), InputError);
}

}  // namespace
}  // namespace hinny
