#include "vision/preset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/lines.h"
#include "tests/scratch.h"
#include "vision/resample.h"
#include "vision/tiny_network.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::Each;
using testing::HasSubstr;

// Waves that grow finer to the right and downwards: what shrinks wrongly looks wrong.
Picture waves(int width, int height) {
  Picture picture{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (const int value : {x * x / 3 + 7 * y, 5 * x + y * y / 5, x * y / 7 + 40}) {
        picture.pixels.push_back(static_cast<std::uint8_t>(value % 256));
      }
    }
  }
  return picture;
}

// What Pillow and numpy make of waves(): red, green and blue at (0, 0), (97, 41) and (223, 223),
// and the mean of each plane, every pixel weighted by its number modulo 1009.
struct Reference {
  std::string_view preset;
  int width, height;
  std::array<double, 9> pixels;
  std::array<double, 3> means;
};

constexpr Reference kReferences[] = {
    {"clip",
     500,
     333,
     {0.339108, 0.679161, -0.868757, 0.382903, -0.296344, 0.837651, -0.463806, -0.176281,
      -0.029773},
     {0.0676304, 0.1637145, 0.3331121}},
    {"clip",
     61,
     147,
     {-1.164530, -0.146266, -0.925637, -0.463806, 1.234449, 1.946816, 0.207722, 0.363998, 0.809211},
     {0.0950904, 0.1601278, 0.2908988}},
    {"dinov2",
     500,
     333,
     {1.392671, -0.320028, -0.131242, 0.998801, 1.885854, 1.402527, 0.741930, -0.127451, 1.350240},
     {0.0649095, 0.1974858, 0.4131673}},
    {"dinov2",
     61,
     147,
     {-0.867797, 1.308123, -0.723834, -0.131432, 1.798319, -0.026667, 2.077661, 2.130952,
      -0.462397},
     {0.0974591, 0.1946619, 0.4690218}},
    {"siglip",
     500,
     333,
     {-0.984314, -0.976471, -0.686275, 0.137255, -0.764706, 0.152941, -0.215686, 0.301961,
      -0.184314},
     {-0.0007198, -0.0004868, -0.0043397}},
    {"siglip",
     61,
     147,
     {-1.000000, -1.000000, -0.686275, 0.231373, -0.921569, 0.090196, 0.396078, 0.694118,
      -1.000000},
     {0.0023436, -0.0044637, -0.0638260}},
    {"torchvision",
     500,
     333,
     {1.221423, -0.320028, -0.131242, 0.878928, 1.658263, 1.419956, 0.724805, -0.109944, 1.088802},
     {0.0655098, 0.1973833, 0.4128891}},
    {"torchvision",
     61,
     147,
     {-0.867797, 1.308123, -0.723834, -0.131432, 1.588235, 0.182484, 1.786540, 1.798319, -0.462397},
     {0.0975658, 0.1957576, 0.4685434}},
};

TEST(Preset, PreparesPicturesAsPillowAndNumpyDo) {
  for (const Reference& wanted : kReferences) {
    SCOPED_TRACE(fmt::format("{} {}", wanted.preset, wanted.width));
    const Preprocess how = preset(wanted.preset);
    const std::vector<float> input = prepare(waves(wanted.width, wanted.height), how);
    const std::size_t side = 224;
    ASSERT_EQ(input.size(), 3 * side * side);
    const std::size_t places[] = {0, 41 * side + 97, side * side - 1};
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const float* plane = input.data() + channel * side * side;
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(plane[places[i]], wanted.pixels[i * 3 + channel], 2e-6) << channel;
      }
      double sum = 0;
      double weights = 0;
      for (std::size_t i = 0; i < side * side; ++i) {
        const auto weight = static_cast<double>(i % 1009);
        sum += weight * static_cast<double>(plane[i]);
        weights += weight;
      }
      EXPECT_NEAR(sum / weights, wanted.means[channel], 1e-6) << channel;
    }
  }
}

TEST(Preset, AnotherSizeKeepsTheProportionOfResizeAndCrop) {
  EXPECT_EQ(preset("clip@336").size, 336);
  EXPECT_EQ(preset("clip@336").crop, 336);
  EXPECT_EQ(preset("dinov2@518").size, 592);
  EXPECT_EQ(preset("dinov2@518").crop, 518);
  Preprocess same = preset("siglip@384");
  same.size = same.crop = 224;
  EXPECT_EQ(same, preset("siglip"));
}

TEST(Preset, AWrongNameOrSizeIsRefused) {
  const std::pair<const char*, const char*> table[] = {
      {"clipp",
       "no preset 'clipp' (did you mean 'clip'?) (expected clip, dinov2, siglip, torchvis"},
      {"", "no preset ''"},
      {"CLIP", "no preset 'CLIP'"},
      {"clip@", "a size from 8 to 2048 after '@'"},
      {"clip@7", "a size from 8"},
      {"clip@99999999999999999999", "a size from 8"},
      {"clip@224x", "a size from 8"},
      {"clip@-224", "a size from 8"},
  };
  for (const auto& [wish, message] : table) {
    try {
      preset(wish);
      ADD_FAILURE() << wish;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
}

TEST(Preset, IsAsDocumented) {
  std::vector<std::string> documented;
  for_each_line(HINNY_SOURCE "/docs/formats/encoder-sidecar.md",
                [&](std::string_view line, std::size_t) { documented.emplace_back(line); });
  for (const Preset& known : presets()) {
    const std::string row = fmt::format(
        "| `{}` | {} | {} | {} | {} | {} | {} | {} | {} |", known.name, known.networks, known.size,
        known.resize == Preprocess::Resize::squash ? "squash" : "shorter", known.crop,
        known.interpolation == Preprocess::Interpolation::bicubic ? "bicubic" : "bilinear",
        fmt::join(known.mean, " "), fmt::join(known.deviation, " "), known.source);
    EXPECT_THAT(documented, testing::Contains(row));
  }
}

TEST(Preset, ASidecarSaysTheSameOnceWritten) {
  for (const Preset& known : presets()) {
    const Preprocess how = preset(known.name);
    EXPECT_EQ(parse_preprocess(preprocess_text(how), "f"), how) << preprocess_text(how);
  }
  const Preprocess every = parse_preprocess(
      R"({"size": 9, "resize": "shorter", "crop": 8, "interpolation": "bilinear", "mean": 0.1,
          "scale": [1e-9, 3, 0.3], "channels": "bgr", "ten_crop": true, "input": "a\"b",
          "output": "c"})",
      "f");
  EXPECT_EQ(parse_preprocess(preprocess_text(every), "f"), every) << preprocess_text(every);
}

class PresetEncoderTest : public testing::Test {
 protected:
  std::string refusal(std::string_view wish) {
    try {
      open_with_preset(network, wish);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  const Scratch folder;
  const std::string network = (folder / "net.onnx").string();
  const fs::path sidecar = folder / "net.onnx.json";
};

TEST_F(PresetEncoderTest, SaysWhatBelongsBesideTheNetwork) {
  write_file(network, tiny_network("GlobalAveragePool", 32));
  const std::string text = open_with_preset(network, "clip@32").sidecar;
  EXPECT_FALSE(fs::exists(sidecar));
  write_file(sidecar, text);
  EXPECT_EQ(preprocess_beside(network), preset("clip@32"));
  EXPECT_EQ(open_with_preset(network, "clip@32").sidecar, "");
  EXPECT_NO_THROW(open_encoder(network));
}

TEST_F(PresetEncoderTest, ASidecarThatSaysSomethingElseIsAnError) {
  write_file(network, tiny_network("GlobalAveragePool", 32));
  Preprocess how = preset("clip@32");
  how.output = "features";  // which presets leave open
  write_file(sidecar, preprocess_text(how));
  EXPECT_EQ(refusal("clip@32"), "accepted");
  EXPECT_THAT(refusal("siglip@32"), HasSubstr("net.onnx.json: says something else than --preset"));
  EXPECT_EQ(preprocess_beside(network), how);
  write_file(sidecar, "{");
  EXPECT_THAT(refusal("clip@32"), HasSubstr("broken JSON"));
}

TEST_F(PresetEncoderTest, NothingIsWrittenForANetworkThatDoesNotRun) {
  EXPECT_THAT(refusal("clip"), HasSubstr("no such file"));
  write_file(network, tiny_network("GlobalAveragePool", 32).substr(0, 50));
  EXPECT_THAT(refusal("clip"), HasSubstr("cannot read this network"));
  EXPECT_FALSE(fs::exists(sidecar));
  EXPECT_THROW(open_with_preset("builtin", "clip"), InputError);
}

TEST(Resample, OnePixelFillsAnySizeAndNothingOverflows) {
  EXPECT_THAT(resample({1, 1, {7, 7, 7}}, 9, 5, Filter::bicubic).pixels, Each(7));
  Picture edge{4, 1, {0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255}};
  const Picture large = resample(edge, 32, 32, Filter::bicubic);  // bicubic shoots over at an edge
  EXPECT_THAT(std::vector(large.pixels.begin(), large.pixels.begin() + 12), Each(0));
  EXPECT_THAT(std::vector(large.pixels.end() - 12, large.pixels.end()), Each(255));
}

// Across first, as always, this would take a gigabyte.
TEST(Resample, AColumnOfAMillionPixelsTakesLittleMemory) {
  const Picture column{1, 1'000'000, std::vector<std::uint8_t>(3'000'000, 9)};
  EXPECT_THAT(resample(column, 400, 400, Filter::bilinear).pixels, Each(9));
}

TEST(Preset, AnEndlesslyLongPictureIsPreparedToo) {
  const Picture column{1, 20'000'000, std::vector<std::uint8_t>(60'000'000, 51)};
  EXPECT_THAT(prepare(column, preset("siglip")), Each(testing::FloatNear(-0.6F, 1e-5F)));
}

}  // namespace
}  // namespace hinny
