#include "training/loop/trainer.h"

#include <gmock/gmock.h>

#include <sstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "retrieval/recall.h"
#include "training/evaluation/split_scorer.h"
#include "training/loop/small_training_fixture.h"
#include "training/start/open_experiment.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

int count_of(const std::string& part, const std::string& text) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Eight test images, each captioned by its colour and kind: whoever learns finds them.
TEST_P(TrainerTest, EverySystemLearnsTheTinySet) {
  const auto trained = experiment(small(GetParam()));
  const TrainingResult result = train(*trained, run_, {});
  ASSERT_TRUE(result.best.has_value());
  const auto opened = open_experiment(run_, data_.folder());
  EvaluationOptions options;
  options.split = "test";
  EXPECT_GT(evaluate(*opened, options).table.average(), 80.0) << GetParam();
  EXPECT_THAT(read_file(run_ / "README.md"),
              testing::ContainsRegex(" on cpu in (fp32|bf16|auto), best after "));
}

// 24 images with two captions of each language, eight a batch.
TEST_F(TrainerTest, AnEpochPassesImagesOrCaptions) {
  for (const auto& [passes, batches] :
       {std::pair(EpochOf::images, 3), std::pair(EpochOf::captions, 6)}) {
    Recipe recipe = small("san");
    recipe.sample.epoch = passes;
    recipe.train.epochs = 2;
    EXPECT_EQ(train(*experiment(recipe), Scratch(), {}).state.step, 2 * batches);
  }
  for (const char* paper : {"scan", "san", "dan"}) {
    EXPECT_EQ(find_recipe(paper).sample.epoch, EpochOf::captions) << paper;
  }
}

INSTANTIATE_TEST_SUITE_P(Recipes, TrainerTest,
                         testing::Values("bag", "vse", "embn", "parallel-embn", "mule", "vse-c2c",
                                         "order", "pivot", "frozen", "translate-query", "smalr",
                                         "hem", "la", "liwe", "dictionary", "san", "dan", "scan",
                                         "hinny"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(TrainerTest, EverySystemOverfitsASmallSet) {
  Recipe recipe = small(GetParam());
  // LA pretrained takes words of like use for one.
  if (std::string(GetParam()) == "la") recipe.model.pretrain.epochs = 0;
  // Hinges that are averaged with those that are met already pull less.
  const bool slow =
      recipe.model.system == SystemKind::scan || recipe.model.loss.hinges == Reduction::mean;
  recipe.train.epochs = slow ? 300 : 80;
  const RecallTable table = learnt_by_heart(recipe);
  EXPECT_EQ(table.average(), 100.0) << as_text(table);
}

TEST_F(TrainerTest, WeighsTheHarderNegativesOfEveryLanguage) {
  Recipe recipe = small("san");
  recipe.train.epochs = 2;
  const auto weights = [&](const std::map<std::string, double>& of) {
    recipe.model.loss.language_weights = of;
    const auto trained = experiment(recipe);
    train(*trained, run_, {});
    return tensors_of(*trained->system).at("image.weight").clone();
  };
  recipe.model.loss.warmup_epochs = 0;
  const torch::Tensor alike = weights({});
  EXPECT_TRUE(weights({{"en", 2.0}, {"de", 2.0}}).equal(alike));
  EXPECT_FALSE(weights({{"en", 0.9}, {"de", 0.1}}).equal(alike));
  EXPECT_THROW(weights({{"en", 0.9}}), InputError);
  recipe.model.loss.language_weights = {};
  recipe.model.loss.kind = LossKind::infonce;  // has no hardest negative
  EXPECT_THROW(experiment(recipe), InputError);
  recipe = small("vse");
  recipe.model.loss.harder_negatives = true;
  EXPECT_THROW(experiment(recipe), InputError);
  recipe.model.loss.harder_negatives = false;
  recipe.model.loss.types = CaptionTypes::sources;
  EXPECT_THROW(experiment(recipe), InputError);
}

TEST_F(TrainerTest, AttentionSystemsRefuseKeysThatTheyIgnore) {
  for (const std::string key : {"loss.distance=order", "loss.neighbourhood=1", "text.project=true",
                                "image.hidden=64", "text.mule_dim=16", "pretrain.epochs=1"}) {
    Recipe recipe = small("scan");
    set_key(recipe, key);
    EXPECT_THAT([&] { experiment(recipe); }, testing::ThrowsMessage<InputError>(
                                                 testing::HasSubstr(key.substr(0, key.find('=')))))
        << key;
  }
}

TEST_F(TrainerTest, AttentionSystemsLearnByInfoNceToo) {
  for (const char* system : {"san", "scan"}) {
    Recipe recipe = small(system);
    recipe.model.loss.kind = LossKind::infonce;
    recipe.model.loss.harder_negatives = false;
    recipe.model.loss.warmup_epochs = 0;
    const RecallTable table = learnt_by_heart(recipe);
    EXPECT_GT(table.average(), 90.0) << system << as_text(table);
  }
}

TEST_F(TrainerTest, PretrainingNeedsTwoCaptionsOfAnImage) {
  for (const char* system : {"mule", "hem"}) {
    Recipe recipe = small(system);
    recipe.languages = {"en"};
    recipe.sample.captions_per_image = 1;
    recipe.train.epochs = 1;
    EXPECT_THAT([&] { train(*experiment(recipe), run_, {}); },
                testing::ThrowsMessage<InputError>(
                    testing::AllOf(testing::HasSubstr("sample.captions_per_image = 2"),
                                   testing::HasSubstr("pretrain.epochs = 0"))))
        << system;
    recipe.languages = {"en", "de"};
    recipe.model.loss.neighbours = NeighbourChoice::own;
    EXPECT_THROW(train(*experiment(recipe), run_, {}), InputError) << system;
    recipe.model.pretrain.epochs = 0;
    EXPECT_TRUE(train(*experiment(recipe), run_, {}).state.finished);
  }
}

// With pairs in one batch of many, the others teach nothing and are passed over.
TEST_F(TrainerTest, BatchesWithoutPairsArePassedOver) {
  const fs::path file = data_.folder() / "captions.jsonl";
  std::istringstream captions(read_file(file));
  std::string kept;
  for (std::string line; std::getline(captions, line);) {
    const int image = std::stoi(line.substr(std::string_view(R"({"image":"i)").size()));
    const bool german = line.find(R"("de")") != std::string::npos;
    if (!german || image == 0 || image >= 24) kept += line + "\n";  // 0 to 23 are trained on
  }
  write_file(file, kept);
  Recipe recipe = small("mule");
  recipe.sample.captions_per_image = 1;
  recipe.sample.images_per_batch = 4;
  recipe.train.epochs = 1;
  EXPECT_TRUE(train(*experiment(recipe), run_, {}).state.finished);
}

// What a run remembers of its training corrects its scores, and is of its best model.
TEST_F(TrainerTest, HubsAreRememberedAndCorrectScores) {
  Recipe recipe = small("hinny");
  recipe.hubs = {10, 20.0, 0.05};  // strong enough to be seen
  recipe.train.epochs = 2;
  const auto trained = experiment(recipe);
  train(*trained, run_, {});
  const HubBank bank = read_hubs(run_ / kHubsFile, 16);
  EXPECT_EQ(bank.weight, 20);
  ASSERT_EQ(bank.spaces.size(), 1U);
  EXPECT_EQ(bank.spaces.at("image").captions.size(), 10 * 16U);
  EXPECT_EQ(bank.spaces.at("image").images.size(), 10 * 16U);

  EvaluationOptions options;
  options.split = "test";
  const auto with = open_experiment(run_, data_.folder());
  OpenOptions off;
  off.hubs = false;
  const auto without = open_experiment(run_, data_.folder(), off);
  EXPECT_FALSE(without->hubs.has_value());
  SplitScorer corrected(*with, "test"), plain(*without, "test");
  const SplitCaptions captions = plain.captions(0);
  const ScoreMatrix a = corrected.scores(0, captions.captions, nullptr);
  const ScoreMatrix b = plain.scores(0, captions.captions, nullptr);
  const torch::Tensor pictures = plain.image_vectors(0, nullptr);
  const torch::Tensor sentences = plain.caption_vectors(0, captions.captions, nullptr);
  const auto of_pictures =
      hub_penalties(bank, bank.spaces.at("image").captions, vector_rows(pictures));
  const auto of_sentences =
      hub_penalties(bank, bank.spaces.at("image").images, vector_rows(sentences));
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    EXPECT_NEAR(
        a.values[i] - b.values[i],
        of_pictures[i / captions.captions.size()] + of_sentences[i % captions.captions.size()],
        1e-4);
  }
}

TEST_F(TrainerTest, NoHubsOfAModelThatComparesByOrder) {
  Recipe recipe = small("order");
  recipe.hubs.size = 10;
  EXPECT_THROW(experiment(recipe), InputError);
}

TEST_F(TrainerTest, WordVectorsStartFromTheirPrincipalComponents) {
  Recipe recipe = small("pca");
  recipe.model.text.vectors = "train";
  recipe.model.text.whiten = false;  // it would give all of them one variance
  recipe.model.text.pca = 20;
  recipe.model.text.dim = 6;
  const auto made = experiment(recipe);
  const torch::Tensor words = made->system->named_parameters()["text_en.words"].slice(0, 4);
  ASSERT_EQ(words.size(1), 6);
  // Uncorrelated, the largest first.
  const torch::Tensor centred = words - words.mean(0);
  const torch::Tensor products = centred.t().matmul(centred).detach();
  const torch::Tensor variances = products.diag();
  EXPECT_LT((products - variances.diag()).abs().max().item<double>(),
            1e-3 * variances.max().item<double>());
  EXPECT_GE(variances[0].item<double>(), variances[5].item<double>());
}

TEST_F(TrainerTest, ImagesWithoutFeaturesAreSaidOncePerSplit) {
  const fs::path ids = data_.folder() / "features" / "ids.txt";
  std::string text = read_file(ids);
  for (const std::string id : {"i3\n", "i30\n", "i31\n"}) {
    text.replace(text.find(id), 1, "x");
  }
  write_file(ids, text);
  Recipe recipe = small("bag");
  recipe.train.epochs = 3;
  testing::internal::CaptureStderr();
  train(*experiment(recipe), run_, {});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(count_of("train: 1 of 24 images have no features", said), 1) << said;
  EXPECT_EQ(count_of("val: 2 of 8 images have no features", said), 1) << said;
  EXPECT_EQ(count_of("have no features", said), 2) << said;
}

}  // namespace
}  // namespace hinny
