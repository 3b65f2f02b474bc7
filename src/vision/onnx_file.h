// What an ONNX file says about other files, without a runtime: those follow such names anywhere.
#pragma once

#include <cstddef>
#include <span>

namespace hinny {

enum class OnnxFile {
  whole,
  needs_others,  // weights are in files that it names
  broken,        // no protocol buffer
};

// Reads the fields' heads alone, of a file of any size; never throws.
OnnxFile look_at_onnx(std::span<const std::byte> file);

}  // namespace hinny
