#include "data/sentence_vectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/error.h"
#include "base/folders.h"

namespace hinny {
namespace fs = std::filesystem;

SentenceVectors SentenceVectors::open(const Dataset& dataset, const std::string& name) {
  const fs::path folder = dataset.folder() / "sentences";
  const std::set<std::string> known = names_of_files(folder, ".npy");
  if (!known.contains(name)) {
    throw InputError(folder,
                     fmt::format("no sentence vectors '{}'{}", name, did_you_mean(name, known)),
                     known.empty() ? "NAME.npy, a row per line of captions.jsonl"
                                   : fmt::format("one of {}", fmt::join(known, ", ")));
  }
  const fs::path path = folder / (name + ".npy");
  NpyArray array = NpyArray::open(path);
  if (array.rows() != dataset.captions_in_file()) {
    throw InputError(
        path, fmt::format("{} rows", array.rows()),
        fmt::format("{}, one for each caption of captions.jsonl", dataset.captions_in_file()));
  }
  if (const std::int64_t row = array.first_bad_row(); row >= 0) {
    throw InputError(path, fmt::format("NaN or infinity in row {}", row), "finite numbers");
  }
  return SentenceVectors(std::move(array));
}

void SentenceVectors::gather(std::span<const int> places, std::span<float> out) const {
  const auto dim = static_cast<std::size_t>(array_.row_size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    array_.row(places[i], out.subspan(i * dim, dim));
  }
}

}  // namespace hinny
