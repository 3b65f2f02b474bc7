// hinny export: a trained model -> the small copy of it that asking needs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "base/atomic_folder.h"
#include "base/folders.h"
#include "base/terminal_text.h"
#include "cli/verb.h"
#include "encoder/export_model.h"
#include "encoder/translator.h"
#include "index/bundle/bundle.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  fs::path run, out;
  std::string weights = "int8";
};

double megabytes(const fs::path& folder) {
  double bytes = 0;
  for (const auto& file : entries_in(folder)) {
    bytes += static_cast<double>(file.file_size());
  }
  return bytes / 1e6;
}

void copy_translator(const fs::path& run, const ExportOptions& options, WeightType type) {
  AtomicFolder target(options.out);
  export_translator(run, type, target.path());
  const Translator translator = Translator::open(target.path());
  target.commit();
  print_line(stdout, "{}: {} weights, {:.1f} MB; translates {}\n", options.out.string(),
             options.weights, megabytes(options.out),
             fmt::join(names_of(translator.directions()), ", "));
}

void copy(const fs::path& run, const ExportOptions& options) {
  check_replaceable(options.out, kConfigFile, "model");
  const WeightType type = weight_type(options.weights);
  if (holds_translator(run)) {
    copy_translator(run, options, type);
    return;
  }
  const Model model = Model::open(run);
  AtomicFolder target(options.out);
  export_model(model, type, target.path());
  static_cast<void>(Model::open(target.path()));  // what we wrote can be read
  target.commit();
  print_line(stdout, "{}: {} weights, {:.1f} MB; languages: {}\n", options.out.string(),
             model.tower() == nullptr ? options.weights : "a pretrained model's own",
             megabytes(options.out), fmt::join(model.config().languages, ", "));
}

int run_export(const ExportOptions& options) {
  with_model_folder(options.run, [&](const fs::path& folder) { copy(folder, options); });
  return 0;
}

std::function<int()> declare_export(CLI::App& command) {
  const auto options = std::make_shared<ExportOptions>();
  command.add_option("MODEL", options->run, "run folder with a trained model, or a bundle")
      ->required();
  command.add_option("--out,-o", options->out, "model folder to write")->required();
  command.add_option("--weights", options->weights, "how matrices are stored: fp32, bf16, int8");
  command.footer(
      "The copy works wherever a run folder does for asking: encode, index, inspect. A model that\n"
      "translates text becomes what hinny index --translator takes.\n\n"
      "example:\n  hinny export runs/mule --out mule-small --weights int8");
  return [options] { return run_export(*options); };
}

const RegisterVerb export_verb{"export", declare_export};

}  // namespace
}  // namespace hinny
