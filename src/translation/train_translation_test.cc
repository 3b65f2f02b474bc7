#include "translation/train_translation.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/npy.h"
#include "base/read_file.h"
#include "base/run_files.h"
#include "base/threads.h"
#include "recipe/read_recipe.h"
#include "tests/scratch.h"
#include "training/experiment/tensor_file.h"
#include "translation/augment.h"
#include "translation/bleu.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// Twenty pictures of a colour and a kind, named in English and German; and, where asked for, five
// of another kind with the same English name, "bank", which only the regions tell apart.
void write_pairs(const fs::path& folder, bool ambiguous = false) {
  const std::vector<std::string> colours[] = {{"red", "blue", "green", "white", "black"},
                                              {"rote", "blaue", "grüne", "weiße", "schwarze"}};
  const std::vector<std::string> kinds[] = {{"cup", "ship", "clock", "bank"},
                                            {"Tasse", "Fähre", "Uhr", "Bank"}};
  fs::create_directories(folder / "features");
  DatasetWriter writer(folder);
  NpyWriter grid(folder / "features" / "grid.npy", {2, 4}, NpyType::float32);
  std::string ids;
  for (std::size_t i = 0; i < (ambiguous ? 25 : 20); ++i) {
    const std::string id = "i" + std::to_string(i);
    const std::size_t colour = i % 5, kind = std::min<std::size_t>(i / 5, 3);
    for (const std::string split : {"train", "val"}) {
      const std::string name = split + id;
      writer.image({name, split, ""});
      writer.caption(name, "en", "there is a " + colours[0][colour] + " " + kinds[0][kind],
                     Source::human_original);
      const bool river = i >= 20;
      writer.caption(
          name, "de",
          "da ist eine " + colours[1][colour] + " " + (river ? "Böschung" : kinds[1][kind]),
          Source::human_translation);
      grid.append(std::vector<float>{0, 0, 0, 0, river ? 1.0F : 0.0F, river ? 0.0F : 1.0F, 0, 0});
      ids += name + "\n";
    }
  }
  writer.commit();
  grid.commit();
  write_file(folder / "features" / "ids.txt", ids);
}

Recipe small(SystemKind system) {
  Recipe recipe = find_recipe("nmt");
  recipe.model.system = system;
  if (system == SystemKind::mmt) recipe.model.image.features = "grid";
  recipe.model.precision = Precision::fp32;
  recipe.translation.directions = {"en-de"};
  recipe.translation.merges = 200;
  recipe.translation.embedding = 32;
  recipe.translation.hidden = 64;
  recipe.translation.dropout = 0.0;
  recipe.translation.smoothing = 0.0;
  recipe.translation.batch_words = 60;
  recipe.train.epochs = 60;
  recipe.train.validate_every = 20;
  recipe.train.warmup_steps = 0;
  recipe.train.schedule = Schedule::constant;
  recipe.train.learning_rate = 5e-3;
  return recipe;
}

class TrainTranslation : public testing::Test {
 protected:
  void SetUp() override { set_thread_count(1); }
  std::unique_ptr<TranslationExperiment> made(const Recipe& recipe, const fs::path& run,
                                              const fs::path& from = {}) const {
    auto experiment = new_translation(recipe, data_, from, torch::Device(torch::kCPU));
    write_translation_setup(run, experiment->model);
    return experiment;
  }
  Scratch data_, run_;
};

TEST_F(TrainTranslation, OverfitsTwentySentences) {
  write_pairs(data_);
  const auto experiment = made(small(SystemKind::nmt), run_);
  EXPECT_EQ(train(*experiment, run_, {}).best_score, 100);
  TranslationModel model = open_translation(run_, torch::Device(torch::kCPU));
  const std::vector<std::string> sentences = {"there is a green clock", "",
                                              "there is a black ship"};
  for (const std::int64_t beam : {1, 4}) {
    TranslateOptions options;
    options.beam = beam;
    const auto found = translate(model, model.direction("en", "de"), sentences, options);
    ASSERT_EQ(found.size(), 3);
    EXPECT_EQ(found[0].front().text, "da ist eine grüne uhr");
    EXPECT_EQ(found[1].front().text, "");
    EXPECT_EQ(found[2].front().text, "da ist eine schwarze fähre");
  }
  EXPECT_THROW(model.direction("de", "en"), InputError);
}

TEST_F(TrainTranslation, LearnsFromTheCaptionsThatDataLeaves) {
  write_pairs(data_);
  Recipe recipe = small(SystemKind::nmt);
  const std::size_t all = made(recipe, run_)->train.front().pairs.size();
  recipe.data.images = 0.5;
  EXPECT_EQ(made(recipe, run_)->train.front().pairs.size(), (all + 1) / 2);
  recipe.data.sources = {"mmt"};
  EXPECT_THROW(made(recipe, run_), InputError);
}

TEST_F(TrainTranslation, OneModelTranslatesBothWays) {
  write_pairs(data_);
  Recipe recipe = small(SystemKind::nmt);
  recipe.translation.directions = {};
  const auto experiment = made(recipe, run_);
  EXPECT_EQ(train(*experiment, run_, {}).best_score, 100);
}

// A model that sees goes on from one that does not, and tells apart what text alone cannot.
TEST_F(TrainTranslation, AModelThatSeesGoesOnFromTextAlone) {
  write_pairs(data_, /*ambiguous=*/true);
  const auto text_only = made(small(SystemKind::nmt), run_);
  EXPECT_LT(train(*text_only, run_, {}).best_score, 100);
  const Scratch seeing;
  Recipe longer = small(SystemKind::mmt);
  longer.train.epochs = 150;
  const auto experiment = made(longer, seeing, run_);
  const NamedTensors before = read_tensors(run_ / kWeightsFile).tensors;
  EXPECT_TRUE(tensors_of(*experiment->model.net).at("words").equal(before.at("words")));
  EXPECT_EQ(train(*experiment, seeing, {}).best_score, 100);

  const auto opened = open_translation_on(seeing, data_, "", torch::Device(torch::kCPU));
  const SentencePairs pairs = sentence_pairs(opened->dataset, "val", {"en", "de"});
  TranslateOptions greedy;  // as validation does, whose score it is
  greedy.beam = 1;
  const Measured measured =
      translate_pairs(*opened, opened->model.directions.front(), pairs, greedy);
  EXPECT_EQ(bleu(measured.translations, {measured.references}, {.lower_case = true}).score, 100);
}

// What a model that sees is to be compared with.
TEST_F(TrainTranslation, AModelOfTextAloneGoesOnToo) {
  write_pairs(data_);
  Recipe recipe = small(SystemKind::nmt);
  recipe.train.epochs = 2;
  train(*made(recipe, run_), run_, {});
  const Scratch further;
  const auto experiment = made(recipe, further, run_);
  const NamedTensors before = read_tensors(run_ / kWeightsFile).tensors;
  const NamedTensors own = tensors_of(*experiment->model.net);
  EXPECT_EQ(own.size(), before.size());
  for (const auto& [name, tensor] : own) EXPECT_TRUE(tensor.equal(before.at(name))) << name;
}

TEST_F(TrainTranslation, OneSeedGivesOneModel) {
  write_pairs(data_);
  Recipe recipe = small(SystemKind::nmt);
  recipe.translation.dropout = 0.2;
  recipe.train.epochs = 3;
  const auto weights = [&](const fs::path& run) { return read_file(run / kWeightsFile); };
  train(*made(recipe, run_), run_, {});
  const Scratch again, other;
  train(*made(recipe, again), again, {});
  EXPECT_EQ(weights(run_), weights(again));
  recipe.train.seed = 2;
  train(*made(recipe, other), other, {});
  EXPECT_NE(weights(run_), weights(other));
}

std::vector<nlohmann::json> lines_of(const fs::path& file) {
  std::vector<nlohmann::json> lines;
  for_each_line(file, [&](std::string_view line, std::size_t) {
    lines.push_back(nlohmann::json::parse(line));
  });
  return lines;
}

TEST_F(TrainTranslation, AugmentsADatasetAndGoesOnWhereItStopped) {
  write_pairs(data_);
  ASSERT_EQ(train(*made(small(SystemKind::nmt), run_), run_, {}).best_score, 100);
  const auto opened = open_translation_on(run_, data_, "", torch::Device(torch::kCPU));
  const Scratch place;
  const fs::path out = place / "more", partial = place / "more.partial";
  AugmentOptions options;
  options.direction = {"en", "de"};
  const auto run = [&] { return augment(*opened, run_, out, options); };

  // It breaks when all is translated and nothing written.
  fs::rename(data_ / "images.jsonl", data_ / "away.jsonl");
  EXPECT_THROW(run(), InputError);
  fs::rename(data_ / "away.jsonl", data_ / "images.jsonl");
  EXPECT_FALSE(fs::exists(out));
  std::string kept = read_file(partial);
  const std::string first = "da ist eine rote tasse";
  ASSERT_NE(kept.find(first), std::string::npos);
  write_file(partial, kept.replace(kept.find(first), first.size(), "kept"));
  EXPECT_THROW(run(), InputError);  // not without --resume
  options.resume = true;
  options.search.beam = 2;
  EXPECT_THROW(run(), InputError);  // nor with other options
  options.search.beam = 5;
  EXPECT_EQ(run().captions, 20);
  EXPECT_FALSE(fs::exists(partial));
  EXPECT_THROW(run(), InputError);  // never over what is there

  const auto lines = lines_of(out / "captions.jsonl");
  ASSERT_EQ(lines.size(), 80 + 20);
  EXPECT_EQ(lines[80]["text"], "kept");
  EXPECT_EQ(lines[81]["text"], "da ist eine blaue tasse");
  EXPECT_EQ(lines[81]["source"], "machine-translation");
  EXPECT_EQ(lines[81]["model"], content_hash(run_ / kWeightsFile));
  EXPECT_EQ(lines[81]["translated_from"], "en");
  EXPECT_EQ(lines[81]["original"], "there is a blue cup");
  EXPECT_EQ(read_file(out / "captions.jsonl").substr(0, 1000),
            read_file(data_ / "captions.jsonl").substr(0, 1000));
  EXPECT_EQ(read_file(out / "features" / "grid.npy"), read_file(data_ / "features" / "grid.npy"));
  EXPECT_EQ(Dataset::load(out).captions().size(), 100);
}

TEST_F(TrainTranslation, RefusesDataWithoutPairs) {
  write_pairs(data_);
  Recipe recipe = small(SystemKind::mmt);
  recipe.model.image.features = "";
  EXPECT_THROW(made(recipe, run_), InputError);
  recipe = small(SystemKind::nmt);
  recipe.translation.directions = {"en-fr"};
  EXPECT_THROW(made(recipe, run_), InputError);
}

}  // namespace
}  // namespace hinny
