#include "data/encoder_sidecar.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

TEST(EncoderSidecar, LiesBesideNetworksOfTwoKinds) {
  EXPECT_TRUE(is_network_name("a/b.onnx"));
  EXPECT_TRUE(is_network_name("b.safetensors"));
  for (const char* other : {"builtin-1", "b.onnx.json", "b.ONNX", "onnx", "safetensors", ""}) {
    EXPECT_FALSE(is_network_name(other)) << other;
  }
}

TEST(EncoderSidecar, HasTheNetworksWholeNameOrAShorterOne) {
  const Scratch folder;
  const std::filesystem::path network = folder / "b.onnx";
  EXPECT_EQ(sidecar_beside(network), "");
  write_file(folder / "b.json", "{}");
  EXPECT_EQ(sidecar_beside(network), folder / "b.json");
  write_file(folder / "b.onnx.json", "{}");
  EXPECT_EQ(sidecar_beside(network), folder / "b.onnx.json");
}

}  // namespace
}  // namespace hinny
