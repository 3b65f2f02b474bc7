#include "text/word_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/random.h"
#include "text/vec_lines.h"

namespace hinny {
namespace {

double standard_deviation(std::span<const float> values) {
  double sum = 0.0;
  double squares = 0.0;
  for (const float value : values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const auto count = static_cast<double>(values.size());
  const double mean = sum / count;
  return std::sqrt(std::max(0.0, squares / count - mean * mean));
}

}  // namespace

std::span<const float> WordVectors::row(std::size_t index) const {
  return std::span(values_).subspan(index * dim_, dim_);
}

std::span<const float> WordVectors::find(std::string_view word) const {
  const auto found = places_.find(word);
  return found == places_.end() ? std::span<const float>() : row(found->second);
}

bool WordVectors::add(std::string_view word, std::span<const float> vector) {
  if (vector.size() != dim_) throw std::invalid_argument("a vector of another length");
  if (!places_.try_emplace(std::string(word), size()).second) return false;
  words_.emplace_back(word);
  values_.insert(values_.end(), vector.begin(), vector.end());
  return true;
}

WordVectors read_word_vectors(const std::filesystem::path& path,
                              const std::function<bool(std::string_view)>& wanted) {
  std::optional<WordVectors> vectors;
  std::vector<float> values;
  for_each_vec_line(path, Encoding::utf8, [&](const VecLine& line, std::size_t dim) {
    if (!vectors) vectors.emplace(dim);
    if (wanted && !wanted(line.word())) return;
    values.resize(dim);
    line.parse(values);
    if (!vectors->add(line.word(), values)) {
      throw InputError(path, line.line(), fmt::format("the word '{}' a second time", line.word()),
                       "each word once");
    }
  });
  return std::move(*vectors);
}

void write_word_vectors(const std::filesystem::path& path, const WordVectors& vectors) {
  AtomicFile file(path);
  file.write(fmt::format("{} {}\n", vectors.size(), vectors.dim()));
  std::string line;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    line = vectors.words()[i];
    for (const float value : vectors.row(i)) fmt::format_to(std::back_inserter(line), " {}", value);
    line += '\n';
    file.write(line);
  }
  file.commit();
}

InitialVectors initial_vectors(std::span<const WordVectors> sources, const Vocabulary& vocabulary,
                               std::uint64_t seed) {
  InitialVectors initial;
  std::vector<float> all;
  for (const WordVectors& source : sources) {
    initial.dim = source.dim();
    all.insert(all.end(), source.rows().begin(), source.rows().end());
  }
  initial.rows.resize(static_cast<std::size_t>(vocabulary.size()) * initial.dim);
  const double deviation = standard_deviation(all);
  for (std::int32_t id = 0; id < vocabulary.size(); ++id) {
    const auto row =
        std::span(initial.rows).subspan(static_cast<std::size_t>(id) * initial.dim, initial.dim);
    std::span<const float> found;
    for (const WordVectors& source : sources) {
      if (found.empty() && id >= kFirstWord) found = source.find(vocabulary.word(id));
    }
    if (!found.empty()) {
      std::ranges::copy(found, row.begin());
      ++initial.found;
    } else if (id != kPad) {
      Random random(mix_seed({seed, static_cast<std::uint64_t>(id)}));
      for (float& value : row) value = static_cast<float>(deviation * random.normal());
    }
  }
  if (initial.found == 0) {
    throw InputError("word vectors for none of the vocabulary's words",
                     "vectors of the same language");
  }
  initial.missing = vocabulary.size() - kFirstWord - initial.found;
  return initial;
}

InitialVectors load_word_vectors(const std::filesystem::path& path, const Vocabulary& vocabulary,
                                 std::uint64_t seed) {
  const WordVectors vectors =
      read_word_vectors(path, [&](std::string_view word) { return vocabulary.contains(word); });
  if (vectors.size() == 0) {
    throw InputError(path, "none of the vocabulary's words", "vectors of the same language");
  }
  return initial_vectors({&vectors, 1}, vocabulary, seed);
}

}  // namespace hinny
