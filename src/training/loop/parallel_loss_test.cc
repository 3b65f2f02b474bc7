#include "training/loop/parallel_loss.h"

#include <gmock/gmock.h>
#include <torch/utils.h>

#include <cmath>
#include <numeric>
#include <sstream>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "recipe/read_recipe.h"
#include "retrieval/recall.h"
#include "tests/scratch.h"
#include "tests/tiny_dataset.h"
#include "training/evaluation/evaluate.h"
#include "training/evaluation/paired_evaluation.h"
#include "training/experiment/model_files.h"
#include "training/loop/trainer.h"
#include "training/start/new_experiment.h"
#include "training/start/open_experiment.h"
#include "training/start/picture_words.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

// The tiny set, of which one training image alone speaks German, and lines in English and German of
// every colour and kind.
class ParallelTest : public testing::Test {
 protected:
  ParallelTest() {
    const fs::path file = data_.folder() / "captions.jsonl";
    std::istringstream captions(read_file(file));
    std::string kept;
    for (std::string line; std::getline(captions, line);) {
      const int image = std::stoi(line.substr(std::string_view(R"({"image":"i)").size()));
      const bool german = line.find(R"("de")") != std::string::npos;
      if (!german || image == 0 || image >= 24) kept += line + "\n";
    }
    write_file(file, kept);

    const std::string en[] = {"red", "blue", "green", "white", "black"};
    const std::string de[] = {"rot", "blau", "gruen", "weiss", "schwarz"};
    const std::string things[][2] = {
        {"ball", "Ball"}, {"house", "Haus"}, {"tree", "Baum"}, {"car", "Auto"}};
    DatasetWriter writer(lines());
    for (std::size_t i = 0; i < 20; ++i) {
      const std::string id = "l" + std::to_string(i);
      writer.image({id, "train", ""});
      writer.caption(id, "en", en[i % 5] + " " + things[i / 5][0], Source::human_original);
      writer.caption(id, "de", de[i % 5] + " " + things[i / 5][1], Source::human_translation);
      writer.caption(id, "fr", "rien", Source::human_translation);  // no language of the model
    }
    writer.image({"alone", "train", ""});
    writer.caption("alone", "en", "a line in one language", Source::human_original);
    writer.image({"kept", "test", ""});
    writer.caption("kept", "en", "not to be learnt from", Source::human_original);
    writer.caption("kept", "de", "verboten", Source::human_translation);
    writer.commit();
  }
  fs::path lines() const { return scratch_ / "lines"; }

  Recipe recipe(bool with_lines) const {
    Recipe recipe = find_recipe("hinny");
    recipe.model.image = {
        "toy", false, true, 32, true, 0.0, 0.0, Sharing::shared, ImageStart::directions};
    recipe.model.text.min_count = 1;
    recipe.model.text.dim = 16;
    recipe.model.text.dropout = 0;
    recipe.model.dim = 16;
    recipe.sample.images_per_batch = 8;
    recipe.train.epochs = 20;
    recipe.train.learning_rate = 1e-2;
    recipe.parallel.lines = 8;
    if (with_lines) recipe.parallel.data = lines();
    return recipe;
  }
  std::unique_ptr<Experiment> experiment(const Recipe& recipe) const {
    return new_experiment(recipe, data_.folder(), torch::Device(torch::kCPU));
  }
  double german(const Recipe& recipe) const {
    fs::remove_all(scratch_ / "run"), fs::create_directories(scratch_ / "run");
    const auto trained = experiment(recipe);
    train(*trained, scratch_ / "run", {});
    const RecallTable table = evaluate(*trained, {"test", 1, false}).table;
    return table.languages[0].language == "de" ? table.languages[0].mean()
                                               : table.languages[1].mean();
  }

  TinyDataset data_;
  Scratch scratch_;
};

TEST_F(ParallelTest, ALanguageWithoutCaptionsLearnsFromLines) {
  EXPECT_LT(german(recipe(false)), 60);
  EXPECT_GT(german(recipe(true)), 80);
}

// Not one caption says a word of it, in any split; whoever has captions later can measure it.
TEST_F(ParallelTest, ALanguageThatTheDatasetIsSilentInIsLearntToo) {
  const TinyDataset spoken;
  const fs::path file = data_.folder() / "captions.jsonl";
  std::istringstream captions(read_file(file));
  std::string kept;
  for (std::string line; std::getline(captions, line);) {
    if (line.find(R"("de")") == std::string::npos) kept += line + "\n";
  }
  write_file(file, kept);
  Recipe both = recipe(true);
  both.languages = {"en", "de"};
  const fs::path run = scratch_ / "run";
  fs::create_directories(run);
  const auto trained = experiment(both);
  write_model_setup(run, *trained);
  train(*trained, run, {});
  const RecallTable here = evaluate(*trained, {"test", 1, false}).table;
  ASSERT_EQ(here.languages.size(), 1U);
  EXPECT_EQ(here.languages[0].language, "en");
  const RecallTable there =
      evaluate(*open_experiment(run, spoken.folder()), {"test", 1, false}).table;
  ASSERT_EQ(there.languages.size(), 2U);
  EXPECT_EQ(there.languages[1].language, "de");
  EXPECT_GT(there.languages[1].mean(), 80);
  EXPECT_EQ(
      evaluate(*open_experiment(run, data_.folder()), {"test", 1, false}).table.languages.size(),
      1U);
  const auto one = open_experiment(run, data_.folder()),
             other = open_experiment(run, data_.folder());
  EXPECT_EQ(evaluate_against(*one, *other, {"test", 1, false}).languages.size(), 1U);
  // A language that the lines lack as well is a mistake.
  both.languages = {"en", "cs"};
  EXPECT_THAT([&] { experiment(both); },
              ThrowsMessage<InputError>(HasSubstr("no captions in language 'cs'")));
}

TEST_F(ParallelTest, LinesOfTheTrainSplitInTwoLanguagesAreRead) {
  Recipe all = recipe(true);
  all.languages = {"de", "en"};
  const auto parallel = load_parallel_sentences(all, all.languages);
  ASSERT_TRUE(parallel.has_value());
  EXPECT_THAT(parallel->dataset.languages(), testing::ElementsAre("de", "en"));
  EXPECT_EQ(parallel->pivot, 1);
  EXPECT_EQ(parallel->sentences.size(), 20U);
  const auto e = experiment(recipe(true));
  EXPECT_TRUE(e->vocabularies.at("de").contains("schwarz"));
  EXPECT_FALSE(e->vocabularies.at("de").contains("verboten"));
  EXPECT_FALSE(e->vocabularies.at("en").contains("line"));
  EXPECT_FALSE(experiment(recipe(false))->vocabularies.at("de").contains("schwarz"));
}

TEST_F(ParallelTest, WordsOfLinesStartAsWhatTheOthersShow) {
  const auto e = experiment(recipe(true));
  const std::vector<int> images = train_images(e->dataset, e->features);
  const auto all = picture_words(*e, images, picture_directions(*e, images, 9), 9);
  const bool german_first = e->dataset.languages()[0] == "de";
  const auto cosine = [&](const char* german, const char* english) {
    const auto a = all[german_first ? 0 : 1].find(german);
    const auto b = all[german_first ? 1 : 0].find(english);
    const auto product = [](auto x, auto y) {
      return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    };
    return product(a, b) / std::sqrt(product(a, a) * product(b, b));
  };
  EXPECT_GT(cosine("schwarz", "black"), 0.8);
  EXPECT_GT(cosine("baum", "tree"), 0.8);
  EXPECT_LT(cosine("baum", "black"), 0.5);
}

// -log softmax both ways, of German lines against the English ones as they are.
TEST_F(ParallelTest, LossIsInfoNceAgainstAFixedPivot) {
  Recipe small = recipe(true);
  small.parallel.lines = 20;
  small.parallel.weight = 3;
  small.parallel.temperature = 0.2;
  const auto e = experiment(small);
  e->system->eval();
  ParallelLoss parallel(*e);
  const torch::Tensor loss = parallel.of_batch(4);
  EXPECT_TRUE(torch::equal(parallel.of_batch(4), loss));
  EXPECT_TRUE(torch::equal(ParallelLoss(*e).of_batch(4), loss));
  loss.backward();
  for (const auto& parameter : e->system->named_parameters()) {
    if (parameter.key().find("text_") == std::string::npos) continue;
    const torch::Tensor gradient = parameter.value().grad();
    const bool learns = gradient.defined() && gradient.abs().sum().item<double>() > 0;
    EXPECT_EQ(learns, parameter.key().find("text_de") != std::string::npos) << parameter.key();
  }

  const BatchBuilder builder(*e->parallel_corpus, e->features, e->transform, nullptr,
                             e->parallel->languages, torch::Device(torch::kCPU));
  const auto encode = [&](int language) {
    std::vector<int> captions;
    for (const int line : e->parallel->sentences) {
      captions.push_back(e->parallel->dataset.captions_of(line, language).front());
    }
    return e->system->encode_captions(builder.captions(captions, {}),
                                      e->parallel->languages[static_cast<std::size_t>(language)]);
  };
  const torch::NoGradGuard no_gradient;
  const torch::Tensor scores =
      encode(1 - e->parallel->pivot).matmul(encode(e->parallel->pivot).t()) / 0.2;
  const torch::Tensor both = scores.log_softmax(0).diag() + scores.log_softmax(1).diag();
  EXPECT_NEAR(loss.item<double>(), -3 * both.mean().item<double>() / 2, 1e-4);
}

TEST_F(ParallelTest, EachPassTakesEveryLineOnce) {
  Recipe small = recipe(true);
  small.parallel.lines = 10;
  const auto e = experiment(small);
  e->system->eval();
  ParallelLoss parallel(*e);
  const double first = parallel.of_batch(0).item<double>();
  const double second = parallel.of_batch(1).item<double>();
  EXPECT_NE(first, second);
  EXPECT_NE(parallel.of_batch(2).item<double>(), first);  // in another order
  EXPECT_EQ(parallel.of_batch(0).item<double>(), first);
}

TEST_F(ParallelTest, DataThatTeachesNothingIsRefused) {
  Recipe wrong = recipe(true);
  wrong.parallel.pivot = "fr";
  EXPECT_THAT([&] { experiment(wrong); }, ThrowsMessage<InputError>(HasSubstr("'fr'")));
  wrong = recipe(true);
  wrong.languages = {"en"};
  EXPECT_THAT([&] { experiment(wrong); }, ThrowsMessage<InputError>(HasSubstr("parallel.pivot")));
  wrong = recipe(true);
  wrong.parallel.data = scratch_ / "none";
  EXPECT_THROW(experiment(wrong), InputError);
}

}  // namespace
}  // namespace hinny
