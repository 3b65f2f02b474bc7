// hinny vectors: word vectors from a file or from the captions, and fewer numbers in each.
#include <fmt/format.h>

#include <CLI/CLI.hpp>  // second words are made, by more than App.hpp
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/folders.h"
#include "base/progress.h"
#include "base/terminal_text.h"
#include "base/threads.h"
#include "cli/data/train_captions.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "data/dataset.h"
#include "data/dataset_path.h"
#include "text/pca.h"
#include "text/vector_import.h"
#include "text/vector_training.h"

namespace hinny {
namespace {

struct VectorsOptions {
  std::filesystem::path file;
  std::filesystem::path data;
  std::filesystem::path out;
  std::string language;
  std::vector<std::string> languages;
  int kept = 50;
  VectorTrainingOptions training;
};

Vocabulary vocabulary_of(const VectorsOptions& options) {
  const Dataset dataset =
      Dataset::load(find_dataset(options.data), {.languages = {options.language}});
  return Vocabulary::build(train_words(dataset, options.language, options.training.tokenizer), 1);
}

// "97.3% of 6500 words (99.1% of the running words)"
std::string coverage(const Vocabulary& vocabulary, const WordVectors& vectors) {
  std::int64_t running = 0;
  std::int64_t found = 0;
  for (std::int32_t id = kFirstWord; id < vocabulary.size(); ++id) {
    running += vocabulary.count(id);
    if (!vectors.find(vocabulary.word(id)).empty()) found += vocabulary.count(id);
  }
  const auto words = static_cast<std::size_t>(vocabulary.size() - kFirstWord);
  const auto percent = [](auto part, auto whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  return fmt::format("{:.1f}% of {} words ({:.1f}% of the running words)",
                     percent(vectors.size(), words), words, percent(found, running));
}

// The folder of --out is made, as other verbs make theirs.
void write(const std::filesystem::path& path, const WordVectors& vectors) {
  if (path.has_parent_path()) create_folder(path.parent_path());
  write_word_vectors(path, vectors);
}

int import_vectors(const VectorsOptions& options) {
  const Vocabulary wanted = vocabulary_of(options);
  const ImportedVectors imported = import_word_vectors(options.file, options.language, wanted);
  write(options.out, imported.vectors);
  print_line(stdout, "{}: {} numbers each for {}", options.out.string(), imported.vectors.dim(),
             coverage(wanted, imported.vectors));
  if (imported.by_ngrams > 0) print_line(stdout, ", {} from their n-grams", imported.by_ngrams);
  print_line(stdout, "\n");
  if (imported.broken > 0) {
    print_line(stderr, "skipped {} words that are not UTF-8\n", imported.broken);
  }
  return 0;
}

// One thread a language, each with its own share of one progress line.
class SharedProgress {
 public:
  explicit SharedProgress(std::size_t languages)
      : shares_(languages), progress_("vectors", kParts * languages) {}

  void update(std::size_t language, double share) {
    const std::lock_guard lock(mutex_);
    shares_[language] = share;
    double sum = 0.0;
    for (const double one : shares_) sum += one;
    progress_.update(static_cast<std::uint64_t>(sum * kParts));
  }

 private:
  static constexpr std::uint64_t kParts = 100;
  std::mutex mutex_;
  std::vector<double> shares_;
  Progress progress_;
};

int train_vectors(const VectorsOptions& options) {
  const Dataset dataset = Dataset::load(find_dataset(options.data),
                                        {.languages = options.languages, .own_codes = true});
  const auto& languages = dataset.languages();
  create_folder(options.out);
  std::vector<std::string> reports(languages.size());
  {
    SharedProgress progress(languages.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&](std::size_t, std::size_t) {
      for (std::size_t i = next++; i < languages.size(); i = next++) {
        const auto captions = train_captions(dataset, languages[i]);
        const WordVectors vectors =
            train_word_vectors(captions, languages[i], options.training,
                               [&](double share) { progress.update(i, share); });
        const auto file = options.out / (languages[i] + ".vec");
        write_word_vectors(file, vectors);
        reports[i] = fmt::format("{}: {} numbers each for {} words of {} captions\n", file.string(),
                                 vectors.dim(), vectors.size(), captions.size());
      }
    };
    const auto workers = std::min(languages.size(), static_cast<std::size_t>(thread_count()));
    parallel_blocks(workers, work);
  }
  for (const std::string& report : reports) print_lines(stdout, report);
  return 0;
}

int reduce_vectors(const VectorsOptions& options) {
  std::function<bool(std::string_view)> wanted;
  Vocabulary vocabulary;
  if (!options.data.empty()) {
    if (options.language.empty()) throw InputError("--data without a language", "--lang");
    vocabulary = vocabulary_of(options);
    wanted = [&](std::string_view word) { return vocabulary.contains(word); };
  }
  const WordVectors vectors = read_word_vectors(options.file, wanted);
  const Pca pca = fit_pca(vectors.rows(), vectors.dim(), static_cast<std::size_t>(options.kept));
  write(options.out, reduce(vectors, pca));
  print_line(stdout, "{}: {} -> {} numbers for each of {} words, {:.1f}% of the variance\n",
             options.out.string(), vectors.dim(), pca.kept(), vectors.size(),
             100.0 * pca.explained_variance_ratio());
  return 0;
}

CLI::Option* declare_given(CLI::App& command, VectorsOptions& options) {
  return command.add_flag("--given", options.training.tokenizer.given,
                          "captions are tokenised already: split them at spaces alone");
}

void declare_import(CLI::App& command, VectorsOptions& options) {
  command.add_option("file", options.file, "fastText .vec (plain or gzip) or .bin")->required();
  command.add_option("--lang", options.language, "the file's language")->required();
  command.add_option("--data", options.data, "dataset folder: its training words are kept")
      ->required();
  command.add_option("--out", options.out, "the .vec file to write")->required();
  declare_given(command, options);
  command.footer(
      "example: hinny vectors import cc.en.300.bin --lang en --data flickr8k --out vectors/en.vec");
}

void declare_train(CLI::App& command, VectorsOptions& options) {
  auto& training = options.training;
  command.add_option("--data", options.data, "dataset folder: trains on its training captions")
      ->required();
  command.add_option("--lang", options.languages, "languages (default: all)")->delimiter(',');
  command.add_option("--out", options.out, "folder; gets LANGUAGE.vec for each")->required();
  command.add_option("--dim", training.dim, "numbers a word")->check(CLI::Range(1, 4096));
  command.add_option("--epochs", training.epochs, "passes over the captions")
      ->check(CLI::Range(1, 1000));
  command.add_option("--min-count", training.min_count, "rarer words get no vector")
      ->check(CLI::Range(1, 1000000));
  command.add_option("--seed", training.seed, "same seed, same vectors")
      ->check(CLI::Range(0, 1000000000));
  declare_given(command, options);
  command.footer(
      "example: hinny vectors train --data flickr8k --lang en,de --out flickr8k/vectors");
}

void declare_pca(CLI::App& command, VectorsOptions& options) {
  command.add_option("file", options.file, "a .vec file")->required();
  command.add_option("--dim", options.kept, "numbers a word to keep")->check(CLI::Range(1, 4096));
  command.add_option("--out", options.out, "the .vec file to write")->required();
  command.add_option("--data", options.data,
                     "dataset folder: keep and fit its training words alone");
  const Modes modes(command);
  modes.acts(command.add_option("--lang", options.language, "the file's language"))
      .beside({"--data"});
  modes.acts(declare_given(command, options)).beside({"--data"});
  command.footer("example: hinny vectors pca vectors/en.vec --dim 50 --out vectors50/en.vec");
}

std::function<int()> declare_vectors(CLI::App& command) {
  const auto options = std::make_shared<VectorsOptions>();
  command.require_subcommand(1);
  command.fallthrough();  // --threads may follow the subcommand
  CLI::App* import = command.add_subcommand("import", "keep a dataset's words of a fastText file");
  CLI::App* train = command.add_subcommand("train", "train on a dataset's captions");
  CLI::App* pca = command.add_subcommand("pca", "keep the principal components");
  declare_import(*import, *options);
  declare_train(*train, *options);
  declare_pca(*pca, *options);
  command.footer(
      "example: hinny vectors train --data flickr8k --out flickr8k/vectors\n"
      "Each of the three has a --help of its own.");
  return [=] {
    if (import->parsed()) return import_vectors(*options);
    return train->parsed() ? train_vectors(*options) : reduce_vectors(*options);
  };
}

const RegisterVerb vectors_verb{"vectors", declare_vectors};

}  // namespace
}  // namespace hinny
