// When a training ends, and what is left of it.
#include <gtest/gtest.h>

#include "base/content_hash.h"
#include "training/experiment/tensor_file.h"
#include "training/loop/checkpoint.h"
#include "training/loop/small_training_fixture.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

class ResumeTest : public TrainerTest {};

TEST_F(ResumeTest, OneSeedGivesOneModelAndAnotherSeedAnother) {
  std::vector<std::string> hashes;
  for (const std::int64_t seed : {1, 1, 2}) {
    Recipe recipe = small("bag");
    recipe.train.seed = seed;
    recipe.train.epochs = 3;
    const auto trained = experiment(recipe);
    train(*trained, run_, {});
    hashes.push_back(content_hash(run_ / kWeightsFile));
    fs::remove_all(run_), fs::create_directories(run_);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_NE(hashes[0], hashes[2]);
}

TEST_F(ResumeTest, AFinishedTrainingIsNotTrainedAgain) {
  Recipe recipe = small("bag");
  recipe.train.epochs = 2;
  const auto first = experiment(recipe);
  train(*first, run_, {});
  const auto again = experiment(recipe);
  const TrainingResult result = train(*again, run_, {true, false, 120.0});
  EXPECT_TRUE(result.state.finished);
  EXPECT_EQ(result.state.step, 6);
}

TEST_F(ResumeTest, PatienceStopsEarly) {
  Recipe recipe = small("bag");
  recipe.train.learning_rate = 0;  // nothing gets better
  recipe.train.patience = 2;
  const auto trained = experiment(recipe);
  EXPECT_EQ(train(*trained, run_, {}).state.step, 3 * 3);
}

// The average is what is kept; the training itself goes on from the weights.
TEST_F(ResumeTest, TheModelMayBeTheAverageOfItsWeights) {
  Recipe recipe = small("bag");
  recipe.train.validate_every = 1000;  // at the end alone
  std::vector<NamedTensors> states;
  for (const double average : {0.0, 0.9}) {
    recipe.train.average = average;
    fs::remove_all(run_), fs::create_directories(run_);
    train(*experiment(recipe), run_, {});
    states.push_back(read_tensors(checkpoint_file(run_)).tensors);
  }
  const NamedTensors kept = read_tensors(run_ / kWeightsFile).tensors;
  int averaged = 0;
  for (const auto& [name, average] : states[1]) {
    if (!name.starts_with("average.")) continue;
    EXPECT_FALSE(states[0].contains(name));
    const std::string parameter = name.substr(name.find('.') + 1);
    const torch::Tensor last = states[1].at("model." + parameter);
    EXPECT_TRUE(last.equal(states[0].at("model." + parameter))) << name;
    EXPECT_FALSE(average.equal(last)) << name;
    if (!kept.contains(parameter)) continue;  // needed in training alone
    EXPECT_TRUE(kept.at(parameter).equal(average)) << name;
    ++averaged;
  }
  EXPECT_GE(averaged, 3);
}

}  // namespace
}  // namespace hinny
