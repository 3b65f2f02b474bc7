#include "training/loop/batch_queue.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "recipe/read_recipe.h"
#include "tests/tiny_dataset.h"
#include "training/start/new_experiment.h"

namespace hinny {
namespace {

class BatchQueueTest : public testing::Test {
 protected:
  BatchQueueTest() {
    Recipe recipe = find_recipe("bag");
    recipe.model.image.features = "toy";
    recipe.model.text.min_count = 1;
    experiment_ = new_experiment(recipe, data_.folder(), torch::Device(torch::kCPU));
    SamplerOptions options;
    options.images_per_batch = 4;
    plans_ =
        sample_images(experiment_->dataset, experiment_->dataset.split("train"), options)->epoch(0);
  }
  TinyDataset data_;
  std::unique_ptr<Experiment> experiment_;
  std::vector<BatchPlan> plans_;
};

TEST_F(BatchQueueTest, GivesWhatTheBuilderGivesInOrder) {
  ASSERT_GT(plans_.size(), 3U);
  BatchQueue queue(experiment_->builder, plans_);
  for (const BatchPlan& plan : plans_) {
    const Batch ahead = queue.next(), now = experiment_->builder.build(plan);
    ASSERT_TRUE(ahead.features.equal(now.features));
    ASSERT_EQ(ahead.languages.size(), now.languages.size());
    for (std::size_t i = 0; i < now.languages.size(); ++i) {
      EXPECT_TRUE(ahead.languages[i].captions.ids.equal(now.languages[i].captions.ids));
    }
  }
}

TEST_F(BatchQueueTest, MayBeLeftBeforeItsEnd) {
  BatchQueue unused(experiment_->builder, plans_);
  BatchQueue begun(experiment_->builder, plans_);
  EXPECT_TRUE(begun.next().features.equal(experiment_->builder.build(plans_[0]).features));
}  // where both wait for their threads, which must end though nobody asks for more

TEST_F(BatchQueueTest, HandsOnWhatTheBuilderThrows) {
  // The second batch asks for an image without features.
  const auto ids = data_.folder() / "features" / "ids.txt";
  std::string text = read_file(ids);
  text.replace(text.find("i1\n"), 3, "another\n");
  write_file(ids, text);
  const Features features = Features::open(experiment_->dataset, "toy");
  const BatchBuilder builder(experiment_->corpus, features, experiment_->transform, nullptr,
                             experiment_->system_language, torch::kCPU);
  plans_[0].images = {0, 2};
  plans_[1].images = {0, 1};
  BatchQueue queue(builder, plans_);
  queue.next();
  EXPECT_THROW(queue.next(), InputError);
}

}  // namespace
}  // namespace hinny
