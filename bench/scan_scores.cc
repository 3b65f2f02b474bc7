// Our side of bench/peers/scan_scores.py: SCAN's scores of 1,000 images x 500 captions, 36 regions
// and 1,024 numbers each. Prints one JSON line.
//   bench_scan_scores [--direction t2i|i2t] [--threads N] [--gradients all|hardest]
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "base/random.h"
#include "base/threads.h"
#include "bench/caption_lengths.h"
#include "kernels/cross_attention.h"
#include "kernels/gemm.h"

namespace hinny {
namespace {

constexpr std::int64_t kRegions = 36, kDim = 1024;

struct Time {
  double wall = 0, processor = 0;
};

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The quickest of several runs: others use the machine too.
template <typename Work>
Time quickest(int runs, const Work& work) {
  Time best{1e9, 1e9};
  for (int i = 0; i < runs; ++i) {
    const double processor = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    best.wall = std::min(best.wall, wall.count());
    best.processor = std::min(best.processor, processor_seconds() - processor);
  }
  return best;
}

std::vector<float> unit_vectors(std::int64_t count, std::uint64_t seed) {
  std::vector<float> numbers(static_cast<std::size_t>(count * kDim));
  Random random(seed);
  for (auto row = numbers.begin(); row != numbers.end(); row += kDim) {
    std::generate_n(row, kDim, [&] { return static_cast<float>(random.uniform(-1, 1)); });
    const float length = std::sqrt(std::inner_product(row, row + kDim, row, 0.0F));
    std::transform(row, row + kDim, row, [&](float number) { return number / length; });
  }
  return numbers;
}

// A core's products of the scores' own shape, beside each other: what no scoring can exceed.
double peak_gflops(int threads) {
  constexpr std::int64_t kWords = 128, kColumns = kRegions * 16;
  constexpr int kTimes = 40;
  const std::vector<float> words(kWords * kDim, 0.5F), images(kColumns * kDim, 0.5F);
  const PackedMatrix<float> columns(kDim, kColumns, {images.data(), kDim, true});
  const auto work = [&] {
    parallel_blocks(static_cast<std::size_t>(threads), [&](std::size_t, std::size_t) {
      std::vector<float> products(kWords * kColumns);
      for (int i = 0; i < kTimes; ++i) {
        columns.multiply(kWords, words.data(), kDim, products.data(), kColumns);
      }
    });
  };
  work();
  return 2e-9 * kTimes * threads * kWords * kColumns * kDim / quickest(5, work).processor;
}

// What a loss of hardest negatives leaves: each image's own caption and its greatest other score,
// and the same for captions. Images and captions of one number belong together.
std::vector<float> hardest(const std::vector<float>& scores, std::int64_t images,
                           std::int64_t captions) {
  std::vector<float> chosen(scores.size());
  const auto choose = [&](std::int64_t first, std::int64_t step, std::int64_t count,
                          std::int64_t own) {
    std::int64_t best = own == 0 ? 1 : 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = [&](std::int64_t n) { return static_cast<std::size_t>(first + n * step); };
      if (i != own && scores[at(i)] > scores[at(best)]) best = i;
    }
    chosen[static_cast<std::size_t>(first + own * step)] -= 1;
    chosen[static_cast<std::size_t>(first + best * step)] += 1;
  };
  const std::int64_t pairs = std::min(images, captions);
  for (std::int64_t i = 0; i < pairs; ++i) choose(i * captions, 1, captions, i);
  for (std::int64_t i = 0; i < pairs; ++i) choose(i, captions, images, i);
  return chosen;
}

int run(int argc, char** argv) {
  CLI::App app{"SCAN's scores of all pairs of images and captions"};
  std::string direction = "t2i";
  std::int64_t images = 1000, captions = 500;
  int threads = 1, runs = 3;
  std::string gradients;
  bool json = true;
  app.add_option("--direction", direction)->check(CLI::IsMember({"t2i", "i2t"}));
  app.add_option("--images", images);
  app.add_option("--captions", captions);
  app.add_option("--threads", threads);
  app.add_option("--runs", runs);
  app.add_option("--gradients", gradients, "scores, then gradients of all, or the hardest, of them")
      ->check(CLI::IsMember({"all", "hardest"}));
  app.add_flag("--json", json, "as always");
  CLI11_PARSE(app, argc, argv);
  set_thread_count(threads);

  const auto lengths = caption_lengths(captions);
  const std::int64_t tokens = std::reduce(lengths.begin(), lengths.end(), std::int64_t{0});
  const auto regions = unit_vectors(images * kRegions, 1), words = unit_vectors(tokens, 2);
  std::vector<float> scores(static_cast<std::size_t>(images * captions));
  CrossAttention attention;  // as the paper sets it for Flickr30K
  if (direction == "i2t") {
    attention.direction = AttentionDirection::image_to_text;
    attention.lambda_softmax = 4;
    attention.lambda_lse = 5;
  }
  const CrossAttentionInput<float> input{images,         kRegions,     kDim,
                                         regions.data(), words.data(), lengths};
  std::vector<float> region_gradients(gradients.empty() ? 0 : regions.size());
  std::vector<float> word_gradients(gradients.empty() ? 0 : words.size());
  const double peak = peak_gflops(threads);
  const Time time = quickest(runs, [&] {
    cross_attention_scores(attention, input, scores.data());
    if (gradients.empty()) return;
    const auto given = gradients == "all" ? scores : hardest(scores, images, captions);
    cross_attention_gradients(attention, input, given.data(), region_gradients.data(),
                              word_gradients.data());
  });

  const auto pairs = static_cast<double>(images * captions);
  const double gflop = 2e-9 * static_cast<double>(images * tokens) * kRegions * kDim;
  // Gradients of the hardest alone are not counted: how many products they need depends on chance.
  const double rate = (gradients == "all" ? 4 : 1) * gflop / time.processor;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  double load = 0;
  ::getloadavg(&load, 1);
  fmt::print(R"({{"name": "scan_{}_{}", "value": {:.4g}, "unit": "pairs/s", )"
             R"("pairs_per_cpu_s": {:.4g}, "pairs": {}, "words_per_pair": {:.2f}, "threads": {}, )"
             R"("gemm": "{}", "gflops_per_core": {:.0f}, "gemm_peak_per_core": {:.0f}, )"
             R"("share_of_peak": {:.2f}, "peak_rss_mb": {}, "load": {:.2f}}})"
             "\n",
             gradients.empty() ? "scores" : "gradients_of_" + gradients, direction,
             pairs / time.wall, pairs / time.processor, images * captions,
             static_cast<double>(tokens) / static_cast<double>(captions), threads,
             gemm_backend_name(), rate, peak, rate / peak, usage.ru_maxrss / 1024, load);
  return 0;
}

}  // namespace
}  // namespace hinny

int main(int argc, char** argv) { return hinny::run(argc, argv); }
