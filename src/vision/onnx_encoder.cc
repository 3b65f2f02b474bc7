#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "vision/network.h"
#include "vision/onnx_file.h"
#include "vision/picture_encoder.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// Larger batches are no faster on a CPU, and take memory.
constexpr int kMostInputs = 16;

bool fits(const NetworkOutput& one) {
  return (one.shape.size() == 2 || one.shape.size() == 4) && one.shape[0] == 1 &&
         !one.values.empty();
}

class OnnxEncoder : public PictureEncoder {
 public:
  OnnxEncoder(const fs::path& file, const Preprocess& how)
      : file_(file), how_(how), network_(open_network(file, how.input)) {
    probe();
  }

  std::string name() const override { return file_.stem().string(); }
  std::string identity() const override {
    return content_hash(file_) + " " + preprocess_text(how_);
  }
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
  bool takes_batches(const NetworkOutput& first, std::span<const float> input);
  std::size_t input_size() const {
    return std::size_t{3} * static_cast<std::size_t>(how_.crop) *
           static_cast<std::size_t>(how_.crop);
  }
  NetworkOutput forward(std::span<const float> input, int inputs);
  std::string all_outputs() const {
    return one_line(fmt::format("{}", fmt::join(network_->outputs(), ", ")));
  }
  void add_output(const float* output, std::span<float> row) const;

  fs::path file_;
  Preprocess how_;
  std::unique_ptr<Network> network_;
  int most_inputs_ = kMostInputs;
  std::int64_t dim_ = 0;
  std::int64_t regions_ = 1;
};

NetworkOutput OnnxEncoder::forward(std::span<const float> input, int inputs) {
  try {
    return network_->run(input, inputs, how_.crop, how_.output);
  } catch (const NetworkError& error) {
    throw InputError(file_,
                     fmt::format("the network does not run on {0} x {0} pixels in {1}: {2}",
                                 how_.crop, network_runtime(), error.what()),
                     fmt::format("one input of [N, 3, {0}, {0}]; outputs: {1}{2}", how_.crop,
                                 all_outputs(), better_runtime()));
  }
}

// Learns the output's shape, and whether the network takes batches: many are exported for one
// picture only.
void OnnxEncoder::probe() {
  std::vector<float> two(2 * input_size());
  for (std::size_t i = 0; i < two.size(); ++i) two[i] = static_cast<float>(i % 251) / 125.0F - 1;
  const std::span<const float> input = two;
  NetworkOutput one = forward(input.first(input_size()), 1);
  const std::vector<std::int64_t> last = one.shape;
  const std::vector<std::string> outputs = network_->outputs();
  const bool search = how_.output.empty();
  // Many have a second output: the vectors of all patches, [N, patches, dim].
  for (auto name = outputs.rbegin(); !fits(one) && search && name != outputs.rend(); ++name) {
    how_.output = *name;
    one = forward(input.first(input_size()), 1);
  }
  if (!fits(one)) {
    throw InputError(file_, fmt::format("the network's output is [{}]", fmt::join(last, ", ")),
                     "[N, dim] or [N, dim, height, width]; outputs: " + all_outputs());
  }
  const std::vector<std::int64_t>& shape = one.shape;
  dim_ = shape[1];
  if (shape.size() == 4) regions_ = shape[2] * shape[3];
  if (regions_ > 1 && how_.ten_crop) {
    throw InputError(file_, "ten crops of a network that describes regions",
                     "\"ten_crop\": false, or an output [N, dim]");
  }
  if (!takes_batches(one, input)) most_inputs_ = 1;
}

// Whether two inputs come out as each does alone. Reshaping to sizes that were fixed when the
// network was exported may mix them up without an error.
bool OnnxEncoder::takes_batches(const NetworkOutput& first, std::span<const float> input) {
  try {
    const NetworkOutput two = network_->run(input, 2, how_.crop, how_.output);
    if (two.values.size() != 2 * first.values.size() || two.shape[0] != 2) return false;
    const NetworkOutput second = forward(input.last(input_size()), 1);
    std::vector<float> alone = first.values;
    alone.insert(alone.end(), second.values.begin(), second.values.end());
    float largest = 0;
    for (const float value : alone) largest = std::max(largest, std::abs(value));
    return std::equal(alone.begin(), alone.end(), two.values.begin(), [&](float a, float b) {
      return std::abs(a - b) <= 1e-3F * largest;  // false for NaN too
    });
  } catch (const NetworkError&) {
    return false;
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
    std::vector<float> batch;
    batch.reserve((end - begin) * input_size());
    for (std::size_t i = begin; i < end; ++i) {
      const auto crop = std::span(prepared[i / crops]).subspan(i % crops * input_size());
      batch.insert(batch.end(), crop.begin(),
                   crop.begin() + static_cast<std::ptrdiff_t>(input_size()));
    }
    const NetworkOutput output = forward(batch, static_cast<int>(end - begin));
    if (output.values.size() != (end - begin) * row) {
      throw InputError(file_, "the network's output changes its size", "[N, dim]");
    }
    for (std::size_t i = begin; i < end; ++i) {
      add_output(output.values.data() + (i - begin) * row, rows.subspan(i / crops * row, row));
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
  if (!fs::is_regular_file(network)) throw InputError(network, "no such file", "FILE.onnx");
  const OnnxFile looks = look_at_onnx(MappedFile(network).bytes());
  if (looks == OnnxFile::needs_others) {
    throw InputError(network, "keeps weights in other files", "a network in one file");
  }
  if (looks == OnnxFile::broken) throw cannot_read(network);
  return std::make_unique<OnnxEncoder>(network, how);
}

}  // namespace hinny
