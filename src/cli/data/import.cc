// hinny import: captions in a known layout -> a dataset folder.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "cli/data/import_format.h"
#include "cli/verb.h"

namespace hinny {
namespace {

// Called when words are left over: a format that does not exist, or an unknown option of one.
[[noreturn]] void refuse(const std::vector<ImportFormat>& formats, const std::string& word) {
  std::vector<std::string> names;
  for (const ImportFormat& format : formats) {
    names.push_back(format.name());
    if (!format.chosen()) continue;
    throw InputError(fmt::format("unknown argument '{}'", word),
                     fmt::format("those in hinny import {} --help", format.name()));
  }
  throw InputError(fmt::format("no format '{}'{}", word, did_you_mean(word, names)),
                   fmt::format("{}", fmt::join(names, ", ")));
}

std::function<int()> declare_import(CLI::App& command) {
  // Formats are subcommands, so that each has its own options and help. What none of them takes
  // is collected and refused by us: the parser's own message names neither format nor word.
  command.fallthrough();
  command.allow_extras();
  command.require_subcommand(0, 1);  // a folder may be called as a format is
  command.footer(
      "example:\n  hinny import multi30k dataset/data --out m30k\n"
      "`hinny import FORMAT --help` shows a format's options");
  auto formats = std::make_shared<std::vector<ImportFormat>>();
  for (auto* declare :
       {declare_multi30k, declare_karpathy, declare_coco, declare_coco_cn, declare_crossmodal,
        declare_xtd, declare_precomp, declare_mule, declare_jsonl, declare_csv, declare_flickr8k,
        declare_imagefolder, declare_parallel, declare_dataset}) {
    formats->push_back(declare(command));
  }
  return [formats, &command] {
    const std::vector<std::string> rest = command.remaining(true);
    if (!rest.empty()) refuse(*formats, rest.front());
    for (const ImportFormat& format : *formats) {
      if (format.chosen()) return format.run();
    }
    throw InputError("no format", "one of those in hinny import --help");
  };
}

const RegisterVerb import_verb{"import", declare_import};

}  // namespace
}  // namespace hinny
