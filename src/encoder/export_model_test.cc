#include "encoder/export_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/atomic_file.h"
#include "base/error.h"
#include "encoder/image_encoder.h"
#include "encoder/model_fixture.h"
#include "encoder/text_encoder.h"
#include "tests/parameter_name.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double product = 0, a_squares = 0, b_squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += static_cast<double>(a[i]) * b[i];
    a_squares += static_cast<double>(a[i]) * a[i];
    b_squares += static_cast<double>(b[i]) * b[i];
  }
  return product / std::sqrt(a_squares * b_squares);
}

class ExportTest : public testing::TestWithParam<const char*> {
 protected:
  // German has an LSTM both ways, English a GRU, odd sizes.
  void SetUp() override {
    fixture.set_encoder(
        "de", {{"kind", "lstm"}, {"input", 5}, {"hidden", 67}, {"bidirectional", true}}, 134);
    fixture.set_encoder("en",
                        {{"kind", "gru"}, {"input", 5}, {"hidden", 33}, {"reset", GetParam()}}, 33);
    fixture.add("left.over", {100, 100});
    fixture.write(folder / "run");
  }
  Model exported(WeightType type, const char* name) const {
    std::filesystem::create_directories(folder / name);
    export_model(Model::open(folder / "run"), type, folder / name);
    return Model::open(folder / name);
  }
  ModelFixture fixture{3};
  const Scratch folder;
};

TEST_P(ExportTest, SmallerWeightsGiveNearlyTheSameVectors) {
  const Model whole = Model::open(folder / "run");
  const std::vector<std::pair<Model, double>> models = [&] {
    std::vector<std::pair<Model, double>> list;
    list.emplace_back(exported(WeightType::float32, "fp32"), 1e-12);
    list.emplace_back(exported(WeightType::bfloat16, "bf16"), 1e-4);
    list.emplace_back(exported(WeightType::int8, "int8"), 1e-3);
    return list;
  }();
  const std::vector<float> row = {0.5F, 2, -1, 0.25F, 3, 0, 1};
  for (const auto& [model, most] : models) {
    TextEncoder text(model);
    TextEncoder whole_text(whole);
    for (const char* language : {"de", "en"}) {
      const char* sentence = language[0] == 'd' ? "ein Hund läuft am Strand" : "a dog on the beach";
      EXPECT_GE(cosine(text.encode(sentence, language).vector,
                       whole_text.encode(sentence, language).vector),
                1 - most)
          << model.folder() << language;
    }
    EXPECT_GE(
        cosine(ImageEncoder(model).encode(row, "image"), ImageEncoder(whole).encode(row, "image")),
        1 - most);
    EXPECT_FALSE(model.weights().file().contains("left.over"));
  }
  const auto size = [&](const char* name) {
    return std::filesystem::file_size(folder / name / kWeightsFile);
  };
  EXPECT_LT(size("int8"), size("bf16"));
  EXPECT_LT(size("bf16"), size("fp32"));
}

TEST_P(ExportTest, OneVectorIsTheSameAloneAndAmongOthers) {
  const Model model = exported(WeightType::int8, "int8");
  Random random(1);
  std::vector<float> rows(2 * 7);
  for (float& number : rows) number = static_cast<float>(random.uniform(0, 1));
  const ImageEncoder images(model);
  const auto both = images.encode(rows, "image");
  const auto one = images.encode(std::span(rows).first(7), "image");
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], both[i], 1e-6);
}

TEST_P(ExportTest, NumbersThatAreNotFiniteAreRefused) {
  fixture.tensors["text_de.fc.weight"].numbers[3] = std::numeric_limits<float>::quiet_NaN();
  fixture.write(folder / "bad");
  std::filesystem::create_directories(folder / "out");
  EXPECT_THAT([&] { export_model(Model::open(folder / "bad"), WeightType::int8, folder / "out"); },
              ThrowsMessage<InputError>(
                  HasSubstr("'text_de.fc.weight' holds numbers that are not finite")));
}

INSTANTIATE_TEST_SUITE_P(Resets, ExportTest, testing::Values("before", "after"), NamedByText());

TEST(WeightType, OnlyThreeNamesAreKnown) {
  EXPECT_EQ(weight_type("int8"), WeightType::int8);
  EXPECT_THAT([] { weight_type("int4"); },
              ThrowsMessage<InputError>(HasSubstr("no weights 'int4' (expected fp32, bf16 or")));
}

// A file that was not written by export.
TEST(Int8Weights, ScalesThatDoNotFitAreRefused) {
  const Scratch folder;
  ModelFixture fixture;
  fixture.write(folder / "run");
  std::filesystem::create_directories(folder / "out");
  export_model(Model::open(folder / "run"), WeightType::int8, folder / "out");
  const auto file = SafetensorsFile::open(folder / "out" / kWeightsFile);
  for (const bool missing : {true, false}) {
    auto tensors = file.tensors();
    auto& scale = tensors.at("text_en.fc.weight.scale");
    scale.shape[0] -= 1;
    scale.bytes = scale.bytes.first(scale.bytes.size() - 4);
    if (missing) tensors.erase("text_en.fc.weight.scale");
    std::filesystem::create_directories(folder / "bad");
    for (const auto name : {kConfigFile, kVocabularyFile}) {
      copy_whole_file(folder / "out" / name, folder / "bad" / name);
    }
    write_safetensors(folder / "bad" / kWeightsFile, tensors);
    EXPECT_THAT([&] { Model::open(folder / "bad"); },
                ThrowsMessage<InputError>(HasSubstr("'text_en.fc.weight.scale'")));
  }
}

}  // namespace
}  // namespace hinny
