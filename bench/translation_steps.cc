// Our side of bench/compare's translation: one training step of recipe nmt's shape, which
// bench/peers/nmt_step.py runs in PyTorch. Prints one JSON line.
//   bench_translation_steps [--threads N] [--precision fp32|bf16] [--images N] [--steps N]
//                           [--device cuda]
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <torch/utils.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <set>

#include "bench/caption_lengths.h"
#include "bench/step_times.h"
#include "nn/caching_allocator.h"
#include "training/loop/adam.h"
#include "translation/translation_net.h"

namespace hinny {
namespace {

constexpr std::int64_t kWords = 13;  // of each sentence: batches are of like length

NetOptions options_of(Precision precision) {
  NetOptions options;  // recipes/nmt.toml
  options.vocabulary = 6000;
  options.decoder_layers = 2;
  options.dropout = 0.3;
  options.smoothing = 0.1;
  options.precision = precision;
  return options;
}

CaptionBatch captions_of(std::int64_t sentences, std::uint32_t seed, torch::Device device) {
  return caption_batch(caption_words(sentences * kWords, seed),
                       std::vector<std::int64_t>(static_cast<std::size_t>(sentences), kWords),
                       device);
}

double distinct(const CaptionBatch& captions) {
  const torch::Tensor ids = captions.ids.to(at::kCPU);
  return static_cast<double>(std::set<std::int64_t>(ids.data_ptr<std::int64_t>(),
                                                    ids.data_ptr<std::int64_t>() + ids.numel())
                                 .size());
}

// Of the products forward, times three with the way back.
double flops(const NetOptions& options, const CaptionBatch& source, const CaptionBatch& target) {
  const auto hidden = static_cast<double>(options.hidden);
  const auto size = static_cast<double>(options.embedding);
  const auto words = static_cast<double>(target.ids.numel());
  const double encoder = distinct(source) * size * 4 * hidden + words * hidden / 2 * 4 * hidden;
  const double decoder = distinct(target) * size * 4 * hidden + words * hidden * 4 * hidden;
  const double attention = words * (hidden * hidden + 2 * kWords * hidden + 2 * hidden * size);
  const double second = words * 2 * size * 4 * size;
  const double output = words * size * static_cast<double>(options.vocabulary);
  return 3 * 2 * (encoder + decoder + attention + second + output);
}

int run(int argc, char** argv) {
  CLI::App app{"one training step of recipe nmt's shape"};
  std::string reads = "fp32", where = "cpu";
  int threads = 1, steps = 20;
  std::int64_t sentences = 62;
  app.add_option("--threads", threads);
  app.add_option("--precision", reads)->check(CLI::IsMember(choice_names<Precision>()));
  app.add_option("--steps", steps);
  app.add_option("--device", where)->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option("--images", sentences, "sentences in the batch")->check(CLI::Range(1, 10000));
  CLI11_PARSE(app, argc, argv);
  set_thread_count(threads);
  at::set_num_threads(threads);
  use_caching_allocator();
  const torch::Device device(where);
  const Precision precision = choice_of<Precision>(reads).value();
  const double peak = peak_gflops(device, precision);

  torch::manual_seed(1);
  const NetOptions options = options_of(precision);
  TranslationNet net(options);
  net.to(device);
  AdamOptions adam_options;
  adam_options.decoupled = false;
  Adam adam(net, {ParameterGroup{}}, adam_options);
  const CaptionBatch source = captions_of(sentences, 2, device);
  const CaptionBatch target = captions_of(sentences, 3, device);
  const auto step = [&] {
    net.train();
    adam.zero_gradients();
    net.loss(source, {}, target).backward();
    adam.step(1e-3, 1.0);
  };
  warm_up(device, step);
  const double time = median_seconds(device, steps, step);
  const double speed = flops(options, source, target) / time / 1e9;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  double load = 0;
  ::getloadavg(&load, 1);
  fmt::print(R"({{"name": "nmt", "value": {:.4g}, "unit": "words/s", "threads": {}, )"
             R"("precision": "{}", "gflops": {:.0f}, "gemm_peak_gflops": {:.0f}, )"
             R"("share_of_peak": {:.2f}, "peak_rss_mb": {}, "load": {:.2f}}})"
             "\n",
             static_cast<double>(target.ids.numel()) / time, threads, reads, speed, peak,
             speed / peak, usage.ru_maxrss / 1024, load);
  return 0;
}

}  // namespace
}  // namespace hinny

int main(int argc, char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") == nullptr) {  // as hinny starts hinny-learn
    hinny::let_openmp_sleep();
    if (std::getenv("GOMP_SPINCOUNT") != nullptr) ::execv("/proc/self/exe", argv);
  }
  return hinny::run(argc, argv);
}
