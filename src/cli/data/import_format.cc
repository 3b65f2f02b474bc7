#include "cli/data/import_format.h"

#include <fmt/format.h>

#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/folders.h"
#include "cli/data/import_report.h"
#include "data/importers/recognise.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// Nobody's pictures may vanish: only a dataset without anything beside it is replaced.
void check_target(const ImportTarget& target) {
  if (!fs::exists(target.out)) return;
  if (!fs::is_directory(target.out)) throw InputError(target.out, "a file", "a folder");
  for (const auto& entry : entries_in(target.out)) {
    const std::string name = entry.path().filename().string();
    if (name != "images.jsonl" && name != "captions.jsonl" && name != "features") {
      throw InputError(target.out, fmt::format("holds '{}', which would be lost", name),
                       "an empty or new folder");
    }
    if (!target.force) throw InputError(target.out, "holds a dataset", "--force to replace it");
  }
}

// Of a source of another format the message names the importer that reads it.
void read_sources(const std::string& format, const Import& import, const ImportSources& sources,
                  ImportWriter& writer) {
  try {
    import(writer);
  } catch (const InputError& error) {
    for (const fs::path& source : sources()) {
      const std::string hint = other_format_hint(source, format);
      if (!hint.empty()) throw InputError(error.what() + hint);
    }
    throw;
  }
}

}  // namespace

ImportFormat::ImportFormat(CLI::App& parent, const char* name, const char* summary,
                           const char* example, bool repeats)
    : command_(parent.add_subcommand(name, summary)) {
  command_->add_option("--out,-o", target_->out, "dataset folder to write")->required();
  command_->add_flag("--force", target_->force, "replace an existing dataset");
  target_->keep_repeats = !repeats;
  if (repeats) {
    command_->add_flag("--keep-repeats", target_->keep_repeats,
                       "keep captions that an image has twice in a language");
  }
  command_->add_flag("--json", target_->json, "print the summary as JSON");
  once_each(
      command_->add_option("--source", target_->sources,
                           "who wrote the captions, NAME or LANG=NAME: human-original, "
                           "human-translation, translation-edited, machine-translation, mmt"));
  command_->footer(fmt::format("example:\n  hinny import {} {}", name, example));
}

void ImportFormat::reads(Import import, ImportSources sources) {
  import_ = std::move(import);
  sources_ = std::move(sources);
}

int ImportFormat::run() const {
  const SourceChoice sources(target_->sources);
  check_target(*target_);
  AtomicFolder folder(target_->out);
  ImportSummary summary;
  {
    ImportWriter writer(folder.path(), sources, target_->keep_repeats);
    read_sources(name(), import_, sources_, writer);
    summary = writer.commit();
  }
  folder.commit();
  target_->json ? print_import_json(target_->out, summary) : print_import(target_->out, summary);
  return 0;
}

CLI::Option* once_each(CLI::Option* option) { return option->take_all()->expected(1); }

ImportSources only(const std::shared_ptr<fs::path>& source) {
  return [=] { return std::vector{*source}; };
}

std::string value_for(const std::vector<std::string>& values, std::size_t index, std::size_t files,
                      const char* option, const char* fallback) {
  if (values.empty()) return fallback;
  if (values.size() == 1) return values[0];
  if (values.size() == files) return values[index];
  throw InputError(fmt::format("{} {} for {} files", values.size(), option, files),
                   "one for all, or one for each");
}

}  // namespace hinny
