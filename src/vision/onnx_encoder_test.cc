#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/npy.h"
#include "data/dataset.h"
#include "tests/real_data.h"
#include "tests/scratch.h"
#include "vision/network.h"
#include "vision/picture_encoder.h"
#include "vision/tiny_network.h"
#include "vision/tiny_transformer.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;

class OnnxEncoderTest : public testing::Test {
 protected:
  std::unique_ptr<PictureEncoder> open(const std::string& network, const std::string& sidecar) {
    write_file(folder / "net.onnx", network);
    write_file(folder / "net.onnx.json", sidecar);
    return open_encoder((folder / "net.onnx").string());
  }
  std::string refusal(const std::string& network, const std::string& sidecar) {
    try {
      open(network, sidecar);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  const Scratch folder;
};

Picture plain(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  Picture picture{4, 4, std::vector<std::uint8_t>(48)};
  for (std::size_t i = 0; i < 48; i += 3) {
    picture.pixels[i] = red;
    picture.pixels[i + 1] = green;
    picture.pixels[i + 2] = blue;
  }
  return picture;
}

std::vector<float> encode(PictureEncoder& encoder, const std::vector<Picture>& pictures) {
  std::vector<std::vector<float>> prepared;
  prepared.reserve(pictures.size());
  for (const Picture& picture : pictures) prepared.push_back(encoder.prepare(picture));
  std::vector<float> rows(pictures.size() * static_cast<std::size_t>(encoder.row_size()));
  encoder.encode(prepared, rows);
  return rows;
}

TEST_F(OnnxEncoderTest, EncodesBatchesInOrder) {
  const auto encoder = open(tiny_network("GlobalAveragePool", 4),
                            R"({"size": 4, "mean": 128, "scale": 0.5, "output": "features"})");
  EXPECT_EQ(encoder->name(), "net");
  EXPECT_THAT(encoder->shape(), ElementsAre(3));
  std::vector<Picture> pictures;
  for (std::uint8_t i = 0; i < 37; ++i) pictures.push_back(plain(128, i, 130));
  const std::vector<float> rows = encode(*encoder, pictures);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    EXPECT_FLOAT_EQ(rows[i * 3], 0);
    EXPECT_FLOAT_EQ(rows[i * 3 + 1], (static_cast<float>(i) - 128) / 2);
    EXPECT_FLOAT_EQ(rows[i * 3 + 2], 1);
  }
}

TEST_F(OnnxEncoderTest, ANetworkForOnePictureOnlyWorksToo) {
  const auto encoder = open(tiny_network("GlobalAveragePool", 4, 1), R"({"size": 4})");
  EXPECT_THAT(encode(*encoder, {plain(1, 2, 3), plain(4, 5, 6)}), ElementsAre(1, 2, 3, 4, 5, 6));
}

// Right for one picture; of two it would give each channels of the other.
TEST_F(OnnxEncoderTest, ANetworkThatMixesUpABatchIsRunOneByOne) {
  OnnxGraph graph;
  graph.input("image", {0, 3, 4, 4});
  const std::string mixed =
      graph.node("Reshape", {"image", graph.integers("fixed", {3, -1, 4, 4})});
  const std::string back =
      graph.node("Transpose", {mixed}, {OnnxGraph::ints("perm", {1, 0, 2, 3})});
  graph.node("GlobalAveragePool", {back}, {}, "features");
  graph.output("features", {0, 3, 1, 1});
  const auto encoder = open(graph.model(9), R"({"size": 4})");
  EXPECT_THAT(encode(*encoder, {plain(1, 2, 3), plain(4, 5, 6)}), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(OnnxEncoderTest, OfSeveralOutputsTheLastOfAUsableShapeIsTaken) {
  OnnxGraph graph;
  graph.input("image", {0, 3, 4, 4});
  graph.node("GlobalAveragePool", {"image"}, {}, "features");
  graph.node("Reshape", {"image", graph.integers("sizes", {0, 3, 16})}, {}, "patches");
  graph.output("features", {0, 3, 1, 1});
  graph.output("patches", {0, 3, 16});
  const std::string network = graph.model(9);
  EXPECT_THAT(encode(*open(network, R"({"size": 4})"), {plain(1, 2, 3)}), ElementsAre(1, 2, 3));
  EXPECT_THAT(refusal(network, R"({"size": 4, "output": "patches"})"),
              HasSubstr("the network's output is [1, 3, 16] (expected [N, dim] or"));
}

TEST_F(OnnxEncoderTest, ANetworkOfPicturesAndTextIsRefused) {
  OnnxGraph graph;
  graph.input("image", {0, 3, 4, 4});
  graph.input("text", {0, 3, 4, 4});
  graph.node("Add", {"image", "text"}, {}, "features");
  graph.output("features", {0, 3, 4, 4});
  EXPECT_THAT(refusal(graph.model(9), R"({"size": 4})"),
              AllOf(HasSubstr("the network does not run on 4 x 4 pixels"),
                    HasSubstr("one input of [N, 3, 4, 4]")));
}

// A tensor that some file of the reader's would be taken for.
std::string tensor_elsewhere() {
  const std::string place = bytes_field(1, "location") + bytes_field(2, "/etc/passwd");
  return number_field(1, 3) + number_field(2, 1) + bytes_field(8, "w") + bytes_field(13, place) +
         number_field(14, 1);
}

TEST_F(OnnxEncoderTest, ANetworkThatNamesOtherFilesIsRefused) {
  const std::string tensor = tensor_elsewhere();
  const std::string in_attribute = bytes_field(5, bytes_field(5, tensor));
  const std::string in_graph = bytes_field(5, bytes_field(6, bytes_field(5, tensor)));
  for (const std::string& model : {
           bytes_field(7, bytes_field(5, tensor)),                   // an initializer
           bytes_field(7, bytes_field(1, in_attribute)),             // a node's constant
           bytes_field(7, bytes_field(1, in_graph)),                 // a branch of a node
           bytes_field(7, bytes_field(15, bytes_field(1, tensor))),  // a sparse one
           bytes_field(25, bytes_field(7, in_attribute)),            // a function's
       }) {
    const std::string network = tiny_network("GlobalAveragePool", 4) + model;
    EXPECT_THAT(refusal(network, R"({"size": 4})"), HasSubstr("net.onnx: keeps weights in other"));
  }
  std::string deep;
  for (int i = 0; i < 500; ++i) deep = bytes_field(1, bytes_field(5, bytes_field(6, deep)));
  EXPECT_THAT(refusal(bytes_field(7, deep), R"({"size": 4})"), HasSubstr("cannot read"));
}

TEST_F(OnnxEncoderTest, TenCropsAreAveraged) {
  const auto encoder =
      open(tiny_network("GlobalAveragePool", 2), R"({"size": 4, "crop": 2, "ten_crop": true})");
  Picture picture = plain(0, 0, 0);
  picture.pixels[0] = 200;  // seen by one corner's crop and its mirror image, in one pixel of four
  EXPECT_THAT(encode(*encoder, {picture, plain(0, 0, 10)}),
              ElementsAre(FloatNear(10, 1e-4F), 0, 0, 0, 0, FloatNear(10, 1e-4F)));
}

TEST_F(OnnxEncoderTest, AGridOfFeaturesBecomesRegions) {
  const auto encoder = open(tiny_network("Relu", 2), R"({"size": 2, "resize": "shorter"})");
  EXPECT_THAT(encoder->shape(), ElementsAre(4, 3));
  Picture picture{2, 2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
  EXPECT_THAT(encode(*encoder, {picture}), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
}

TEST_F(OnnxEncoderTest, WhatDoesNotFitIsRefused) {
  const std::string good = tiny_network("GlobalAveragePool", 4);
  EXPECT_THAT(refusal("not a network", R"({"size": 4})"), HasSubstr("cannot read this network"));
  EXPECT_THAT(refusal("", R"({"size": 4})"), HasSubstr("cannot read this network"));
  EXPECT_THAT(refusal(good.substr(0, 40), R"({"size": 4})"), HasSubstr("cannot read"));
  const std::string unknown = refusal(tiny_network("NoSuchThing", 4), R"({"size": 4})");
  EXPECT_THAT(unknown, AllOf(HasSubstr("cannot read"), HasSubstr("NoSuchThing")));
  EXPECT_THAT(refusal(good, R"({"size": 4, "output": "feetures"})"),
              HasSubstr("outputs: features"));
  EXPECT_THAT(refusal(tiny_network("Relu", 4), R"({"size": 4, "ten_crop": true})"),
              HasSubstr("ten crops of a network that describes regions"));
  EXPECT_THROW(open_encoder((folder / "none.onnx").string()), InputError);
  EXPECT_THROW(open_encoder("bultin"), InputError);  // did you mean 'builtin'?
}

bool by_onnx_runtime() { return network_runtime().starts_with("ONNX Runtime"); }

constexpr const char* kSidecar = R"({"size": 6})";  // of a TinyTransformer

// A transformer's output beside plain loops, for a batch of pictures.
void expect_transformer(PictureEncoder& encoder) {
  std::vector<std::vector<float>> inputs;
  for (int i = 0; i < 5; ++i) {
    inputs.emplace_back();
    for (int j = 0; j < 108; ++j)
      inputs.back().push_back(static_cast<float>(std::sin(i * 7 + j * j)));
  }
  std::vector<float> rows(inputs.size() * TinyTransformer::kOut);
  encoder.encode(inputs, rows);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<float> wanted = TinyTransformer::plain(inputs[i]);
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      EXPECT_NEAR(rows[i * wanted.size() + j], wanted[j], 1e-4) << i << " " << j;
    }
  }
}

// OpenCV's dnn multiplies a layer norm's result along the wrong axis, or fails to. What it refuses
// it has to name.
TEST_F(OnnxEncoderTest, ATransformerOfSimpleOperatorsRunsOrItsNodeIsNamed) {
  for (const int batch : {0, 1}) {
    const std::string network =
        TinyTransformer::onnx(TinyTransformer::LayerNorm::decomposed, batch);
    const std::string refused = by_onnx_runtime() ? "accepted" : refusal(network, kSidecar);
    if (refused == "accepted") {
      const auto encoder = open(network, kSidecar);
      EXPECT_THAT(encoder->shape(), ElementsAre(3));
      expect_transformer(*encoder);
    } else {
      EXPECT_THAT(refused, HasSubstr(": node 'node_Mul12': "));
      EXPECT_THAT(refused, HasSubstr("Hinny built with ONNX Runtime (Debian 13)"));
    }
  }
}

TEST_F(OnnxEncoderTest, ATransformerOfNewOperatorsRunsOrItsOperatorIsNamed) {
  const std::string network = TinyTransformer::onnx(TinyTransformer::LayerNorm::whole);
  const std::string refused = by_onnx_runtime() ? "accepted" : refusal(network, kSidecar);
  if (refused == "accepted") {
    expect_transformer(*open(network, kSidecar));
  } else {
    EXPECT_THAT(refused, HasSubstr("cannot read this network's operator 'LayerNormalization' "));
    EXPECT_THAT(refused, HasSubstr("Hinny built with ONNX Runtime (Debian 13)"));
  }
}

TEST_F(OnnxEncoderTest, ACutOffNetworkIsRefusedInOneLine) {
  const std::string whole = TinyTransformer::onnx(TinyTransformer::LayerNorm::decomposed);
  for (std::size_t size = 0; size < whole.size(); size += 61) {
    const std::string refused = refusal(whole.substr(0, size), kSidecar);
    EXPECT_THAT(refused, HasSubstr("net.onnx: ")) << size;
    EXPECT_EQ(refused.find('\n'), std::string::npos) << size;
  }
}

TEST(OneLine, HoldsNothingThatATerminalWouldObey) {
  EXPECT_EQ(one_line(" a\n\n\tb\x1b[31mc\xff "), "a b [31mc");
  EXPECT_EQ(one_line(std::string(5000, 'x')).size(), 303);
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double product = 0;
  double length_a = 0;
  double length_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += static_cast<double>(a[i]) * b[i];
    length_a += static_cast<double>(a[i]) * a[i];
    length_b += static_cast<double>(b[i]) * b[i];
  }
  return product / std::sqrt(length_a * length_b);
}

struct Comparison {
  std::vector<std::vector<float>> given;
  std::vector<std::vector<float>> ours;
};

Comparison compare(const Dataset& dataset, PictureEncoder& encoder, std::size_t most) {
  const fs::path features = dataset.folder() / "features";
  const NpyArray array = NpyArray::open(features / "mobilenetv2.npy");
  Comparison found;
  for_each_line(features / "ids.txt", [&](std::string_view id, std::size_t line) {
    const int image = dataset.find(std::string(id));
    ASSERT_GE(image, 0);
    const auto file =
        dataset.folder() / "images" / dataset.images()[static_cast<std::size_t>(image)].file;
    if (found.given.size() == most || !fs::exists(file)) return;
    found.given.emplace_back(static_cast<std::size_t>(array.row_size()));
    array.row(static_cast<std::int64_t>(line) - 1, found.given.back());
    found.ours.push_back(encode(encoder, {read_picture(file)}));
  });
  return found;
}

// The given features probably come from pictures before recompression; that explains only a part
// of the difference. HINNY_VISION_PICTURES=1000 compares all of them.
TEST_F(OnnxEncoderTest, AgreesWithFeaturesThatAnotherProgramMade) {
  const std::filesystem::path data = real_data();
  if (data.empty()) GTEST_SKIP() << "set HINNY_DATA to compare with given features";
  const char* wish = std::getenv("HINNY_VISION_PICTURES");
  write_file(folder / "mobilenet.json",
             R"({"size": 224, "mean": 128, "scale": 0.0078125, "input": "image"})");
  const auto encoder =
      open_encoder(std::string(data) + "/models/mobilenet_v2.onnx", folder / "mobilenet.json");
  const Dataset dataset = Dataset::load(data / "flickr8k");
  const Comparison found =
      compare(dataset, *encoder, wish != nullptr ? std::strtoul(wish, nullptr, 10) : 50);
  ASSERT_FALSE(found.ours.empty());

  double sum = 0;
  double least = 1;
  for (std::size_t i = 0; i < found.ours.size(); ++i) {
    const double own = cosine(found.ours[i], found.given[i]);
    sum += own;
    least = std::min(least, own);
    for (std::size_t j = 0; j < found.given.size(); ++j) {
      EXPECT_TRUE(i == j || cosine(found.ours[i], found.given[j]) < own) << i << " is like " << j;
    }
  }
  const double mean = sum / static_cast<double>(found.ours.size());
  std::cout << found.ours.size() << " pictures: cosine mean " << mean << ", least " << least
            << "\n";
  // The aim is 0.98 and is not met: all 1,000 pictures gave a mean of 0.951, the least 0.868. This
  // bound only guards against getting worse (docs/results.md).
  EXPECT_GE(mean, 0.94);
}

}  // namespace
}  // namespace hinny
