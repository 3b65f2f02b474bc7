#include "cli/dispatch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/archive_name.h"
#include "base/error.h"
#include "base/run_files.h"
#include "base/threads.h"
#include "cli/blas_kernel.h"

namespace hinny {

const std::vector<VerbPlace>& verb_places() {
  static const std::vector<VerbPlace> places = {
      {"draw", "hinny-data", "draw a picture set with captions in ten languages"},
      {"import", "hinny-data", "turn captions in a known layout into a dataset folder"},
      {"features", "hinny-vision", "image features by a network (ONNX) or the built-in descriptor"},
      {"vectors", "hinny-data", "word vectors: import, train, reduce"},
      {"train", "hinny-learn", "train a system from a recipe"},
      {"eval", "hinny-learn", "recall at 1, 5 and 10, both ways, per language"},
      {"translate", "hinny-learn", "sentences -> their translations"},
      {"augment", "hinny-learn", "a dataset with translations of its captions"},
      {"score", "hinny-learn", "BLEU, chrF and METEOR of translations"},
      {"recipes", "hinny", "list the recipes"},
      {"encode", "hinny-data", "sentences -> vectors"},
      {"export", "hinny-data", "a small copy of a trained model, for searching"},
      {"bundle", "hinny-vision", "a model and its networks in one folder"},
      {"index", "hinny-data", "make a picture collection searchable"},
      {"search", "hinny", "ask an index"},
      {"push", "hinny", "the pictures of an index in a table of PostgreSQL, for search --in"},
      {"serve", "hinny-vision",
       "serve an index over HTTP, with a search page; or a model, for vectors"},
      {"service", "hinny", "a folder of pictures, followed and served by systemd"},
      {"inspect", "hinny-data", "say what a file or folder is"},
      {"doctor", "hinny", "check that this machine is set up well"},
  };
  return places;
}

bool is_small_copy(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kConfigFile) &&
         !std::filesystem::exists(folder / kRecipeFile);
}

namespace {

// A bundle has no recipe that libtorch would need: its table is made without.
bool is_bundle(const std::filesystem::path& given) {
  if (std::filesystem::exists(given / kBundleFile)) return true;
  return is_archive_name(given) && std::filesystem::is_regular_file(given);
}

// `search` and `index` need OpenCV only where this option gives them pictures.
std::string_view pictures_option(std::string_view verb) {
  if (verb == "search") return "--image";
  return verb == "index" ? "--pictures" : "";
}

std::string_view program_of(const VerbPlace& place, int argc, char** argv) {
  if (place.verb == "translate" && std::any_of(argv + 2, argv + argc, is_small_copy))
    return "hinny";
  if (place.verb == "eval" && std::any_of(argv + 2, argv + argc, is_bundle)) return "hinny-vision";
  const std::string_view option = pictures_option(place.verb);
  const bool pictures =
      !option.empty() && std::any_of(argv + 2, argv + argc, [&](std::string_view argument) {
        return argument == option ||
               (argument.starts_with(option) && argument.substr(option.size()).starts_with('='));
      });
  return pictures ? "hinny-vision" : place.program;
}

}  // namespace

void hand_over(int argc, char** argv) {
  if (argc < 2) return;
  for (const VerbPlace& place : verb_places()) {
    if (place.verb != argv[1]) continue;
    const std::string_view wanted = program_of(place, argc, argv);
    if (wanted == "hinny") continue;
    const auto self = std::filesystem::read_symlink("/proc/self/exe");
    if (self.filename() == wanted) return;
    const auto program = self.parent_path() / wanted;
    // OpenBLAS starts threads as it is loaded, one for each core whatever a quota says, and they
    // wait for ever where there is no memory for them. give_blas_its_threads() starts them.
    ::setenv("OPENBLAS_NUM_THREADS", "1", /*overwrite=*/0);
    if (wanted != "hinny-data") prefer_better_kernel();
    let_openmp_sleep();
    ::execv(program.c_str(), argv);
    throw Failure::from_errno(fmt::format("cannot start {}", program.string()));
  }
}

}  // namespace hinny
