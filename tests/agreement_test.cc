// The encoder, which has no libtorch, gives the vectors that training computed.
#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "encoder/image_encoder.h"
#include "encoder/text_encoder.h"
#include "tests/program.h"
#include "tests/tiny_dataset.h"
#include "training/start/open_experiment.h"

namespace hinny {
namespace {

struct Variant {
  const char* name;
  const char* recipe;
  std::vector<std::string> set;
  const char* features = "toy";
};

class Agreement : public testing::TestWithParam<Variant> {};

void expect_near(const torch::Tensor& theirs, std::span<const float> ours) {
  ASSERT_EQ(theirs.numel(), static_cast<std::int64_t>(ours.size()));
  const auto* numbers = theirs.data_ptr<float>();
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(numbers[i], ours[i], 2e-5) << i;
}

TEST_P(Agreement, EncoderAndTrainingGiveTheSameVectors) {
  TinyDataset data;
  Scratch scratch;
  const std::string run = scratch / "run";
  std::vector<std::string> words = {"train",      GetParam().recipe,
                                    "--data",     data.folder(),
                                    "--features", GetParam().features,
                                    "--out",      run,
                                    "--threads",  "1"};
  std::vector<std::string> keys = {
      "text.dim=12", "text.min_count=1", "text.vectors=random",      "text.hidden=16",
      "dim=16",      "train.epochs=2",   "sample.images_per_batch=8"};
  if (std::string(GetParam().recipe) == "dictionary") {
    keys.push_back("text.dictionary=" + (data.folder() / "dictionaries").string());
  }
  keys.insert(keys.end(), GetParam().set.begin(), GetParam().set.end());
  for (const std::string& key : keys) words.insert(words.end(), {"--set", key});
  const Outcome trained = run_hinny(words);
  ASSERT_EQ(trained.code, 0) << trained.err;

  const auto e = open_experiment(run, data.folder());
  const Model model = Model::open(run);
  TextEncoder text(model);
  const ImageEncoder images(model);
  const torch::NoGradGuard no_gradient;
  e->system->eval();
  for (int language = 0; language < 2; ++language) {
    const std::string& code = e->dataset.languages()[static_cast<std::size_t>(language)];
    for (const int image : e->dataset.split("test")) {
      for (const int caption : e->dataset.captions_of(image, language)) {
        const std::vector<int> one = {caption};
        expect_near(
            e->system->encode_captions(e->builder.captions(one, {}),
                                       e->system_language[static_cast<std::size_t>(language)]),
            text.encode(e->dataset.captions()[static_cast<std::size_t>(caption)].text, code)
                .vector);
      }
      const std::vector<int> one = {image};
      std::vector<float> row(static_cast<std::size_t>(e->features.dim()));
      e->features.gather(one, row);
      expect_near(e->system->encode_images(e->builder.images(one),
                                           e->system_language[static_cast<std::size_t>(language)]),
                  images.encode(row, model.text(code).space));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Towers, Agreement,
    testing::Values(Variant{"mean", "bag", {}}, Variant{"gru", "vse", {}},
                    Variant{"gru_both_ways", "vse", {"text.bidirectional=true", "dim=32"}},
                    Variant{"lstm", "embn", {}}, Variant{"order", "order", {}},
                    Variant{"hybrid",
                            "smalr",
                            {"text.mule_dim=10", "text.latents=20", "text.own_words=5",
                             "text.own_dim=6"}},
                    Variant{"borrowed", "dictionary", {"text.mule_dim=10", "text.rare=1000"}},
                    // Words that the vocabulary lacks, and characters that it does.
                    Variant{"spelled", "liwe", {"text.characters=6", "text.min_count=20"}},
                    Variant{"shared_word_space", "mule", {"text.mule_dim=10"}},
                    Variant{"lstm_both_ways", "parallel-embn", {"text.bidirectional=true"}},
                    Variant{"context_attention", "san", {}, "grid"},
                    Variant{"memory_attention", "dan", {}, "grid"},
                    Variant{"visual_layer", "dan", {"attention.visual_layer=true"}, "grid"},
                    Variant{"one_way_attention", "san", {"text.bidirectional=false"}, "grid"},
                    Variant{"unknown_words_as_token",
                            "bag",
                            {"text.unknown=token", "text.min_count=6", "text.markers=true"}}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace hinny
