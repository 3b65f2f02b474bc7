// Pictures a second through a network, on all threads: the network alone, and with reading,
// decoding and scaling, as `hinny index --pictures` does it. By default drawn pictures and the
// built-in descriptor; HINNY_NETWORK=FILE.onnx and HINNY_PICTURES=FOLDER take others.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "data/drawn/drawn_set.h"
#include "index/tree/picture_tree.h"
#include "tests/scratch.h"
#include "vision/encode_pictures.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBatch = 32;

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct Subject {
  Subject() {
    fs::path folder = setting("HINNY_PICTURES");
    if (folder.empty()) {
      drawn::SetOptions options;
      options.images = 64;
      drawn::draw_set(scratch / "set", options);
      folder = scratch / "set/images";
    }
    for (const TreePicture& picture : find_pictures(folder).pictures) {
      files.push_back(folder / picture.file);
    }
    const std::string network = setting("HINNY_NETWORK");
    encoder = open_encoder(network.empty() ? "builtin" : network);
  }

  Scratch scratch;
  std::vector<fs::path> files;
  std::unique_ptr<PictureEncoder> encoder;
};

void network_alone(benchmark::State& state) {
  Subject subject;
  std::vector<std::vector<float>> batch;
  for (std::size_t i = 0; i < std::min(kBatch, subject.files.size()); ++i) {
    batch.push_back(subject.encoder->prepare(read_picture(subject.files[i])));
  }
  std::vector<float> rows(batch.size() * static_cast<std::size_t>(subject.encoder->row_size()));
  std::size_t pictures = 0;
  for (auto _ : state) {
    subject.encoder->encode(batch, rows);
    pictures += batch.size();
  }
  state.counters["pictures"] =
      benchmark::Counter(static_cast<double>(pictures), benchmark::Counter::kIsRate);
}

void with_reading(benchmark::State& state) {
  Subject subject;
  PictureEncoder* const encoders[] = {subject.encoder.get()};
  std::size_t pictures = 0;
  for (auto _ : state) {
    encode_pictures(
        subject.files.size(), [&](std::size_t i) { return subject.files[i]; }, encoders, {kBatch},
        [&](std::size_t, std::span<const float>, const std::string&) {});
    pictures += subject.files.size();
  }
  state.counters["pictures"] =
      benchmark::Counter(static_cast<double>(pictures), benchmark::Counter::kIsRate);
}

BENCHMARK(network_alone)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(with_reading)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace hinny
