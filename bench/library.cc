// The C++ half of bench/python_cost: the same calls, timed alike.
//   bench_library INDEX SENTENCES BATCH TURNS
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "hinny/hinny.hpp"

namespace {

// The median of so many calls, in milliseconds.
double timed(std::size_t turns, const std::function<void(std::size_t)>& call) {
  std::vector<double> times;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    call(turn);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count());
  }
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(turns / 2));
  return times[turns / 2];
}

std::vector<std::vector<std::string>> batches_of(const char* file, std::size_t size,
                                                 std::size_t count) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::vector<std::vector<std::string>> batches(count);
  for (std::size_t i = 0; i < count * size && !lines.empty(); ++i) {
    batches[i / size].push_back(lines[i % lines.size()]);
  }
  return batches;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  const std::string index = arguments[1];
  const std::size_t turns = std::stoul(arguments[4]);
  const auto batches = batches_of(arguments[2], std::stoul(arguments[3]), turns);
  const hinny::Model model(index + "/encoder");
  const hinny::Collection collection(index);
  const std::vector<std::string> english = {"en"};
  const hinny::Question question{.language = "en"};
  const auto encode = [&](std::size_t turn) { (void)model.encode(batches[turn], english); };
  const auto search = [&](std::size_t turn) {
    (void)collection.search(batches[turn].front(), question);
  };
  for (std::size_t turn = 0; turn < std::min<std::size_t>(3, turns); ++turn) {
    encode(turn);
    search(turn);
  }
  const double encoded = timed(turns, encode);
  fmt::print("{{\"encode\": {:.6f}, \"search\": {:.6f}}}\n", encoded, timed(turns, search));
}
