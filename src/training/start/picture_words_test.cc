#include "training/start/picture_words.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "recipe/read_recipe.h"
#include "tests/parameter_name.h"
#include "tests/tiny_dataset.h"
#include "training/start/new_experiment.h"

namespace hinny {
namespace {

class PictureWords : public testing::TestWithParam<const char*> {
 protected:
  std::vector<WordVectors> words(std::int64_t dim) {
    Recipe recipe = find_recipe("bag");
    recipe.model.image.features = GetParam();
    recipe.model.text.min_count = 1;
    const auto made = new_experiment(recipe, data_.folder(), torch::Device(torch::kCPU));
    languages_ = made->dataset.languages();
    const std::vector<int> images = train_images(made->dataset, made->features);
    return picture_words(*made, images, picture_directions(*made, images, dim), dim);
  }
  const WordVectors& of(const std::vector<WordVectors>& all, const std::string& language) const {
    return all[static_cast<std::size_t>(std::ranges::find(languages_, language) -
                                        languages_.begin())];
  }

  TinyDataset data_;
  std::vector<std::string> languages_;
};

double product(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double cosine(std::span<const float> a, std::span<const float> b) {
  return product(a, b) / std::sqrt(product(a, a) * product(b, b));
}

TEST_P(PictureWords, WordsOfTheSamePicturesStartTogether) {
  const auto all = words(9);
  const WordVectors &en = of(all, "en"), &de = of(all, "de");
  EXPECT_GT(cosine(en.find("red"), de.find("rot")), 0.999);
  EXPECT_LT(cosine(en.find("red"), en.find("blue")), 0.2);
  EXPECT_LT(cosine(en.find("ball"), en.find("house")), 0.2);
  // Said of every picture, so of none in particular.
  EXPECT_LT(product(en.find("there"), en.find("there")),
            0.05 * product(en.find("red"), en.find("red")));
}

TEST_P(PictureWords, HaveOneSpreadAndZerosWhereFeaturesEnd) {
  double squares = 0, count = 0;
  for (const WordVectors& language : words(20)) {
    ASSERT_EQ(language.dim(), 20);
    squares += product(language.rows(), language.rows());
    count += static_cast<double>(language.rows().size());
    for (std::size_t i = 12; i < 20; ++i) EXPECT_EQ(language.row(0)[i], 0);
  }
  EXPECT_NEAR(std::sqrt(squares / count), 0.3, 1e-4);
}

// Before any training a caption finds the pictures of its colour and kind.
TEST(PictureStart, FindsPicturesUntrained) {
  const TinyDataset data;
  Recipe recipe = find_recipe("hinny");
  recipe.model.image = {
      "toy", false, true, 32, true, 0.0, 0.0, Sharing::shared, ImageStart::directions};
  recipe.model.text.min_count = 1;
  recipe.model.text.dim = 16;
  recipe.model.text.dropout = 0;
  recipe.model.dim = 16;
  const auto e = new_experiment(recipe, data.folder(), torch::Device(torch::kCPU));
  const std::vector<int> images = train_images(e->dataset, e->features);
  const torch::NoGradGuard no_gradient;
  const torch::Tensor features = e->builder.images(images);
  int found = 0;
  for (const int image : images) {
    const std::vector<int> caption = {e->dataset.captions_of(image, 0).front()};
    const torch::Tensor scores =
        e->system->pair_scores(features, e->builder.captions(caption, {}), SystemLanguage{0});
    const int best = images[static_cast<std::size_t>(scores.argmax().item<std::int64_t>())];
    found += best % 20 == image % 20 ? 1 : 0;  // the same colour and kind
  }
  EXPECT_GE(found, 16) << "of " << images.size();

  EXPECT_THROW(picture_directions(*e, {images.front()}, 16), InputError);

  recipe.model.text.encoder = EncoderKind::gru;
  EXPECT_THROW(new_experiment(recipe, data.folder(), torch::Device(torch::kCPU)), InputError);
}

INSTANTIATE_TEST_SUITE_P(Features, PictureWords, testing::Values("toy", "grid"), NamedByText());

}  // namespace
}  // namespace hinny
