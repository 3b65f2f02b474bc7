#include "text/vector_training.h"

#include <fasttext/fasttext.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/interrupt.h"

namespace hinny {
namespace {

// Rows that n-grams share. The captions of ten thousand pictures hold about as many n-grams;
// fastText's two million would be 2.4 GB of noise.
constexpr int kBuckets = 100000;
// Words that make up more of the text are left out at random. fastText's 1e-4 suits billions of
// words; of captions it leaves too little to learn from (docs/text.md has the figures).
constexpr double kSampling = 1e-3;
constexpr int kShortestNgram = 3;
constexpr int kLongestNgram = 6;

// fastText reads its text from a file, by name.
class TemporaryFile {
 public:
  TemporaryFile() {
    static std::atomic<int> count = 0;
    path_ = std::filesystem::temp_directory_path() /
            fmt::format("hinny-captions-{}-{}.txt", ::getpid(), ++count);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// One caption a line, its words parted by spaces.
WordCounts write_words(const std::filesystem::path& path,
                       std::span<const std::string_view> captions, const std::string& language,
                       TokenizerOptions options) {
  Tokenizer tokenizer(language, options);
  WordCounts counts;
  AtomicFile file(path);
  for (const std::string_view caption : captions) {
    stop_if_interrupted();
    std::string line;
    for (const std::string& word : tokenizer.words(caption)) {
      ++counts[word];
      line += word;
      line += ' ';
    }
    if (line.empty()) continue;
    line.back() = '\n';
    file.write(line);
  }
  file.commit();
  return counts;
}

fasttext::Args arguments(const std::filesystem::path& input, const VectorTrainingOptions& options) {
  fasttext::Args args;
  args.input = input.string();
  args.model = fasttext::model_name::sg;
  args.loss = fasttext::loss_name::ns;
  args.dim = options.dim;
  args.epoch = options.epochs;
  args.minCount = static_cast<int>(options.min_count);
  args.bucket = kBuckets;
  args.minn = kShortestNgram;
  args.maxn = kLongestNgram;
  args.t = kSampling;
  args.seed = static_cast<int>(options.seed);
  args.thread = 1;   // more would race for the rows, and no two runs be equal
  args.verbose = 0;  // it would write to stderr itself
  return args;
}

void train(fasttext::FastText& model, const fasttext::Args& args,
           const std::function<void(double)>& progress) {
  try {
    model.train(args, [&](float share, float, double, double, std::int64_t) {
      if (interrupted()) model.abort();
      if (progress) progress(static_cast<double>(share));
    });
  } catch (const fasttext::FastText::AbortError&) {
    throw Interrupted("stopped; no word vectors were written");
  } catch (const fasttext::DenseMatrix::EncounteredNaNError&) {
    throw Failure("training of word vectors diverged");
  }
}

}  // namespace

WordVectors train_word_vectors(std::span<const std::string_view> captions,
                               const std::string& language, const VectorTrainingOptions& options,
                               const std::function<void(double)>& progress) {
  const TemporaryFile input;
  const WordCounts counts = write_words(input.path(), captions, language, options.tokenizer);
  const Vocabulary vocabulary = Vocabulary::build(counts, options.min_count);
  fasttext::FastText model;
  train(model, arguments(input.path(), options), progress);

  const auto dim = static_cast<std::size_t>(options.dim);
  WordVectors vectors(dim);
  fasttext::Vector vector(options.dim);
  for (std::int32_t id = kFirstWord; id < vocabulary.size(); ++id) {
    model.getWordVector(vector, vocabulary.word(id));
    vectors.add(vocabulary.word(id), std::span(vector.data(), dim));
  }
  return vectors;
}

}  // namespace hinny
