// Our side of bench/compare: one training step, or one evaluation, of the shapes that
// bench/peers/*.py run in PyTorch. Prints one JSON line.
//   bench_steps mule|vse|scan|evaluate [--threads N] [--precision fp32|bf16] [--images N]
//               [--device cuda]
#include <ATen/Parallel.h>
#include <ATen/ops/randn.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <torch/utils.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/phases.h"
#include "bench/caption_lengths.h"
#include "bench/step_times.h"
#include "nn/caching_allocator.h"
#include "retrieval/recall.h"
#include "retrieval/vector_rows.h"
#include "systems/retrieval_system.h"
#include "training/loop/adam.h"

namespace hinny {
namespace {

torch::Device device = torch::Device(torch::kCPU);

struct Shape {
  SystemOptions options;
  std::int64_t images = 0, sentences = 1, features = 2048, vocabulary = 0;
  double clip = 0;
  std::int64_t regions = 1;
};

Shape mule(std::int64_t images) {
  Shape shape{{}, images, 6, 2048, 30000, 0};
  shape.options.system = SystemKind::embn;
  shape.options.text.encoder = EncoderKind::lstm;
  shape.options.image.hidden = 2048;
  return shape;  // the rest: hardest 10, margin 0.05, 512 numbers
}

Shape vse(std::int64_t images, std::int64_t sentences) {
  Shape shape{{}, images, sentences, 2048, 11000, 2.0};
  shape.options.system = SystemKind::vse;
  shape.options.dim = 1024;
  shape.options.text.vocabulary = Sharing::shared;
  shape.options.text.encoder = EncoderKind::gru;
  shape.options.text.project = false;
  shape.options.image.hidden = 0;
  shape.options.loss.mining = Mining::max;
  shape.options.loss.reduction = Reduction::sum;
  shape.options.loss.margin = 0.2;
  return shape;
}

Shape scan(std::int64_t images) {
  Shape shape = vse(images, 1);
  shape.options.system = SystemKind::scan;
  shape.options.text.bidirectional = true;
  shape.options.loss.mining = Mining::max;
  shape.regions = 36;
  return shape;  // the rest: text to image, clipped_l2, log-sum-exp, 9 and 6
}

CaptionBatch captions_of(std::int64_t images, std::int64_t sentences) {
  const auto lengths = caption_lengths(images * sentences);
  const auto words =
      caption_words(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
  CaptionBatch captions = caption_batch(words, lengths, device);
  captions.rows = captions.rows.div(sentences, "floor");
  return captions;
}

// Of the recurrent products forward (times three with the way back), the first step's left out,
// plus the layers' and each distinct word's.
double flops(const Shape& shape, const CaptionBatch& captions, double passes) {
  const double gates = shape.options.text.encoder == EncoderKind::lstm ? 4096 : 3072, hidden = 1024;
  const auto tokens = static_cast<double>(captions.ids.numel());
  const auto sentences = static_cast<double>(captions.captions());
  const torch::Tensor ids = captions.ids.to(at::kCPU);
  std::vector<std::int64_t> words(ids.data_ptr<std::int64_t>(),
                                  ids.data_ptr<std::int64_t>() + ids.numel());
  std::ranges::sort(words);
  const auto distinct =
      static_cast<double>(std::unique(words.begin(), words.end()) - words.begin());
  const auto dim = static_cast<double>(shape.options.dim);
  const double head = shape.options.text.project ? sentences * hidden * dim : 0;
  const auto images = static_cast<double>(shape.images);
  const auto regions = images * static_cast<double>(shape.regions);
  // Features want no gradient: their layer has one product less on the way back.
  const double first = passes > 1 ? (passes - 1) / passes : 1;
  const double branch = shape.options.image.hidden > 0 ? images * 2048 * (first * 2048 + dim)
                                                       : first * regions * 2048 * dim;
  const double ways = shape.options.text.bidirectional ? 2 : 1;
  // Each word's products with the regions, and what it attends to. Losses of the hardest negatives
  // need no way back from the other pairs.
  const double attention = shape.regions > 1 ? 2 * tokens * regions * dim : 0;
  return 2 * passes *
             (ways * ((tokens - sentences) * hidden * gates + distinct * 300 * gates) + head +
              branch) +
         2 * attention;
}

struct Result {
  double value = 0, flops_per_second = 0;
};

std::shared_ptr<RetrievalSystem> system_of(const Shape& shape) {
  torch::manual_seed(1);
  return make_system(shape.options,
                     {{"en"}, {shape.vocabulary}, shape.features * shape.regions, shape.regions});
}

// Median seconds of a step after one to warm up, on a GPU three.
Result train(const Shape& shape, int steps) {
  const auto system = system_of(shape);
  system->to(device);
  AdamOptions adam_options;
  adam_options.decoupled = false;
  Adam adam(*system, system->parameter_groups(), adam_options);
  const CaptionBatch captions = captions_of(shape.images, shape.sentences);
  const Batch batch{at::randn({shape.images, shape.features * shape.regions}).to(device),
                    {{SystemLanguage{0}, captions}},
                    std::nullopt};
  const auto step = [&] {
    system->train();
    adam.zero_gradients();
    torch::Tensor total;
    {
      const InPhase phase(Phase::layers);
      total = total_loss(system->losses(batch));
    }
    {
      const InPhase phase(Phase::backward);
      total.backward();
    }
    const InPhase phase(Phase::optimiser);
    adam.step(2e-4, shape.clip);
  };
  warm_up(device, step);
  count_phases();
  const double time = median_seconds(device, steps, step);
  return {time, flops(shape, captions, 3) / time};
}

// Encodes images (1,000 in a comparison) with five captions each and ranks them both ways.
Result evaluate(std::int64_t count, Precision precision) {
  Shape shape = vse(count, 5);
  shape.options.precision = precision;
  const auto system = system_of(shape);
  system->eval();
  const torch::NoGradGuard no_gradient;
  const torch::Tensor features = at::randn({shape.images, shape.features});
  const CaptionBatch captions = captions_of(shape.images, shape.sentences);
  std::vector<int> owners;
  for (int i = 0; i < 5 * count; ++i) owners.push_back(i / 5);
  const auto matrix = [](const torch::Tensor& rows) {
    return VectorRows{{rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel())},
                      static_cast<std::size_t>(rows.size(0)),
                      static_cast<std::size_t>(rows.size(1))};
  };
  const auto once = [&] {
    const torch::Tensor images = system->encode_images(features, SystemLanguage{0}).contiguous();
    const torch::Tensor sentences =
        system->encode_captions(captions, SystemLanguage{0}).contiguous();
    measure_recall(matrix(images), matrix(sentences), owners);
  };
  warm_up(device, once);
  count_phases();
  const double time = median_seconds(device, 3, once);
  const double ranking = 2.0 * static_cast<double>(count) * 5.0 * static_cast<double>(count) * 1024;
  return {time, (flops(shape, captions, 1) + ranking) / time};
}

int run(int argc, char** argv) {
  CLI::App app{"one step or evaluation of the shapes that bench/peers run"};
  std::string what, reads = "fp32", where = "cpu";
  int threads = 1, steps = 3;
  std::int64_t images = 0;
  bool profile = false;
  app.add_option("WHAT", what)
      ->required()
      ->check(CLI::IsMember({"mule", "vse", "scan", "evaluate"}));
  app.add_option("--threads", threads);
  app.add_option("--precision", reads)->check(CLI::IsMember(choice_names<Precision>()));
  app.add_option("--steps", steps);
  app.add_option("--device", where, "of a step")->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option("--images", images, "of a step or an evaluation; 0: as the comparison has them")
      ->check(CLI::Range(0, 10000));
  app.add_flag("--profile", profile);
  CLI11_PARSE(app, argc, argv);
  if (what == "evaluate" && where != "cpu") {
    return app.exit(CLI::ValidationError("--device", "of steps alone"));
  }
  if (images == 0) images = what == "mule" ? 450 : what == "evaluate" ? 1000 : 128;
  set_thread_count(threads);
  at::set_num_threads(threads);
  use_caching_allocator();
  device = torch::Device(where);

  const Precision precision = choice_of<Precision>(reads).value();
  const double peak = peak_gflops(device, precision);
  Result result;
  Shape shape = what == "mule" ? mule(images) : what == "scan" ? scan(images) : vse(images, 1);
  shape.options.precision = precision;
  if (what == "evaluate") {
    result = evaluate(images, precision);
  } else {
    result = train(shape, what == "vse" ? 5 * steps : steps);
  }
  const bool rate = what == "vse" || what == "scan";
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  double load = 0;
  ::getloadavg(&load, 1);
  fmt::print(R"({{"name": "{}", "value": {:.4g}, "unit": "{}", "threads": {}, "precision": "{}", )"
             R"("gflops": {:.0f}, "gemm_peak_gflops": {:.0f}, "share_of_peak": {:.2f}, )"
             R"("peak_rss_mb": {}, "load": {:.2f}}})"
             "\n",
             what, rate ? static_cast<double>(images) / result.value : result.value,
             rate ? "captions/s" : "s", threads, reads, result.flops_per_second / 1e9, peak,
             result.flops_per_second / 1e9 / peak, usage.ru_maxrss / 1024, load);
  if (profile) fmt::print(stderr, "{}", phases_as_text());
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
