// How long the protocol takes: recall both ways over one test split of one language.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "retrieval/recall.h"

namespace hinny {
namespace {

// Rows of length 1, as encoders give them.
std::vector<float> unit_rows(std::size_t rows, std::size_t dim, Random& random) {
  std::vector<float> values(rows * dim);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::span<float> vector(&values[row * dim], dim);
    float squares = 0;
    for (float& value : vector) {
      value = static_cast<float>(random.normal());
      squares += value * value;
    }
    for (float& value : vector) value /= std::sqrt(squares);
  }
  return values;
}

// Arguments: images, captions per image, dim.
void measure(benchmark::State& state) {
  const auto images = static_cast<std::size_t>(state.range(0));
  const auto captions = images * static_cast<std::size_t>(state.range(1));
  const auto dim = static_cast<std::size_t>(state.range(2));
  Random random(1);
  const std::vector<float> image_rows = unit_rows(images, dim, random);
  const std::vector<float> caption_rows = unit_rows(captions, dim, random);
  std::vector<int> image_of_caption(captions);
  for (std::size_t caption = 0; caption < captions; ++caption) {
    image_of_caption[caption] = static_cast<int>(caption * images / captions);
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        measure_recall({image_rows, images, dim}, {caption_rows, captions, dim}, image_of_caption));
  }
  const auto pairs = static_cast<double>(images * captions);
  state.counters["pairs/s"] =
      benchmark::Counter(pairs, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(measure)
    ->Name("recall")
    ->ArgNames({"images", "captions_each", "dim"})
    ->Args({1000, 5, 512})
    ->Args({5000, 5, 512})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace hinny
