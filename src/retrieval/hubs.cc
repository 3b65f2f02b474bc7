#include "retrieval/hubs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/half.h"
#include "base/safetensors.h"
#include "base/vector_math.h"
#include "retrieval/dot_products.h"

namespace hinny {
namespace {

constexpr std::size_t kScoresAtOnce = std::size_t{1} << 20U;
constexpr const char* kCaptions = "captions.";
constexpr const char* kImages = "images.";
constexpr const char* kTemperature = "temperature";
constexpr const char* kWeight = "weight";

double number_of(const std::filesystem::path& file, const SafetensorsFile& tensors,
                 const char* name) {
  const std::string expected = "a number above 0";
  const auto found = tensors.metadata().find(name);
  if (found == tensors.metadata().end()) {
    throw InputError(file, fmt::format("no '{}' in its metadata", name), expected);
  }
  char* end = nullptr;
  const double value = std::strtod(found->second.c_str(), &end);
  if (found->second.empty() || *end != '\0' || !std::isfinite(value) || value <= 0) {
    throw InputError(file, fmt::format("{} '{}'", name, found->second), expected);
  }
  return value;
}

std::vector<float> rows_of(const std::filesystem::path& file, const std::string& name,
                           const TensorView& tensor, std::size_t dim) {
  if (tensor.shape.size() != 2 || tensor.shape[0] < 1 ||
      tensor.shape[1] != static_cast<std::int64_t>(dim)) {
    throw InputError(file, fmt::format("'{}' has another shape", name),
                     fmt::format("one row or more of {} numbers", dim));
  }
  std::vector<float> rows = tensor.floats();
  if (std::ranges::all_of(rows, [](float x) { return std::isfinite(x); })) return rows;
  throw InputError(file, fmt::format("'{}' holds a number that is not finite", name), "vectors");
}

// log mean exp of scores / t, times t; `scores` is overwritten.
float smooth_maximum(std::span<float> scores, float temperature) {
  const float most = *std::ranges::max_element(scores);
  const float scale = 1 / temperature;
  for (float& score : scores) score = quick_exp((score - most) * scale);
  double sum = 0;
  for (const float score : scores) sum += static_cast<double>(score);
  return most +
         temperature * static_cast<float>(std::log(sum / static_cast<double>(scores.size())));
}

}  // namespace

HubBank read_hubs(const std::filesystem::path& file, std::size_t dim) {
  const SafetensorsFile tensors = SafetensorsFile::open(file);
  HubBank bank{dim, number_of(file, tensors, kTemperature), number_of(file, tensors, kWeight), {}};
  for (const auto& [name, tensor] : tensors.tensors()) {
    if (name.starts_with(kCaptions)) {
      bank.spaces[name.substr(std::string_view(kCaptions).size())].captions =
          rows_of(file, name, tensor, dim);
    } else if (name.starts_with(kImages)) {
      bank.spaces[name.substr(std::string_view(kImages).size())].images =
          rows_of(file, name, tensor, dim);
    } else {
      throw InputError(file, fmt::format("tensor '{}'", name), "captions.SPACE and images.SPACE");
    }
  }
  for (const auto& [name, space] : bank.spaces) {
    if (!space.captions.empty() && !space.images.empty()) continue;
    throw InputError(file, fmt::format("half of space '{}'", name), "its captions and its images");
  }
  return bank;
}

void write_hubs(const std::filesystem::path& file, const HubBank& bank) {
  std::map<std::string, std::vector<std::uint16_t>> halves;
  for (const auto& [name, space] : bank.spaces) {
    const auto keep = [&](const std::string& tensor, const std::vector<float>& rows) {
      std::ranges::transform(rows, std::back_inserter(halves[tensor]), float_to_half);
    };
    keep(kCaptions + name, space.captions);
    keep(kImages + name, space.images);
  }
  std::map<std::string, TensorView> tensors;
  for (const auto& [name, numbers] : halves) {
    const auto dim = static_cast<std::int64_t>(bank.dim);
    tensors[name] = {TensorType::float16,
                     {static_cast<std::int64_t>(numbers.size()) / dim, dim},
                     std::as_bytes(std::span(numbers))};
  }
  write_safetensors(file, tensors,
                    {{kTemperature, fmt::format("{}", bank.temperature)},
                     {kWeight, fmt::format("{}", bank.weight)}});
}

std::vector<float> hub_penalties(const HubBank& bank, std::span<const float> remembered,
                                 const VectorRows& rows) {
  const std::size_t count = remembered.size() / bank.dim;
  const auto temperature = static_cast<float>(bank.temperature);
  std::vector<float> penalties(rows.rows);
  const std::size_t at_once = std::max<std::size_t>(1, kScoresAtOnce / count);
  std::vector<float> scores(std::min(at_once, rows.rows) * count);
  for (std::size_t first = 0; first < rows.rows; first += at_once) {
    const std::size_t some = std::min(at_once, rows.rows - first);
    dot_products(rows.values.data() + first * bank.dim, some, remembered.data(), count, bank.dim,
                 scores.data());
    for (std::size_t i = 0; i < some; ++i) {
      penalties[first + i] =
          static_cast<float>(-bank.weight) *
          smooth_maximum(std::span(scores).subspan(i * count, count), temperature);
    }
  }
  return penalties;
}

}  // namespace hinny
