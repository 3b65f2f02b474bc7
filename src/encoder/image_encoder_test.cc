#include "encoder/image_encoder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "encoder/model_fixture.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

class ImageEncoderTest : public testing::Test {
 protected:
  const Scratch folder;
};

// Transform, linear, batch norm, relu, linear, l2: each as its definition says, in double.
std::vector<double> reference(const ModelFixture& model, const float* row) {
  const auto number = [&](const std::string& name, std::size_t i) {
    return static_cast<double>(model.tensors.at(name).numbers[i]);
  };
  std::vector<double> x(7);
  for (std::size_t i = 0; i < 7; ++i) {
    const auto value = static_cast<double>(row[i]);
    x[i] = (std::copysign(std::sqrt(std::abs(value)), value) - number("features.mean", i)) *
           number("features.scale", i);
  }
  std::vector<double> hidden(19);
  for (std::size_t h = 0; h < 19; ++h) {
    double sum = number("image.fc.bias", h);
    for (std::size_t i = 0; i < 7; ++i) sum += number("image.fc.weight", h * 7 + i) * x[i];
    sum = (sum - number("image.norm.running_mean", h)) /
          std::sqrt(number("image.norm.running_var", h) + 1e-5);
    sum = sum * number("image.norm.weight", h) + number("image.norm.bias", h);
    hidden[h] = std::max(0.0, sum);
  }
  std::vector<double> result(6);
  double squares = 0;
  for (std::size_t o = 0; o < 6; ++o) {
    result[o] = number("image.out.bias", o);
    for (std::size_t h = 0; h < 19; ++h) {
      result[o] += number("image.out.weight", o * 19 + h) * hidden[h];
    }
    squares += result[o] * result[o];
  }
  for (double& value : result) value /= std::sqrt(squares);
  return result;
}

TEST_F(ImageEncoderTest, BatchesAndSingleRowsAgreeWithTheFormula) {
  ModelFixture fixture;
  fixture.write(folder);
  const Model model = Model::open(folder);
  const ImageEncoder encoder(model);
  Random random(5);
  std::vector<float> rows(9 * 7);
  for (float& number : rows) number = static_cast<float>(random.uniform(-2, 4));
  const std::vector<float> batch = encoder.encode(rows, "image");
  ASSERT_EQ(batch.size(), 9U * 6U);
  for (std::size_t i = 0; i < 9; ++i) {
    const auto single = encoder.encode(std::span(rows).subspan(i * 7, 7), "image");
    const auto wanted = reference(fixture, rows.data() + i * 7);
    for (std::size_t d = 0; d < 6; ++d) {
      EXPECT_NEAR(batch[i * 6 + d], wanted[d], 1e-4);
      EXPECT_NEAR(single[d], wanted[d], 1e-4);
    }
  }
}

// To the last bit: an index that pictures are added to, or that is made in parts, is the one that
// is made at once.
TEST_F(ImageEncoderTest, AVectorDependsNeitherOnItsPlaceNorOnItsCompany) {
  ModelFixture().write(folder);
  const Model model = Model::open(folder);
  const ImageEncoder encoder(model);
  constexpr std::size_t kCount = 301;
  Random random(6);
  std::vector<float> rows(kCount * 7);
  for (float& number : rows) number = static_cast<float>(random.uniform(-2, 4));
  const std::vector<float> batch = encoder.encode(rows, "image");
  for (const std::size_t size : {1U, 6U, 64U, 65U, 128U}) {
    for (std::size_t first = 0; first < kCount; first += size) {
      const std::size_t count = std::min(size, kCount - first);
      const auto some = encoder.encode(std::span(rows).subspan(first * 7, count * 7), "image");
      ASSERT_TRUE(std::equal(some.begin(), some.end(), batch.begin() + first * 6)) << first;
    }
  }
}

TEST_F(ImageEncoderTest, NoRowsGiveNoVectorsAndUnknownSpacesAreRefused) {
  ModelFixture().write(folder);
  const Model model = Model::open(folder);
  const ImageEncoder encoder(model);
  EXPECT_TRUE(encoder.encode({}, "image").empty());
  EXPECT_THROW(encoder.encode({}, "pictures"), InputError);
  EXPECT_THROW(encoder.encode(std::vector<float>(8), "image"), std::invalid_argument);
}

}  // namespace
}  // namespace hinny
