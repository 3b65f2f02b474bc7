// hinny encode: a sentence per line -> a vector per row.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/npy_header.h"
#include "base/progress.h"
#include "base/threads.h"
#include "cli/verb.h"
#include "encoder/language.h"

namespace hinny {
namespace {

constexpr std::size_t kBlock = 256;  // sentences between two looks at Ctrl-C
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

struct Options {
  std::filesystem::path run, out;
  std::string language;
};

std::vector<std::string> read_sentences() {
  std::vector<std::string> lines(1);
  std::string block(std::size_t{1} << 16, '\0');
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), stdin)) {
    stop_if_interrupted();
    for (const char byte : std::string_view(block).substr(0, count)) {
      if (byte == '\n') {
        lines.emplace_back();
      } else if (lines.back().size() < kLongestLine) {
        lines.back() += byte;
      } else {
        throw InputError("standard input", lines.size(), "line too long", "at most 1 MiB");
      }
    }
  }
  if (std::ferror(stdin) != 0) throw Failure::from_errno("cannot read standard input");
  if (lines.back().empty()) lines.pop_back();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].ends_with('\r')) lines[i].pop_back();
    if (!is_utf8(lines[i])) {
      throw InputError("standard input", i + 1, "broken UTF-8", "UTF-8 text");
    }
  }
  return lines;
}

struct Encoded {
  std::vector<float> vector;
  std::string language;
  bool nothing_known = false;
};

std::vector<Encoded> encode_block(const Model& model, std::span<const std::string> sentences,
                                  const std::string& language) {
  std::vector<Encoded> block(sentences.size());
  parallel_blocks(sentences.size(), [&](std::size_t begin, std::size_t end) {
    TextEncoder encoder(model);
    for (std::size_t i = begin; i < end; ++i) {
      block[i].language =
          language.empty() ? guess_language(encoder, sentences[i]).language : language;
      EncodedText text = encoder.encode(sentences[i], block[i].language);
      block[i].nothing_known = text.nothing_known();
      block[i].vector = std::move(text.vector);
    }
  });
  return block;
}

// To standard output, or to a file that appears whole.
class Output {
 public:
  explicit Output(const std::filesystem::path& path) {
    if (!path.empty()) file_ = std::make_unique<AtomicFile>(path);
  }
  void write(std::string_view bytes) {
    if (file_) {
      file_->write(bytes);
    } else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) {
      throw Failure::from_errno("cannot write to standard output");
    }
  }
  void finish() {
    if (file_) file_->commit();
    if (!file_ && std::fflush(stdout) != 0) {
      throw Failure::from_errno("cannot write to standard output");
    }
  }

 private:
  std::unique_ptr<AtomicFile> file_;
};

int run(const Options& options) {
  if (options.out.empty() && ::isatty(STDOUT_FILENO) != 0) {
    throw InputError("vectors are no text for a terminal", "--out FILE, or > FILE");
  }
  const Model model = Model::open(options.run);
  if (!options.language.empty()) model.text(options.language);  // throws before any work is done
  const std::vector<std::string> sentences = read_sentences();
  const std::vector<std::int64_t> row_shape = {static_cast<std::int64_t>(model.config().dim)};
  Output output(options.out);
  output.write(
      npy_header(NpyType::float32, static_cast<std::int64_t>(sentences.size()), row_shape));

  std::map<std::string, std::size_t> languages;
  std::size_t unknown = 0;
  Progress progress("sentences", sentences.size());
  for (std::size_t first = 0; first < sentences.size(); first += kBlock) {
    stop_if_interrupted();
    const auto part =
        std::span(sentences).subspan(first, std::min(kBlock, sentences.size() - first));
    for (const Encoded& one : encode_block(model, part, options.language)) {
      ++languages[one.language];
      unknown += one.nothing_known ? 1 : 0;
      output.write(
          {reinterpret_cast<const char*>(one.vector.data()), one.vector.size() * sizeof(float)});
    }
    progress.add(part.size());
  }
  output.finish();
  for (const auto& [language, count] : languages) fmt::print(stderr, "{}: {}\n", language, count);
  if (unknown > 0) fmt::print(stderr, "sentences without any known word: {}\n", unknown);
  return 0;
}

std::function<int()> declare_encode(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("RUN", options->run, "run folder with a trained model")->required();
  command.add_option("--lang", options->language,
                     "language of the sentences (default: guessed for each)");
  command.add_option("--out,-o", options->out, "npy file to write (default: standard output)");
  command.footer(
      "Reads a sentence per line; writes float32 npy [lines, dim].\n\n"
      "example:\n  hinny encode runs/mule --lang de < sentences.txt > vectors.npy");
  return [options] { return run(*options); };
}

const RegisterVerb registered{"encode", declare_encode};

}  // namespace
}  // namespace hinny
