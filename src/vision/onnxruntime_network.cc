// Networks in ONNX Runtime.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxruntime_cxx_api.h>
#include <onnxruntime_session_options_config_keys.h>

#include <array>
#include <iostream>

#include "base/error.h"
#include "base/threads.h"
#include "vision/network.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

Ort::Env& environment() {
  static Ort::Env env(ORT_LOGGING_LEVEL_FATAL, "hinny");
  return env;
}

// Debian's 1.21 registers every operator twice with the first session, and says so for each on
// std::cerr, which Hinny does not use.
class NoStandardError {
 public:
  NoStandardError() : before_(std::cerr.rdbuf(nullptr)) {}
  ~NoStandardError() { std::cerr.rdbuf(before_); }
  NoStandardError(const NoStandardError&) = delete;
  NoStandardError& operator=(const NoStandardError&) = delete;

 private:
  std::streambuf* before_;
};

Ort::Session load(const fs::path& file) {
  const NoStandardError quiet;
  try {
    Ort::SessionOptions options;
    options.SetIntraOpNumThreads(thread_count());
    options.SetInterOpNumThreads(1);
    options.SetLogSeverityLevel(ORT_LOGGING_LEVEL_FATAL);
    // Waiting threads sleep: pictures are decoded meanwhile.
    options.AddConfigEntry(kOrtSessionOptionsConfigAllowIntraOpSpinning, "0");
    return Ort::Session(environment(), file.c_str(), options);
  } catch (const Ort::Exception& error) {
    throw cannot_read(file, error.what());
  }
}

class OrtNetwork : public Network {
 public:
  OrtNetwork(const fs::path& file, const std::string& input);
  std::vector<std::string> outputs() const override { return outputs_; }
  NetworkOutput run(std::span<const float> input, int inputs, int side,
                    const std::string& output) override;

 private:
  Ort::Session session_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
  std::string input_;
};

OrtNetwork::OrtNetwork(const fs::path& file, const std::string& input) : session_(load(file)) {
  const Ort::AllocatorWithDefaultOptions allocator;
  for (std::size_t i = 0; i < session_.GetInputCount(); ++i) {
    inputs_.emplace_back(session_.GetInputNameAllocated(i, allocator).get());
  }
  for (std::size_t i = 0; i < session_.GetOutputCount(); ++i) {
    outputs_.emplace_back(session_.GetOutputNameAllocated(i, allocator).get());
  }
  if (inputs_.empty() || outputs_.empty()) {
    throw InputError(file, "the network has no input or no output", "one of each");
  }
  input_ = input.empty() ? inputs_.front() : input;
}

NetworkOutput OrtNetwork::run(std::span<const float> input, int inputs, int side,
                              const std::string& output) {
  const std::string& wanted = output.empty() ? outputs_.back() : output;
  if (inputs_ != std::vector{input_}) {
    throw NetworkError(fmt::format("its inputs are {}", fmt::join(inputs_, ", ")));
  }
  const std::array<std::int64_t, 4> shape = {inputs, 3, side, side};
  const char* in = input_.c_str();
  const char* out = wanted.c_str();
  try {
    const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    // ONNX Runtime does not write to it.
    const Ort::Value value = Ort::Value::CreateTensor<float>(
        memory, const_cast<float*>(input.data()), input.size(), shape.data(), shape.size());
    const std::vector<Ort::Value> results =
        session_.Run(Ort::RunOptions{}, &in, &value, 1, &out, 1);
    if (!results.front().IsTensor()) throw NetworkError("no output of float32");
    const auto info = results.front().GetTensorTypeAndShapeInfo();
    if (info.GetElementType() != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) {
      throw NetworkError("no output of float32");
    }
    const auto* values = results.front().GetTensorData<float>();
    return {info.GetShape(), {values, values + info.GetElementCount()}};
  } catch (const Ort::Exception& error) {
    throw NetworkError(error.what());
  }
}

}  // namespace

std::unique_ptr<Network> open_network(const fs::path& file, const std::string& input) {
  return std::make_unique<OrtNetwork>(file, input);
}

std::string better_runtime() { return {}; }

std::string network_runtime() { return "ONNX Runtime " + Ort::GetVersionString(); }

}  // namespace hinny
