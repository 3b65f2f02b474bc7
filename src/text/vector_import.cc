#include "text/vector_import.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/lines.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "text/fasttext_model.h"
#include "text/normaliser.h"
#include "text/vec_lines.h"

namespace hinny {
namespace {

// Which of the vocabulary's words a word of the file stands for.
class Matcher {
 public:
  Matcher(const std::string& language, const Vocabulary& wanted)
      : normaliser_(language), wanted_(wanted) {}

  // kUnknown when for none, and when it is not UTF-8: that is counted.
  std::int32_t operator()(std::string_view word) {
    if (!is_utf8(word)) {
      ++broken_;
      return kUnknown;
    }
    normaliser_(word, normal_);
    utf8_.clear();
    return wanted_.id(normal_.toUTF8String(utf8_));
  }
  std::size_t broken() const { return broken_; }

 private:
  Normaliser normaliser_;
  const Vocabulary& wanted_;
  icu::UnicodeString normal_;
  std::string utf8_;
  std::size_t broken_ = 0;
};

// Rows by vocabulary id, filled in any order.
class Table {
 public:
  Table(const Vocabulary& wanted, std::size_t dim)
      : wanted_(wanted),
        dim_(dim),
        filled_(static_cast<std::size_t>(wanted.size()), false),
        values_(filled_.size() * dim) {}

  bool filled(std::int32_t id) const { return filled_[static_cast<std::size_t>(id)]; }
  std::span<float> fill(std::int32_t id) {
    filled_[static_cast<std::size_t>(id)] = true;
    return row(id);
  }
  std::span<float> row(std::int32_t id) {
    return std::span(values_).subspan(static_cast<std::size_t>(id) * dim_, dim_);
  }
  WordVectors vectors() {
    WordVectors result(dim_);
    for (std::int32_t id = kFirstWord; id < wanted_.size(); ++id) {
      if (filled(id)) result.add(wanted_.word(id), row(id));
    }
    return result;
  }

 private:
  const Vocabulary& wanted_;
  std::size_t dim_;
  std::vector<bool> filled_;
  std::vector<float> values_;
};

ImportedVectors import_text(const std::filesystem::path& path, const std::string& language,
                            const Vocabulary& wanted) {
  Matcher match(language, wanted);
  std::optional<Table> table;
  Progress progress(path.filename().string(), 0);
  for_each_vec_line(path, Encoding::any, [&](const VecLine& line, std::size_t dim) {
    if (!table) table.emplace(wanted, dim);
    if (line.line() % 4096 == 0) stop_if_interrupted();
    progress.add();
    const std::int32_t id = match(line.word());
    if (id >= kFirstWord && !table->filled(id)) line.parse(table->fill(id));
  });
  return {table->vectors(), 0, match.broken()};
}

ImportedVectors import_model(const std::filesystem::path& path, const std::string& language,
                             const Vocabulary& wanted) {
  struct Entry {
    std::string word;  // as the model spells it: its n-grams keep their case
    std::int32_t id = FastTextModel::kNoId;
  };
  FastTextModel model(path);
  Matcher match(language, wanted);
  std::vector<Entry> entries(static_cast<std::size_t>(wanted.size()));
  model.for_each_word([&](std::string_view word, std::int32_t id) {
    const std::int32_t place = match(word);
    if (place < kFirstWord) return;
    Entry& entry = entries[static_cast<std::size_t>(place)];
    if (entry.id == FastTextModel::kNoId) entry = {std::string(word), id};
  });
  ImportedVectors imported{WordVectors(model.dim()), 0, match.broken()};
  std::vector<float> vector(model.dim());
  Progress progress(path.filename().string(), static_cast<std::uint64_t>(wanted.size()));
  for (std::int32_t place = kFirstWord; place < wanted.size(); ++place) {
    stop_if_interrupted();
    progress.update(static_cast<std::uint64_t>(place));
    const Entry& entry = entries[static_cast<std::size_t>(place)];
    const bool known = entry.id != FastTextModel::kNoId;
    if (!model.vector(known ? entry.word : wanted.word(place), entry.id, vector)) continue;
    imported.vectors.add(wanted.word(place), vector);
    if (!known) ++imported.by_ngrams;
  }
  return imported;
}

}  // namespace

ImportedVectors import_word_vectors(const std::filesystem::path& path, const std::string& language,
                                    const Vocabulary& wanted) {
  ImportedVectors imported = is_fasttext_model(path) ? import_model(path, language, wanted)
                                                     : import_text(path, language, wanted);
  if (imported.vectors.size() == 0) {
    throw InputError(path, fmt::format("none of the {} words", wanted.size() - kFirstWord),
                     fmt::format("vectors of words in '{}'", language));
  }
  return imported;
}

}  // namespace hinny
