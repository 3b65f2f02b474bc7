// The formats of `hinny import`, each a second word with options of its own.
#pragma once

#include <CLI/CLI.hpp>  // second words are made, by more than App.hpp
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "data/importers/import_writer.h"

namespace hinny {

using Import = std::function<void(ImportWriter& writer)>;
using ImportSources = std::function<std::vector<std::filesystem::path>()>;  // what the user gave

// What every format takes.
struct ImportTarget {
  std::filesystem::path out;
  bool force = false;
  bool json = false;
  bool keep_repeats = false;
  std::vector<std::string> sources;
};

// One format's word, with the options that all formats have.
class ImportFormat {
 public:
  // `repeats`: whether captions that an image has twice are left out, unless --keep-repeats.
  ImportFormat(CLI::App& parent, const char* name, const char* summary, const char* example,
               bool repeats = true);
  CLI::App& command() { return *command_; }
  std::string name() const { return command_->get_name(); }
  bool chosen() const { return command_->parsed(); }
  void reads(Import import, ImportSources sources);
  // Writes the dataset folder that the command line asks for.
  int run() const;

 private:
  CLI::App* command_;
  std::shared_ptr<ImportTarget> target_ = std::make_shared<ImportTarget>();
  Import import_;
  ImportSources sources_;
};

// In import_collections.cc, import_rows.cc and import_joined.cc.
ImportFormat declare_multi30k(CLI::App& parent);
ImportFormat declare_karpathy(CLI::App& parent);
ImportFormat declare_coco(CLI::App& parent);
ImportFormat declare_crossmodal(CLI::App& parent);
ImportFormat declare_xtd(CLI::App& parent);
ImportFormat declare_precomp(CLI::App& parent);
ImportFormat declare_mule(CLI::App& parent);
ImportFormat declare_jsonl(CLI::App& parent);
ImportFormat declare_csv(CLI::App& parent);
ImportFormat declare_flickr8k(CLI::App& parent);
ImportFormat declare_coco_cn(CLI::App& parent);
ImportFormat declare_imagefolder(CLI::App& parent);
ImportFormat declare_parallel(CLI::App& parent);
ImportFormat declare_dataset(CLI::App& parent);

// An option that may be given again; each time it takes one word, and what follows is a source.
CLI::Option* once_each(CLI::Option* option);
// Of a format with one source.
ImportSources only(const std::shared_ptr<std::filesystem::path>& source);
// One value of `option` for all files, or one for each; `fallback` where none is given.
std::string value_for(const std::vector<std::string>& values, std::size_t index, std::size_t files,
                      const char* option, const char* fallback);

}  // namespace hinny
