#include "systems/teacher.h"

#include <ATen/ops/eye.h>

#include "base/error.h"
#include "tests/small_system.h"

namespace hinny {
namespace {

const SmallSystem::Keys kTeacher = {"system=teacher", "dim=6", "teacher.temperature=0.2",
                                    "teacher.contrast=0.8", "teacher.squares=3"};

double squares(const Items& sentences, const Rows& wanted) {
  double sum = 0;
  for (std::size_t i = 0; i < sentences.vectors.size(); ++i) {
    const auto& row = wanted[static_cast<std::size_t>(sentences.images[i])];
    for (std::size_t n = 0; n < row.size(); ++n) {
      sum += (sentences.vectors[i][n] - row[n]) * (sentences.vectors[i][n] - row[n]);
    }
  }
  return sum / static_cast<double>(sentences.vectors.size());
}

TEST(Teacher, LossIsContrastAndSquaresByLanguage) {
  const SmallSystem small(kTeacher);
  const LossByHand contrast{.temperature = 0.2, .text_to_image = 1, .image_to_text = 1};
  expect_terms(small.losses(), {{"contrast_en", small.ranking(contrast, 0), 0.4},
                                {"squares_en", squares(small.sentences(0), small.images(0)), 1.5},
                                {"contrast_de", small.ranking(contrast, 1), 0.4},
                                {"squares_de", squares(small.sentences(1), small.images(1)), 1.5}});
}

// Pictures are the teacher's vectors: none of the parameters are theirs.
TEST(Teacher, PicturesStayButForTheirLength) {
  const SmallSystem small(kTeacher);
  const torch::Tensor pictures = small.system->encode_images(small.batch.features, {});
  const torch::Tensor lengths = small.batch.features.norm(2, {1}, true);
  EXPECT_TRUE(torch::allclose(pictures * lengths, small.batch.features));
  for (const auto& parameter : small.system->named_parameters()) {
    EXPECT_TRUE(parameter.key().starts_with("text_")) << parameter.key();
  }
  const ModelConfig config = small.system->describe();
  ASSERT_EQ(config.image.size(), 1U);
  EXPECT_EQ(config.image.begin()->second, std::vector<LayerSpec>{{LayerKind::l2}});
}

TEST(Teacher, PicturesOfAnotherSizeAreRefused) {
  EXPECT_THROW(SmallSystem({"system=teacher", "dim=5"}), InputError);
}

// A sentence is where the mean of its words lies along the directions.
TEST(Teacher, StartsAlongTheDirections) {
  SmallSystem small(kTeacher);
  for (const char* name : {"text_en.fc.weight", "text_en.fc.bias"}) {
    const torch::NoGradGuard no_gradient;
    small.parameter(name).zero_();
  }
  const torch::Tensor directions = at::eye(6, at::kDouble).narrow(1, 1, 4);
  small.system->start_along(directions, at::ones({4}));
  EXPECT_TRUE(torch::equal(small.parameter("text_en.fc.weight"), directions));
  EXPECT_THROW(small.system->start_along(at::eye(6, at::kDouble), at::ones({6})), InputError);
  EXPECT_THROW(small.system->start_along(at::eye(5, at::kDouble), at::ones({5})), InputError);
}

}  // namespace
}  // namespace hinny
