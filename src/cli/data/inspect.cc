// hinny inspect: what is this file or folder?
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/archive_name.h"
#include "base/error.h"
#include "base/run_files.h"
#include "base/terminal_text.h"
#include "cli/data/inspect_kinds.h"
#include "cli/json_output.h"
#include "cli/verb.h"
#include "data/dataset_path.h"
#include "index/bundle/bundle.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Kind {
  std::string_view mark;  // a file inside the folder, or the end of the file's name
  ordered_json (*inspect)(const fs::path&);
};

constexpr std::array kFolders = {
    Kind{"images.jsonl", inspect_dataset}, Kind{"index.json", inspect_index},
    Kind{kBundleFile, inspect_bundle}, Kind{kConfigFile, inspect_model}};
constexpr std::array kFiles = {
    Kind{".npy", inspect_npy},          Kind{".safetensors", inspect_safetensors},
    Kind{".vec", inspect_word_vectors}, Kind{".vec.gz", inspect_word_vectors},
    Kind{".tsv", inspect_vocabulary},   Kind{".toml", inspect_toml}};

fs::path locate(const fs::path& path) {
  if (fs::exists(path)) return path;
  fs::path dataset = dataset_in_root(path);
  if (dataset.empty()) throw InputError(path, "no such file or folder", "");
  return dataset;
}

ordered_json inspect(const fs::path& path) {
  if (fs::is_directory(path)) {
    for (const Kind& kind : kFolders) {
      if (fs::exists(path / kind.mark)) return kind.inspect(path);
    }
    throw InputError(path, "nothing that Hinny knows is in this folder",
                     "a dataset (images.jsonl), a model (config.json) or an index (index.json)");
  }
  for (const Kind& kind : kFiles) {
    if (path.filename().string().ends_with(kind.mark)) return kind.inspect(path);
  }
  throw InputError(path, "no kind of file that Hinny knows",
                   ".npy, .safetensors, .vec, .tsv, .toml, a bundle's .tar.gz, or a folder");
}

struct InspectOptions {
  fs::path path;
  bool json = false, latent = false, verify = false;
  std::optional<std::int64_t> words;
};

ordered_json describe(const fs::path& path, const InspectOptions& options) {
  if (options.verify) return inspect_checksums(path);
  if (options.words) return inspect_words(path, *options.words);
  ordered_json description;
  const auto work = [&](const fs::path& place) {
    description = options.latent ? inspect_latent(place) : inspect(place);
  };
  if (is_archive_name(path)) {
    with_model_folder(path, work);
  } else {
    work(path);
  }
  return description;
}

bool is_plain_list(const ordered_json& value) {
  if (!value.is_array()) return false;
  for (const auto& item : value) {
    if (item.is_structured()) return false;
  }
  return true;
}

std::string one_line(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const auto& item : value) text += (text.empty() ? "" : ", ") + one_line(item);
  return text;
}

// "key: value", what is inside of something further to the right.
void print_text(const ordered_json& object, int indent) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_structured() && !is_plain_list(value)) {
      print_line(stdout, "{:{}}{}:\n", "", indent, key);
      print_text(value, indent + 2);
    } else {
      print_line(stdout, "{:{}}{}: {}\n", "", indent, key, one_line(value));
    }
  }
}

void print_checksums(const ordered_json& report) {
  for (const auto& problem : report["damaged"]) {
    print_line(stdout, "{}\n", problem.get<std::string>());
  }
  print_line(stdout, "{} files, {} bytes: {}\n", report["files"].get<std::size_t>(),
             report["bytes"].get<std::uint64_t>(),
             report["damaged"].empty() ? "all as they were written"
                                       : fmt::format("{} damaged", report["damaged"].size()));
}

std::function<int()> declare_inspect(CLI::App& command) {
  const auto options = std::make_shared<InspectOptions>();
  command
      .add_option("PATH", options->path, "a file or folder, or a dataset's name inside $HINNY_DATA")
      ->required();
  command.add_flag("--json", options->json, "print JSON")->always_capture_default(false);
  CLI::Option* latent = command.add_flag("--latent", options->latent,
                                         "of a model: the words that share a latent token");
  command
      .add_option(
          "--words", options->words,
          "of a dataset: words that its training captions have so often, and how many of them "
          "languages share")
      ->check(CLI::PositiveNumber)
      ->excludes(latent);
  command
      .add_flag("--verify", options->verify,
                "of an index: compare every byte of its files with what was written; exit code 2 "
                "where one differs")
      ->excludes("--latent")
      ->excludes("--words");
  command.footer(
      "example:\n  hinny inspect runs/mule\n  hinny inspect mine --verify\n  hinny inspect "
      "photo-model.tar.gz\n"
      "  hinny inspect flickr8k/features/f.npy\n  hinny inspect flickr8k --words 4");
  return [options] {
    const ordered_json description = describe(locate(options->path), *options);
    if (options->latent && !options->json) {
      print_lines(stdout, latent_as_text(description));
    } else if (options->json) {
      put_json(description);
    } else if (options->verify) {
      print_checksums(description);
    } else {
      print_text(description, 0);
    }
    return options->verify && !description["damaged"].empty() ? 2 : 0;
  };
}

const RegisterVerb inspect_verb{"inspect", declare_inspect};

}  // namespace
}  // namespace hinny
