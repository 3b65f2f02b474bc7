// Searches of an index of a million pictures, 512 numbers each, with every filter beside one
// without, and the most that a server answers in one request. HINNY_BENCH_ROWS chooses fewer.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/day.h"
#include "bench/collection.h"
#include "index/asking/ask.h"
#include "index/folder/vectors_index_fixture.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

constexpr std::int64_t kDays = 3650;  // that the pictures were taken in, from 2010 on
constexpr std::int64_t kDay = 86'400;
constexpr std::size_t kFolders = 100;

// Each fiftieth picture is a near copy of the one before.
void plant_copies(std::vector<float>& vectors) {
  Random random(3);
  for (std::size_t at = 49 * kCollectionDim; at + kCollectionDim <= vectors.size();
       at += 50 * kCollectionDim) {
    float squares = 0;
    for (std::size_t d = at; d < at + kCollectionDim; ++d) {
      vectors[d] = vectors[d - kCollectionDim] + static_cast<float>(0.01 * random.normal());
      squares += vectors[d] * vectors[d];
    }
    for (std::size_t d = at; d < at + kCollectionDim; ++d) vectors[d] /= std::sqrt(squares);
  }
}

// Made once, of a collection whose numbers in memory are given up then.
struct Made {
  Scratch folder;
  std::vector<float> queries;
  std::int64_t start = parse_period("2010")->begin;

  Made() {
    DrawnVectors collection(collection_rows());
    queries = std::move(collection.queries);
    VectorsIndex made{kCollectionDim, std::move(collection.vectors)};
    plant_copies(made.vectors);
    Random random(5);
    for (std::size_t i = 0; i < made.size(); ++i) {
      made.files.push_back(
          fmt::format("albums/{:02}/DSC_{:07}.jpg", i * kFolders / made.size(), i));
      made.times.push_back(start + static_cast<std::int64_t>(random.below(kDays * kDay)));
    }
    made.write(folder / "index");
  }
};

const Made& made() {
  static const Made all;
  return all;
}
const Index& index() {
  static const Index opened = [] {
    Index all = Index::open(made().folder / "index");
    all.folder_facts();
    return all;
  }();
  return opened;
}

std::int64_t after(double share) {
  return made().start + static_cast<std::int64_t>(share * static_cast<double>(kDays * kDay));
}

void ask(benchmark::State& state, const Question& question, std::size_t questions) {
  const auto vectors = std::span(made().queries).first(questions * kCollectionDim);
  const Index& all = index();
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Answer& answer : ask_with_vectors(all, vectors, "image", question)) {
      found += answer.found.size();
    }
  }
  state.counters["found"] = static_cast<double>(found);
}

Question best(std::size_t k) {
  Question question;
  question.k = k;
  question.details = true;
  return question;
}

void filtered(benchmark::State& state, const Filter& filter) {
  Question question = best(10);
  question.filter = filter;
  ask(state, question, 1);
}

// What an HTTP request may ask for at most: 1,000 results of each of 64 questions, or of near
// copies 1,000 altogether.
void most_of_best(benchmark::State& state) { ask(state, best(1000), kQueries); }

void most_of_copies(benchmark::State& state, std::size_t questions, bool some) {
  Question question = best(1000 / questions);
  question.near_copies = true;
  if (some) question.filter = {after(0.1), {}, "albums"};
  ask(state, question, questions);
}

void most_of_newest(benchmark::State& state, double min_score, bool near_copies) {
  Question question = best(near_copies ? 1000 / kQueries : 1000);
  question.order = Question::Order::time;
  question.min_score = min_score;
  question.near_copies = near_copies;
  ask(state, question, kQueries);
}

template <typename... Given>
void add(const std::string& name, Given... given) {
  benchmark::RegisterBenchmark(name.c_str(), given...)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

void add_all() {
  const auto from = [](double share) { return Filter{after(share), {}, ""}; };
  const auto until = [](double share) { return Filter{{}, after(share), ""}; };
  // Each makes its filter when it runs: what it is made of takes minutes.
  const auto with = [](auto make) {
    return [make](benchmark::State& state) { filtered(state, make()); };
  };
  add("search/all", with([] { return Filter{}; }));
  add("search/since/half", with([=] { return from(0.5); }));
  add("search/since/99%", with([=] { return from(0.01); }));
  add("search/since/10%", with([=] { return from(0.9); }));
  add("search/until/1%", with([=] { return until(0.01); }));
  add("search/in/all", with([] { return Filter{{}, {}, "albums"}; }));
  add("search/in/1%", with([] { return Filter{{}, {}, "albums/37"}; }));
  add("search/in/none", with([] { return Filter{{}, {}, "albums/no such"}; }));
  add("search/since+until+in", with([] { return Filter{after(0.2), after(0.8), "albums"}; }));
  add("search/since+in/1%", with([] { return Filter{after(0.5), {}, "albums/37"}; }));
  add("most/best", most_of_best);
  add("most/near_copies/1", most_of_copies, std::size_t{1}, false);
  add("most/near_copies/64", most_of_copies, kQueries, false);
  add("most/near_copies/1/since+in", most_of_copies, std::size_t{1}, true);
  add("most/newest/any_score", most_of_newest, -1.0, false);
  add("most/newest/some", most_of_newest, 0.1, false);
  add("most/newest/few", most_of_newest, 0.9, false);
  add("most/newest/near_copies", most_of_newest, 0.1, true);
}

}  // namespace
}  // namespace hinny

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  hinny::add_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
