#include "cli/learn/teacher.h"

#include <set>

#include "base/error.h"
#include "base/folders.h"
#include "base/npy.h"
#include "base/run_files.h"
#include "base/terminal_text.h"
#include "data/dataset.h"
#include "data/dataset_path.h"
#include "data/importers/names.h"
#include "encoder/read_sentences.h"
#include "index/bundle/bundle.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// The parallel sentences in the teacher's language, each once.
std::vector<Sentence> said_to_teacher(const TrainArguments& arguments, const Recipe& recipe) {
  const fs::path data = find_dataset(arguments.data);
  DatasetOptions options;
  options.languages = {recipe.teacher.language};
  const Dataset lines = Dataset::load(data, options);
  std::vector<Sentence> sentences;
  std::set<std::string> known;
  for (const Caption& caption : lines.captions()) {
    std::string text(trimmed(caption.text));
    if (known.insert(text).second) sentences.push_back({recipe.teacher.language, std::move(text)});
  }
  return sentences;
}

void write_teacher_vectors(const Model& model, const std::vector<Sentence>& sentences,
                           const fs::path& npy, const fs::path& text) {
  print_line(stderr, "{} sentences in {} as {} reads them -> {}\n", sentences.size(),
             sentences.front().language, model.config().system, npy.string());
  NpyWriter vectors(npy, {static_cast<std::int64_t>(model.config().dim)}, NpyType::float32);
  read_sentences(model, sentences,
                 [&](std::size_t, ReadSentence&& read) { vectors.append(read.encoded.vector); });
  std::string lines;
  for (const Sentence& sentence : sentences) lines += sentence.text + "\n";
  write_file(text, lines);
  vectors.commit();
}

}  // namespace

void make_teacher_vectors(const TrainArguments& arguments, Recipe& recipe) {
  const fs::path given = arguments.teacher;
  if (arguments.teacher.empty() || given.extension() == ".npy") return;
  if (recipe.model.system != SystemKind::teacher) return;
  const fs::path npy = fs::path(arguments.out) / "teacher.npy";
  fs::path text = npy;
  text.replace_extension(".txt");
  with_model_folder(given, [&](const fs::path& folder) {
    const Model model = Model::open(folder);
    model.check_searchable();
    if (recipe.model.image.features.empty())
      recipe.model.image.features = model.config().features.names;
    if (arguments.resume && fs::exists(npy) && fs::exists(text)) return;
    const std::vector<Sentence> sentences = said_to_teacher(arguments, recipe);
    if (sentences.empty()) {
      throw InputError(arguments.data, fmt::format("no sentence in {}", recipe.teacher.language),
                       "the teacher's language among the parallel sentences");
    }
    create_folder(arguments.out);
    write_teacher_vectors(model, sentences, npy, text);
  });
  recipe.teacher.vectors = npy.string();
}

}  // namespace hinny
