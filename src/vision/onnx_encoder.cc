#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>

#include "base/error.h"
#include "base/threads.h"
#include "vision/picture_encoder.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// Larger batches are no faster on a CPU, and take memory.
constexpr int kMostInputs = 16;

cv::dnn::Net load(const fs::path& file) {
  if (!fs::is_regular_file(file)) throw InputError(file, "no such file", "a network, FILE.onnx");
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  cv::setNumThreads(thread_count());
  try {
    cv::dnn::Net net = cv::dnn::readNetFromONNX(file.string());
    if (!net.empty()) return net;
  } catch (const cv::Exception&) {
  }
  throw InputError(file, "OpenCV cannot read this network", "ONNX, best of opset 10 or older");
}

class OnnxEncoder : public PictureEncoder {
 public:
  OnnxEncoder(const fs::path& file, const Preprocess& how)
      : file_(file), how_(how), net_(load(file)) {
    if (!how.input.empty()) net_.setInputsNames({how.input});
    probe();
  }

  std::string name() const override { return file_.stem().string(); }
  std::vector<std::int64_t> shape() const override {
    if (regions_ == 1) return {dim_};
    return {regions_, dim_};
  }
  // Twice what is left: then averaging, which makes it smaller, has enough to go by.
  int least_side() const override { return 2 * how_.size; }
  std::vector<float> prepare(const Picture& picture) const override {
    return hinny::prepare(picture, how_);
  }
  void encode(std::span<const std::vector<float>> prepared, std::span<float> rows) override;

 private:
  void probe();
  std::vector<int> shape_of(int inputs) const { return {inputs, 3, how_.crop, how_.crop}; }
  cv::Mat forward(const cv::Mat& input);
  void add_output(const float* output, std::span<float> row) const;

  fs::path file_;
  Preprocess how_;
  cv::dnn::Net net_;
  int most_inputs_ = kMostInputs;
  std::int64_t dim_ = 0;
  std::int64_t regions_ = 1;
};

cv::Mat OnnxEncoder::forward(const cv::Mat& input) {
  try {
    net_.setInput(input, how_.input);
    return net_.forward(how_.output).clone();
  } catch (const cv::Exception& error) {
    const std::vector<std::string> outputs = net_.getUnconnectedOutLayersNames();
    throw InputError(
        file_,
        fmt::format("the network does not run on {0} x {0} pixels: {1}", how_.crop, error.err),
        fmt::format("an input of [N, 3, {0}, {0}]; its outputs: {1}", how_.crop,
                    fmt::join(outputs, ", ")));
  }
}

// Learns the output's shape, and whether the network takes batches: many are exported for one
// picture only.
void OnnxEncoder::probe() {
  const cv::Mat one = forward(cv::Mat(shape_of(1), CV_32F, cv::Scalar(0)));
  if (one.dims < 2 || one.dims == 3 || one.dims > 4 || one.size[0] != 1 || one.depth() != CV_32F) {
    std::vector<int> sizes(one.size.p, one.size.p + one.dims);
    throw InputError(file_, fmt::format("the network's output is [{}]", fmt::join(sizes, ", ")),
                     "[N, dim] or [N, dim, height, width]");
  }
  dim_ = one.size[1];
  if (one.dims == 4) regions_ = static_cast<std::int64_t>(one.size[2]) * one.size[3];
  if (regions_ > 1 && how_.ten_crop) {
    throw InputError(file_, "ten crops of a network that describes regions",
                     "\"ten_crop\": false, or an output [N, dim]");
  }
  try {
    const cv::Mat two = forward(cv::Mat(shape_of(2), CV_32F, cv::Scalar(0)));
    if (two.size[0] != 2 || two.total() != 2 * one.total()) most_inputs_ = 1;
  } catch (const InputError&) {
    most_inputs_ = 1;
  }
}

// Adds one input's output, [dim, regions], to a picture's row, [regions, dim].
void OnnxEncoder::add_output(const float* output, std::span<float> row) const {
  const float weight = 1.0F / static_cast<float>(how_.crops());
  const auto dim = static_cast<std::size_t>(dim_);
  const auto regions = static_cast<std::size_t>(regions_);
  for (std::size_t i = 0; i < dim; ++i) {
    for (std::size_t region = 0; region < regions; ++region) {
      row[region * dim + i] += weight * output[i * regions + region];
    }
  }
}

void OnnxEncoder::encode(std::span<const std::vector<float>> prepared, std::span<float> rows) {
  std::fill(rows.begin(), rows.end(), 0.0F);
  const auto crops = static_cast<std::size_t>(how_.crops());
  const auto row = static_cast<std::size_t>(row_size());
  const std::size_t inputs = prepared.size() * crops;
  for (std::size_t begin = 0; begin < inputs;) {
    const std::size_t end = std::min(inputs, begin + static_cast<std::size_t>(most_inputs_));
    cv::Mat blob(shape_of(static_cast<int>(end - begin)), CV_32F);
    const std::size_t size = blob.total() / (end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      const float* crop = prepared[i / crops].data() + i % crops * size;
      std::copy(crop, crop + size, blob.ptr<float>() + (i - begin) * size);
    }
    const cv::Mat output = forward(blob);
    for (std::size_t i = begin; i < end; ++i) {
      add_output(output.ptr<float>() + (i - begin) * row, rows.subspan(i / crops * row, row));
    }
    begin = end;
  }
}

}  // namespace

int least_side(std::span<PictureEncoder* const> encoders) {
  int least = 0;
  for (const PictureEncoder* encoder : encoders) {
    if (encoder->least_side() == 0) return 0;
    least = std::max(least, encoder->least_side());
  }
  return least;
}

std::int64_t PictureEncoder::row_size() const {
  const std::vector<std::int64_t> sizes = shape();
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

std::unique_ptr<PictureEncoder> open_onnx_encoder(const fs::path& network, const Preprocess& how) {
  return std::make_unique<OnnxEncoder>(network, how);
}

}  // namespace hinny
