// For tests and benchmarks: an index of given vectors.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "encoder/model_fixture.h"
#include "index/folder/graphs_fixture.h"
#include "index/folder/write_index.h"
#include "index/tree/picture_records.h"

namespace hinny {

struct VectorsIndex {
  std::size_t dim = 0;
  std::vector<float> vectors{};      // [images, dim]
  std::vector<float> penalties{};    // [images], of an index that knows hubs, or none
  std::vector<std::string> files{};  // of the images, below /pictures; "i0", "i1", ... where empty
  std::vector<std::int64_t> times{};
  int codes = kInt8;

  std::size_t size() const { return vectors.size() / dim; }

  // With the graph where asked for.
  void write(const std::filesystem::path& folder, bool graph = false) const {
    write_model(folder / "encoder");
    IndexContents contents;
    contents.model = model_hash(folder / "encoder");
    contents.dim = dim;
    contents.codes = codes;
    contents.hubs = !penalties.empty();
    contents.spaces = {"image"};
    contents.split = "all";
    contents.features = "f";
    contents.pictures = "/pictures";
    PictureRecords records{contents.pictures, "0123", {}};
    for (std::size_t i = 0; i < size(); ++i) {
      const std::string name = files.empty() ? fmt::format("i{}", i) : files[i];
      contents.images.push_back(name);
      contents.files.push_back(name);
      if (times.empty()) continue;
      PictureRecord& record = records.files.emplace_back();
      record.file = name;
      record.size = 1;
      record.content = "x";
      record.facts.taken = Taken{times[i], TakenFrom::exif};
    }
    contents.digests = NameList(std::vector<std::string>(size()));
    const auto from = [](const std::vector<float>& numbers, std::size_t first) {
      return numbers.begin() + static_cast<std::ptrdiff_t>(first);
    };
    const auto fill = [&](const std::string&, std::size_t first, std::span<float> out) {
      std::copy_n(from(vectors, first * dim), out.size(), out.begin());
    };
    const auto some = [&](const std::string&, std::size_t first, std::span<const float> block) {
      return std::vector<float>(from(penalties, first),
                                from(penalties, first + block.size() / dim));
    };
    write_index(contents, fill, contents.hubs ? PenaltiesOf(some) : PenaltiesOf(), {}, Graphs::none,
                folder);
    if (!times.empty()) write_picture_records(folder, records);
    if (graph) add_graphs(folder);
  }

 private:
  void write_model(const std::filesystem::path& folder) const {
    ModelFixture fixture;
    const auto numbers = static_cast<std::int64_t>(dim);
    fixture.config["dim"] = dim;
    fixture.add("image.out.weight", {numbers, 19});
    fixture.add("image.out.bias", {numbers});
    for (const char* language : {"de", "en"}) {
      fixture.add(fmt::format("text_{}.fc.weight", language), {numbers, 5});
      fixture.add(fmt::format("text_{}.fc.bias", language), {numbers});
    }
    fixture.write(folder);
  }
};

// Unit vectors around centres, and of each the first few near copies of the one before.
inline std::vector<float> clustered_vectors(std::size_t rows, std::size_t dim, std::uint64_t seed) {
  constexpr std::size_t kCentres = 20;
  Random random(seed);
  std::vector<float> centres(kCentres * dim), vectors(rows * dim);
  for (float& x : centres) x = static_cast<float>(random.normal());
  for (std::size_t row = 0; row < rows; ++row) {
    const bool copy = row > 0 && random.below(4) == 0;
    const float* from = copy ? &vectors[(row - 1) * dim] : &centres[random.below(kCentres) * dim];
    const double noise =
        copy ? 0.5 * random.uniform(0, 1) / std::sqrt(static_cast<double>(dim)) : 0.8;
    float squares = 0;
    for (std::size_t d = 0; d < dim; ++d) {
      const float x = from[d] + static_cast<float>(noise * random.normal());
      vectors[row * dim + d] = x;
      squares += x * x;
    }
    for (std::size_t d = 0; d < dim; ++d) vectors[row * dim + d] /= std::sqrt(squares);
  }
  return vectors;
}

}  // namespace hinny
