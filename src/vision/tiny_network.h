// A network of one node as ONNX bytes, for tests.
#pragma once

#include <string>
#include <string_view>

#include "vision/onnx_bytes.h"

namespace hinny {

// `operation` from "image" [batch, 3, side, side] to "features". batch 0: any.
inline std::string tiny_network(std::string_view operation, int side, int batch = 0) {
  OnnxGraph graph;
  graph.input("image", {batch, 3, side, side});
  graph.node(operation, {"image"}, {}, "features");
  graph.output("features", {batch, 3, side, side});
  return graph.model(9);
}

}  // namespace hinny
