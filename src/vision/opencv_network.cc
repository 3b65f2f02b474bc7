// Networks in OpenCV's dnn, where there is no ONNX Runtime.
#include <fmt/format.h>

#include <algorithm>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>

#include "base/error.h"
#include "base/threads.h"
#include "vision/network.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// OpenCV says "Node [Erf@ai.onnx]:(name) parse error", 4.6 and later ones.
std::string operator_in(const std::string& message) {
  constexpr std::string_view kBefore = "Node [";
  const std::size_t begin = message.find(kBefore);
  if (begin == std::string::npos) return {};
  const std::size_t end = message.find_first_of("@]", begin + kBefore.size());
  if (end == std::string::npos) return {};
  return one_line(
      std::string_view(message).substr(begin + kBefore.size(), end - begin - kBefore.size()));
}

cv::dnn::Net load(const fs::path& file) {
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  cv::setNumThreads(thread_count());
  std::string unknown;
  try {
    cv::dnn::Net net = cv::dnn::readNetFromONNX(file.string());
    if (!net.empty()) return net;
  } catch (const cv::Exception& error) {
    unknown = operator_in(error.what());
  }
  if (unknown.empty()) throw cannot_read(file);
  throw InputError(
      file, fmt::format("{} cannot read this network's operator '{}'", network_runtime(), unknown),
      "simpler operators" + better_runtime());
}

class OpenCvNetwork : public Network {
 public:
  OpenCvNetwork(const fs::path& file, std::string input)
      : input_(std::move(input)), net_(load(file)) {
    if (!input_.empty()) net_.setInputsNames({input_});
  }
  std::vector<std::string> outputs() const override { return net_.getUnconnectedOutLayersNames(); }
  NetworkOutput run(std::span<const float> input, int inputs, int side,
                    const std::string& output) override;

 private:
  bool runs_to(const std::string& layer);
  std::string failing_node();

  std::string input_;
  cv::dnn::Net net_;
};

bool OpenCvNetwork::runs_to(const std::string& layer) {
  try {
    net_.forward(layer);
    return true;
  } catch (const cv::Exception&) {
    return false;
  }
}

// Where a run fails, by bisection: a layer runs when all before it do. Empty where even the first
// does not.
std::string OpenCvNetwork::failing_node() {
  const std::vector<std::string> layers = net_.getLayerNames();
  if (layers.empty() || !runs_to(layers.front())) return {};
  const auto first = std::partition_point(layers.begin(), layers.end(),
                                          [&](const std::string& layer) { return runs_to(layer); });
  if (first == layers.end()) return {};
  constexpr std::string_view kPrefix = "onnx_node!";
  return first->starts_with(kPrefix) ? first->substr(kPrefix.size()) : *first;
}

NetworkOutput OpenCvNetwork::run(std::span<const float> input, int inputs, int side,
                                 const std::string& output) {
  const std::vector<int> shape = {inputs, 3, side, side};
  // OpenCV does not write to it.
  const cv::Mat blob(shape, CV_32F, const_cast<float*>(input.data()));
  try {
    net_.setInput(blob, input_);
    const cv::Mat result = net_.forward(output);
    if (result.depth() != CV_32F || !result.isContinuous())
      throw NetworkError("no output of float32");
    const auto* values = result.ptr<float>();
    return {{result.size.p, result.size.p + result.dims}, {values, values + result.total()}};
  } catch (const cv::Exception& error) {
    const std::string node = failing_node();
    throw NetworkError(node.empty() ? error.err : fmt::format("node '{}': {}", node, error.err));
  }
}

}  // namespace

std::unique_ptr<Network> open_network(const fs::path& file, const std::string& input) {
  return std::make_unique<OpenCvNetwork>(file, input);
}

std::string better_runtime() { return ", or Hinny built with ONNX Runtime (Debian 13)"; }

std::string network_runtime() { return "OpenCV " + cv::getVersionString(); }

}  // namespace hinny
