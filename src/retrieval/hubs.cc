#include "retrieval/hubs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

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
constexpr const char* kLengths = "lengths.";  // of captions that are words
constexpr const char* kTemperature = "temperature";
constexpr const char* kWeight = "weight";
constexpr const char* kFitKnown = "fit_known";
constexpr const char* kFitScore = "fit_score";
constexpr const char* kFitOffset = "fit_offset";

double number_of(const std::filesystem::path& file, const SafetensorsFile& tensors,
                 const char* name, double above, const std::string& expected) {
  const auto found = tensors.metadata().find(name);
  if (found == tensors.metadata().end()) {
    throw InputError(file, fmt::format("no '{}' in its metadata", name), expected);
  }
  const std::string& text = found->second;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value <= above) {
    throw InputError(file, fmt::format("{} '{}'", name, text), expected);
  }
  return value;
}

double above_nothing(const std::filesystem::path& file, const SafetensorsFile& tensors,
                     const char* name) {
  return number_of(file, tensors, name, 0, "a number above 0");
}

std::optional<FitCurve> curve_of(const std::filesystem::path& file,
                                 const SafetensorsFile& tensors) {
  if (!tensors.metadata().contains(kFitKnown)) return std::nullopt;
  const auto number = [&](const char* name) {
    return number_of(file, tensors, name, -std::numeric_limits<double>::infinity(), "a number");
  };
  const FitCurve curve{number(kFitKnown), number(kFitScore), number(kFitOffset)};
  if (curve.known + curve.score > 0) return curve;
  throw InputError(file,
                   fmt::format("{} and {} say that a higher score fits less", kFitKnown, kFitScore),
                   "a sum above 0");
}

// [any number, dim], or where pictures have regions [any number, regions, dim].
std::vector<float> rows_of(const std::filesystem::path& file, const std::string& name,
                           const TensorView& tensor, std::size_t dim, bool of_regions) {
  const std::vector<std::int64_t>& shape = tensor.shape;
  if ((shape.size() != 2 && !(of_regions && shape.size() == 3)) || tensor.size() < 1 ||
      shape.back() != static_cast<std::int64_t>(dim)) {
    throw InputError(file, fmt::format("'{}' has another shape", name),
                     fmt::format("one row or more of {} numbers", dim));
  }
  std::vector<float> rows = tensor.floats();
  if (std::ranges::all_of(rows, [](float x) { return std::isfinite(x); })) return rows;
  throw InputError(file, fmt::format("'{}' holds a number that is not finite", name), "vectors");
}

std::vector<std::int64_t> lengths_of(const std::filesystem::path& file, const std::string& name,
                                     const TensorView& tensor) {
  if (tensor.type != TensorType::int32 || tensor.shape.size() != 1) {
    throw InputError(file, fmt::format("'{}' has another type or shape", name), "I32, one a row");
  }
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(tensor.size()));
  std::memcpy(numbers.data(), tensor.bytes.data(), tensor.bytes.size());
  return {numbers.begin(), numbers.end()};
}

void check_space(const std::filesystem::path& file, const std::string& name,
                 const HubBank::Space& space, std::size_t dim) {
  if (space.captions.empty() || space.images.empty()) {
    throw InputError(file, fmt::format("half of space '{}'", name), "its captions and its images");
  }
  if (space.lengths.empty()) return;
  std::size_t left = space.captions.size() / dim;
  for (const std::int64_t length : space.lengths) {
    if (length < 1 || static_cast<std::size_t>(length) > left) {
      throw InputError(file, fmt::format("a caption of {} words in space '{}'", length, name),
                       "1 or more, together as many as there are");
    }
    left -= static_cast<std::size_t>(length);
  }
  if (left == 0) return;
  throw InputError(file, fmt::format("{} words of no caption in space '{}'", left, name), "none");
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

float hub_penalty(const HubBank& bank, std::span<float> scores) {
  return static_cast<float>(-bank.weight) *
         smooth_maximum(scores, static_cast<float>(bank.temperature));
}

HubBank read_hubs(const std::filesystem::path& file, std::size_t dim) {
  const SafetensorsFile tensors = SafetensorsFile::open(file);
  HubBank bank{dim,
               above_nothing(file, tensors, kTemperature),
               above_nothing(file, tensors, kWeight),
               {},
               curve_of(file, tensors)};
  for (const auto& [name, tensor] : tensors.tensors()) {
    const std::size_t dot = name.find('.') + 1;
    const std::string kind = name.substr(0, dot);
    HubBank::Space& space = bank.spaces[name.substr(dot)];
    if (kind == kCaptions) {
      space.captions = rows_of(file, name, tensor, dim, false);
    } else if (kind == kImages) {
      space.images = rows_of(file, name, tensor, dim, true);
      if (tensor.shape.size() == 3) space.regions = static_cast<std::size_t>(tensor.shape[1]);
    } else if (kind == kLengths) {
      space.lengths = lengths_of(file, name, tensor);
    } else {
      throw InputError(file, fmt::format("tensor '{}'", name),
                       "captions.SPACE, lengths.SPACE and images.SPACE");
    }
  }
  for (const auto& [name, space] : bank.spaces) check_space(file, name, space, dim);
  return bank;
}

KnownPictures::KnownPictures(const std::filesystem::path& file, std::size_t dim)
    : path_(file),
      file_(SafetensorsFile::open(file)),
      dim_(dim),
      curve_(curve_of(file, file_).value_or(FitCurve{})) {}

Fit KnownPictures::fit(const std::string& space, std::span<const float> question) const {
  constexpr std::size_t kRowsAtOnce = 64;
  const auto found = file_.tensors().find(kImages + space);
  if (found == file_.tensors().end()) {
    throw InputError(path_, fmt::format("nothing of space '{}'", space), "each of the model's");
  }
  const TensorView& pictures = found->second;
  if (pictures.type != TensorType::float16 || pictures.shape.size() != 2 || pictures.size() < 1 ||
      pictures.shape.back() != static_cast<std::int64_t>(dim_)) {
    throw InputError(path_, fmt::format("'{}' has another type or shape", found->first),
                     fmt::format("F16, one row or more of {} numbers", dim_));
  }
  const auto rows = static_cast<std::size_t>(pictures.shape.front());
  std::vector<float> scores(rows), some(kRowsAtOnce * dim_);
  for (std::size_t first = 0; first < rows; first += kRowsAtOnce) {
    const std::size_t count = std::min(kRowsAtOnce, rows - first);
    const std::size_t begin = first * dim_ * sizeof(std::uint16_t);
    halves_to_floats(pictures.bytes.subspan(begin, count * dim_ * sizeof(std::uint16_t)),
                     std::span(some).first(count * dim_));
    dot_products_alone(question.data(), 1, some.data(), count, dim_, scores.data() + first);
  }
  if (std::ranges::all_of(scores, [](float x) { return std::isfinite(x); })) {
    return curve_.of(known_score_of(std::move(scores)));
  }
  throw InputError(path_, fmt::format("'{}' holds a number that is not finite", found->first),
                   "vectors");
}

void write_hubs(const std::filesystem::path& file, const HubBank& bank) {
  std::map<std::string, std::vector<std::uint16_t>> halves;
  std::map<std::string, std::vector<std::int32_t>> lengths;
  std::map<std::string, TensorView> tensors;
  const auto dim = static_cast<std::int64_t>(bank.dim);
  const auto keep = [&](const std::string& name, const std::vector<float>& rows,
                        std::size_t regions) {
    std::ranges::transform(rows, std::back_inserter(halves[name]), float_to_half);
    const auto each = static_cast<std::int64_t>(regions);
    std::vector<std::int64_t> shape = {static_cast<std::int64_t>(rows.size()) / (dim * each), dim};
    if (regions > 1) shape.insert(shape.begin() + 1, each);
    tensors[name] = {TensorType::float16, shape, std::as_bytes(std::span(halves[name]))};
  };
  for (const auto& [name, space] : bank.spaces) {
    keep(kCaptions + name, space.captions, 1);
    keep(kImages + name, space.images, space.regions);
    if (space.lengths.empty()) continue;
    std::ranges::transform(space.lengths, std::back_inserter(lengths[name]),
                           [](std::int64_t length) { return static_cast<std::int32_t>(length); });
    tensors[kLengths + name] = {TensorType::int32,
                                {static_cast<std::int64_t>(space.lengths.size())},
                                std::as_bytes(std::span(lengths[name]))};
  }
  std::map<std::string, std::string> metadata = {
      {kTemperature, fmt::format("{}", bank.temperature)},
      {kWeight, fmt::format("{}", bank.weight)}};
  if (bank.fit) {
    metadata[kFitKnown] = fmt::format("{}", bank.fit->known);
    metadata[kFitScore] = fmt::format("{}", bank.fit->score);
    metadata[kFitOffset] = fmt::format("{}", bank.fit->offset);
  }
  write_safetensors(file, tensors, metadata);
}

std::vector<float> hub_penalties(const HubBank& bank, std::span<const float> remembered,
                                 const VectorRows& rows) {
  const std::size_t count = remembered.size() / bank.dim;
  std::vector<float> penalties(rows.rows);
  const std::size_t at_once = std::max<std::size_t>(1, kScoresAtOnce / count);
  std::vector<float> scores(std::min(at_once, rows.rows) * count);
  for (std::size_t first = 0; first < rows.rows; first += at_once) {
    const std::size_t some = std::min(at_once, rows.rows - first);
    dot_products_alone(rows.values.data() + first * bank.dim, some, remembered.data(), count,
                       bank.dim, scores.data());
    for (std::size_t i = 0; i < some; ++i) {
      penalties[first + i] = hub_penalty(bank, std::span(scores).subspan(i * count, count));
    }
  }
  return penalties;
}

}  // namespace hinny
