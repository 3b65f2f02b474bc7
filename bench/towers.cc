// What a bundle's towers take, beside bench/peers/towers.py and towers.mjs (bench/pretrained):
// pictures a second and milliseconds a sentence. Prints one JSON line.
//   bench_towers BUNDLE [--pictures N] [--tokens N] [--threads N]
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "base/threads.h"
#include "encoder/text_encoder.h"
#include "index/bundle/bundle.h"
#include "kernels/gemm_speed.h"
#include "vision/picture_encoder.h"

namespace hinny {
namespace {

// Seconds, the quickest of several runs: others use the machine too.
template <typename Work>
double quickest_of(int runs, const Work& work) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

double pictures_a_second(const PictureModel& bundle, std::size_t count) {
  const auto encoder = open_encoder(bundle.encoders().front());
  Picture grey;
  grey.width = grey.height = 256;
  grey.pixels.assign(static_cast<std::size_t>(3 * 256 * 256), 99);
  const std::vector<std::vector<float>> prepared(count, encoder->prepare(grey));
  std::vector<float> rows(count * static_cast<std::size_t>(encoder->row_size()));
  encoder->encode(prepared, rows);
  return static_cast<double>(count) / quickest_of(5, [&] { encoder->encode(prepared, rows); });
}

// Of words of one piece each, so that there are about as many tokens.
double milliseconds_a_sentence(const Model& model, std::size_t tokens) {
  TextEncoder encoder(model);
  std::string text;
  while (model.tokenizer().ids(text + " a", 512).size() <= tokens) text += " a";
  const std::string& language = model.config().languages.front();
  const auto read = [&] { encoder.encode(text, language); };
  read();
  return 1000 * quickest_of(50, read);
}

int run_towers(int argc, char** argv) {
  CLI::App app("what a bundle's towers take");
  std::string folder;
  std::size_t pictures = 32, tokens = 10;
  int threads = 1;
  app.add_option("BUNDLE", folder)->required();
  app.add_option("--pictures", pictures, "at once; 0: none");
  app.add_option("--tokens", tokens, "of a sentence, marks included; 0: none");
  app.add_option("--threads", threads);
  CLI11_PARSE(app, argc, argv);
  set_thread_count(threads);
  const PictureModel bundle = PictureModel::open(folder, {});
  std::string line = fmt::format("{{\"threads\": {}", threads);
  if (tokens > 0) {
    line +=
        fmt::format(", \"sentence_ms\": {:.3f}", milliseconds_a_sentence(bundle.model(), tokens));
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    line += fmt::format(", \"resident_mb\": {:.1f}", static_cast<double>(usage.ru_maxrss) / 1024);
  }
  if (pictures > 0) {
    line += fmt::format(", \"pictures_a_second\": {:.2f}", pictures_a_second(bundle, pictures));
    line += fmt::format(", \"gemm_gflops\": {:.1f}", gemm_gflops<float>());
  }
  fmt::print("{}}}\n", line);
  return 0;
}

}  // namespace
}  // namespace hinny

int main(int argc, char** argv) { return hinny::run_towers(argc, argv); }
