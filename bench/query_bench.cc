// How long one sentence takes, on one thread: the text towers of a trained model, without libtorch.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "encoder/export_model.h"
#include "encoder/model_fixture.h"
#include "encoder/text_encoder.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

constexpr std::int64_t kWordDim = 300;
constexpr std::int64_t kDim = 512;

// English, 2,000 words of 300 numbers, one tower of the kind asked for, random numbers.
ModelFixture fixture_of(const std::string& kind, std::int64_t hidden) {
  ModelFixture fixture(5);
  fixture.config["languages"] = {"en"};
  fixture.config["text"].erase("de");
  fixture.config["dim"] = kDim;
  Vocabulary& words = fixture.vocabularies["en"];
  for (int i = 0; words.size() < 2000; ++i) words.add("word" + std::to_string(i), 1);
  fixture.add("text_en.words", {words.size(), kWordDim});
  nlohmann::json encoder = {{"kind", kind}, {"input", kWordDim}};
  if (kind != "mean") encoder["hidden"] = hidden;
  if (kind == "gru") encoder["reset"] = "after";
  fixture.set_encoder("en", encoder, kind == "mean" ? kWordDim : hidden);
  const auto resize = [&](const char* name, std::vector<std::int64_t> shape) {
    fixture.add(name, std::move(shape));
  };
  resize("text_en.fc.weight", {kDim, kind == "mean" ? kWordDim : hidden});
  resize("text_en.fc.bias", {kDim});
  resize("image.out.weight", {kDim, 19});
  resize("image.out.bias", {kDim});
  return fixture;
}

void measure(benchmark::State& state, const std::string& kind, std::int64_t hidden,
             WeightType type) {
  const Scratch folder;
  fixture_of(kind, hidden).write(folder / "run");
  std::filesystem::create_directories(folder / "model");
  export_model(Model::open(folder / "run"), type, folder / "model");
  const Model model = Model::open(folder / "model");
  TextEncoder encoder(model);
  const std::string sentence = "a dog runs on the beach word1 word22 word333 word1444";
  std::vector<double> times;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(encoder.encode(sentence, "en"));
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count());
  }
  std::sort(times.begin(), times.end());
  state.counters["p50_ms"] = times[times.size() / 2];
  state.counters["p99_ms"] = times[times.size() * 99 / 100];
}

const bool registered = [] {
  const std::pair<const char*, WeightType> types[] = {
      {"fp32", WeightType::float32}, {"bf16", WeightType::bfloat16}, {"int8", WeightType::int8}};
  for (const std::string kind : {"mean", "gru", "lstm"}) {
    for (const auto& [name, type] : types) {
      benchmark::RegisterBenchmark(
          ("query/" + kind + (kind == "mean" ? "/" : "-1024/") + name).c_str(),
          [kind, type = type](benchmark::State& state) { measure(state, kind, 1024, type); })
          ->Unit(benchmark::kMillisecond)
          ->MinTime(1);
    }
  }
  return true;
}();

}  // namespace
}  // namespace hinny
