// hinny encode: a sentence per line -> a vector per row.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "base/atomic_file.h"
#include "base/atomic_folder.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/npy_header.h"
#include "base/terminal_text.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "data/row_parts.h"
#include "encoder/image_spaces.h"
#include "encoder/read_sentences.h"
#include "index/bundle/bundle.h"

namespace hinny {
namespace {

constexpr std::size_t kLongestSentence = std::size_t{1} << 20U;  // bytes

struct EncodeOptions {
  std::filesystem::path run, out;
  std::string language;
  std::string part;
  bool merge = false;
};

std::vector<Sentence> sentences_from_stdin(const std::string& language) {
  std::vector<Sentence> lines;
  for_each_input_line(
      [&](std::string_view text, std::size_t) {
        lines.emplace_back();
        lines.back().text = text;
        lines.back().language = language;
      },
      kLongestSentence);
  return lines;
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

// What the parts of one file of vectors share.
std::string hash_of_all(const Model& model, const std::vector<Sentence>& sentences,
                        const std::string& language) {
  std::string all = model_hash(model.folder()) + "\n" + language + "\n";
  for (const Sentence& sentence : sentences) all += sentence.text + "\n";
  return content_hash(std::string_view(all));
}

void write_vectors(const Model& model, std::span<const Sentence> sentences, Output& output) {
  const std::vector<std::int64_t> row_shape = {static_cast<std::int64_t>(model.config().dim)};
  output.write(
      npy_header(NpyType::float32, static_cast<std::int64_t>(sentences.size()), row_shape));

  std::map<std::string, std::size_t> languages;
  std::size_t unknown = 0;
  read_sentences(model, sentences, [&](std::size_t, ReadSentence&& read) {
    ++languages[read.guess.language];
    unknown += read.encoded.nothing_known() ? 1 : 0;
    output.write({reinterpret_cast<const char*>(read.encoded.vector.data()),
                  read.encoded.vector.size() * sizeof(float)});
  });
  output.finish();
  for (const auto& [language, count] : languages) print_line(stderr, "{}: {}\n", language, count);
  if (unknown > 0) print_line(stderr, "sentences without any known word: {}\n", unknown);
}

void encode(const std::filesystem::path& run, const EncodeOptions& options) {
  const Model model = Model::open(run);
  image_space(model, options.language, "--lang");  // throws before any work is done
  const std::vector<Sentence> sentences = sentences_from_stdin(options.language);
  if (options.part.empty()) {
    Output output(options.out);
    return write_vectors(model, sentences, output);
  }
  const Part part = Part::parse(options.part);
  const auto [begin, end] = part.range(sentences.size());
  AtomicFolder target(row_part(options.out, part));
  Output output(target.path() / kRowsFile);
  write_vectors(model, std::span(sentences).subspan(begin, end - begin), output);
  write_part_record(target.path(), {part, hash_of_all(model, sentences, options.language)});
  target.commit();
}

void merge(const std::filesystem::path& out) {
  const std::vector<std::filesystem::path> parts = row_parts(out);
  const std::vector<std::int64_t> shape = row_shape(parts.front());
  NpyWriter file(out, shape, NpyType::float32);
  append_rows(parts, file, shape);
  file.commit();
  for (const std::filesystem::path& part : parts) std::filesystem::remove_all(part);
}

int run_encode(const EncodeOptions& options) {
  if (options.out.empty() && (options.merge || !options.part.empty())) {
    throw InputError("parts without a name", "--out FILE, the same for all and for --merge");
  }
  if (options.merge) {
    merge(options.out);
    return 0;
  }
  if (options.out.empty() && ::isatty(STDOUT_FILENO) != 0) {
    throw InputError("vectors are no text for a terminal", "--out FILE, or > FILE");
  }
  with_model_folder(options.run,
                    [&](const std::filesystem::path& folder) { encode(folder, options); });
  return 0;
}

std::function<int()> declare_encode(CLI::App& command) {
  const auto options = std::make_shared<EncodeOptions>();
  Modes modes(command);
  const Modes::Set merge = modes.with("--merge"), part = modes.with("--part"),
                   all = modes.otherwise("for all lines");
  command.add_option("MODEL", options->run, "run folder with a trained model, or a bundle")
      ->required();
  auto* language = command.add_option(
      "--lang", options->language,
      "language of the sentences (default: guessed for each; a model with an image "
      "space for each language needs it)");
  modes.acts(language).in(part | all);
  command.add_option("--out,-o", options->out, "npy file to write (default: standard output)");
  auto* one = command
                  .add_option("--part", options->part,
                              "3/16: only the third of sixteen parts of the lines, into a folder "
                              "beside FILE")
                  ->default_str("");
  modes.acts(one).in(part);
  auto* join =
      command.add_flag("--merge", options->merge, "join the parts of FILE, when all are there")
          ->always_capture_default(false);
  modes.acts(join).in(merge);
  command.footer(
      "Reads a sentence per line; writes float32 npy [lines, dim]. Each part reads all lines.\n\n"
      "example:\n  hinny encode runs/mule --lang de < sentences.txt > vectors.npy\n"
      "  hinny encode runs/mule --part 1/2 --out vectors.npy < sentences.txt\n"
      "  hinny encode runs/mule --part 2/2 --out vectors.npy < sentences.txt\n"
      "  hinny encode runs/mule --merge --out vectors.npy");
  return [options] { return run_encode(*options); };
}

const RegisterVerb encode_verb{"encode", declare_encode};

}  // namespace
}  // namespace hinny
