// A network file in the runtime that this build has: ONNX Runtime, else OpenCV's dnn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hinny {

struct NetworkOutput {
  std::vector<std::int64_t> shape;
  std::vector<float> values;  // as many as the shape says
};

// The runtime refuses this input or output; one line.
class NetworkError : public std::runtime_error {
 public:
  explicit NetworkError(const std::string& what);  // puts what a runtime says on one line
};

class Network {
 public:
  virtual ~Network() = default;
  virtual std::vector<std::string> outputs() const = 0;
  // `input` is [inputs, 3, side, side]. `output` is one of outputs(), or empty: the last. Throws
  // NetworkError. One caller at a time; uses thread_count() threads itself.
  virtual NetworkOutput run(std::span<const float> input, int inputs, int side,
                            const std::string& output) = 0;
};

// `input` names the network's input that takes pictures; empty: its first. Throws InputError for a
// file that is no network, or has what the runtime does not know.
std::unique_ptr<Network> open_network(const std::filesystem::path& file, const std::string& input);

// "ONNX Runtime 1.21.0", "OpenCV 4.6.0".
std::string network_runtime();

// For a file that is no network, or a part of one.
InputError cannot_read(const std::filesystem::path& file, std::string_view why = {});

// ", or ..." where another build runs more networks than this one, for what an error expects; else
// empty.
std::string better_runtime();

// The text as one line of at most 300 characters, without anything that a terminal would obey.
std::string one_line(std::string_view text);

}  // namespace hinny
