// Each family's towers beside an implementation that shares nothing with ours:
// tests/reference/pretrained in PyTorch, which made tests/pretrained/folders with what is expected
// of each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/npy.h"
#include "base/run_files.h"
#include "base/temporary_folder.h"
#include "encoder/layers.h"
#include "encoder/text_encoder.h"
#include "pretrained/family.h"
#include "pretrained/picture_size.h"
#include "pretrained/pretrained_bundle.h"
#include "transformer/text_tower.h"
#include "vision/picture.h"
#include "vision/picture_encoder.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Or others, as `tests/pretrained/make_folders --real` writes them.
fs::path folders_root() {
  const char* given = std::getenv("HINNY_PRETRAINED");
  return given != nullptr ? fs::path(given) : fs::path(HINNY_SOURCE) / "tests/pretrained/folders";
}
const fs::path kFolders = folders_root();

std::vector<std::string> folders() {
  std::vector<std::string> names;
  for (const auto& item : fs::directory_iterator(kFolders)) {
    if (fs::exists(item.path() / "expected.json")) names.push_back(item.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

json expected_of(const fs::path& folder) {
  std::ifstream file(folder / "expected.json");
  return json::parse(file);
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double product = 0, of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    product += static_cast<double>(a[i]) * b[i];
    of_a += static_cast<double>(a[i]) * a[i];
    of_b += static_cast<double>(b[i]) * b[i];
  }
  return a.size() == b.size() ? product / std::sqrt(of_a * of_b) : -2;
}

// What issue and docs promise of each way of keeping weights.
struct Promise {
  WeightType weights;
  double cosine;
};
constexpr Promise kPromises[] = {
    {WeightType::float32, 0.99999}, {WeightType::bfloat16, 0.999}, {WeightType::int8, 0.995}};

std::vector<float> vector_of(const json& one) { return one.at("vector").get<std::vector<float>>(); }

class References : public testing::TestWithParam<std::string> {
 protected:
  fs::path folder() const { return kFolders / GetParam(); }
  TemporaryFolder made_;
};

// As a bundle computes it but for its length: pooled, and what follows the pooling.
std::vector<float> text_vector(const Weights& weights, const Tower& tower, const TextTower& text,
                               const std::vector<std::int32_t>& ids, std::int32_t padding) {
  std::vector<LayerSpec> layers = layers_after(tower, kTextTower);
  layers.push_back({LayerKind::l2});
  return apply_layers(weights, layers, text.run(ids, padding), 1);
}

TEST_P(References, TextTowersComputeTheSame) {
  const json expected = expected_of(folder());
  if (!expected.contains("text")) GTEST_SKIP() << "reads nothing";
  const PretrainedModel model = read_pretrained(folder());
  ASSERT_TRUE(model.text);
  for (const Promise& promise : kPromises) {
    const fs::path file = made_.path() / "text.safetensors";
    write_tower(folder(), *model.text, kTextTower, promise.weights, Layout::panels, file, {});
    const Weights weights(file);
    check_text_tower(weights, kTextTower, model.text->spec);
    const TextTower tower(weights, kTextTower, model.text->spec);
    for (const json& one : expected["text"]["cases"]) {
      // An end mark in the middle, which no sentence has.
      if (model.text->spec.causal && one["sentence"].is_null()) continue;
      const std::vector<float> vector =
          text_vector(weights, *model.text, tower, one["ids"].get<std::vector<std::int32_t>>(),
                      expected["text"]["padding"].get<std::int32_t>());
      EXPECT_GE(cosine(vector, vector_of(one)), promise.cosine) << one["ids"].dump();
      if (promise.weights != WeightType::float32) continue;
      const double length = one["length"].get<double>();
      for (std::size_t i = 0; i < vector.size(); ++i) {
        EXPECT_NEAR(vector[i], one["vector"][i].get<double>() / length, 2e-5) << i;
      }
    }
  }
}

TEST_P(References, TokenizersGiveTheSameIds) {
  const json expected = expected_of(folder());
  if (!expected.contains("text")) GTEST_SKIP() << "reads nothing";
  const PretrainedModel model = read_pretrained(folder());
  const fs::path file = made_.path() / "tokenizer.safetensors";
  const fs::path source = model.tokenizer_folder.empty() ? folder() : model.tokenizer_folder;
  const ImportedTokenizer imported = import_tokenizer(source, model.tokenizer, {}, file);
  const SubwordTokenizer tokenizer = SubwordTokenizer::open(file);
  EXPECT_LE(static_cast<std::size_t>(imported.size), model.text->spec.vocabulary);
  for (const json& one : expected["text"]["cases"]) {
    if (one["sentence"].is_null()) continue;
    const auto sentence = one["sentence"].get<std::string>();
    EXPECT_EQ(tokenizer.ids(sentence, expected["text"]["most"].get<std::size_t>()),
              one["ids"].get<std::vector<std::int32_t>>())
        << sentence;
  }
  if (expected["text"]["padded"].get<bool>()) {
    EXPECT_EQ(tokenizer.padding(), expected["text"]["padding"].get<std::int32_t>());
  }
}

// [N, 3, side, side] or [3, side, side].
std::vector<std::vector<float>> pixels_of(const fs::path& file) {
  const NpyArray array = NpyArray::open(file);
  std::vector<float> numbers(static_cast<std::size_t>(array.rows() * array.row_size()));
  for (std::int64_t row = 0; row < array.rows(); ++row) {
    array.row(row, std::span(numbers).subspan(static_cast<std::size_t>(row * array.row_size()),
                                              static_cast<std::size_t>(array.row_size())));
  }
  const std::size_t pictures =
      array.shape().size() == 4 ? numbers.size() / static_cast<std::size_t>(array.row_size()) : 1;
  const std::size_t each = numbers.size() / pictures;
  std::vector<std::vector<float>> result;
  for (std::size_t i = 0; i < pictures; ++i) {
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(i * each);
    result.emplace_back(first, first + static_cast<std::ptrdiff_t>(each));
  }
  return result;
}

TEST_P(References, PictureTowersComputeTheSame) {
  const json expected = expected_of(folder());
  if (!expected.contains("pictures")) GTEST_SKIP() << "sees nothing";
  for (const Promise& promise : kPromises) {
    const fs::path network =
        write_picture_network(folder(), made_.path(), "network", promise.weights);
    const auto encoder = open_encoder(network.string());
    const auto pixels = pixels_of(folder() / expected["pictures"]["pixels"].get<std::string>());
    const auto size = static_cast<std::size_t>(encoder->row_size());
    std::vector<float> rows(pixels.size() * size);
    encoder->encode(pixels, rows);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const json& one = expected["pictures"]["cases"][i];
      const std::vector<float> vector(rows.begin() + static_cast<std::ptrdiff_t>(i * size),
                                      rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
      EXPECT_GE(cosine(vector, vector_of(one)), promise.cosine) << i;
      if (promise.weights == WeightType::float32) {
        const double length = one["length"].get<double>();
        for (std::size_t number = 0; number < size; ++number) {
          EXPECT_NEAR(vector[number] / length, one["vector"][number].get<double>() / length, 2e-5);
        }
      }
      // Alone it has the same vector, to the bit.
      std::vector<float> alone(size);
      encoder->encode(std::span(pixels).subspan(i, 1), alone);
      EXPECT_EQ(alone, vector);
    }
  }
}

TEST_P(References, PicturesArePreparedTheSame) {
  const json expected = expected_of(folder());
  if (!expected.contains("files")) GTEST_SKIP() << "sees nothing";
  const fs::path network =
      write_picture_network(folder(), made_.path(), "network", WeightType::float32);
  const auto encoder = open_encoder(network.string());
  for (const json& one : expected["files"]) {
    const Picture picture = read_picture(folder() / one["file"].get<std::string>());
    const std::vector<std::vector<float>> prepared = {encoder->prepare(picture)};
    const auto pixels = pixels_of(folder() / one["pixels"].get<std::string>());
    ASSERT_EQ(prepared.front().size(), pixels.front().size());
    for (std::size_t i = 0; i < prepared.front().size(); ++i) {
      ASSERT_NEAR(prepared.front()[i], pixels.front()[i], 1e-5) << i;
    }
    std::vector<float> row(static_cast<std::size_t>(encoder->row_size()));
    encoder->encode(prepared, row);
    EXPECT_GE(cosine(row, vector_of(one)), 0.99999);
  }
}

// The whole way of a folder with both towers: what a bundle says of sentences and pictures.
TEST_P(References, ABundleAnswersTheSame) {
  const json expected = expected_of(folder());
  if (!expected.contains("text") || !expected.contains("pictures")) GTEST_SKIP() << "one tower";
  const fs::path out = made_.path() / "bundle";
  PretrainedInput input;
  input.bundle.weights = WeightType::float32;
  write_pretrained_bundle(folder(), input, out);
  const PictureModel bundle = PictureModel::open(out, {});
  TextEncoder encoder(bundle.model());
  for (const json& one : expected["text"]["cases"]) {
    if (one["sentence"].is_null()) continue;
    const EncodedText read = encoder.encode(one["sentence"].get<std::string>(),
                                            bundle.model().config().languages.front());
    EXPECT_GE(cosine(read.vector, vector_of(one)), 0.99999) << one["sentence"];
    EXPECT_EQ(read.nothing_known(), one["sentence"].get<std::string>().empty());
    std::istringstream words(one["sentence"].get<std::string>());
    EXPECT_EQ(read.known_words,
              std::vector<std::string>(std::istream_iterator<std::string>(words), {}));
    double squares = 0;
    for (const float number : read.vector) squares += static_cast<double>(number) * number;
    EXPECT_NEAR(squares, 1, 1e-5);
  }
  EXPECT_EQ(bundle.model().config().features.names, "bundle");
}

INSTANTIATE_TEST_SUITE_P(Families, References, testing::ValuesIn(folders()), [](const auto& info) {
  std::string name = info.param;  // letters, digits and "_" alone
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace hinny
