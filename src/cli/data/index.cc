// hinny index: a model and a dataset, or a folder of pictures -> a searchable collection.
#include "index/folder/index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/terminal_text.h"
#include "cli/data/index_folder.h"
#include "cli/data/indexed_images.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "data/dataset_path.h"
#include "film/film_stream.h"
#include "index/bundle/bundle.h"
#include "index/folder/build_index.h"
#include "index/folder/change_from_dataset.h"
#include "index/pictures/index_pictures.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct IndexOptions {
  fs::path run, data, pictures, out;
  std::vector<fs::path> networks, translators;
  std::vector<std::string> splits = {"test"};
  std::string features;
  std::string weights = "int8";
  std::size_t sentences = 1000;
  std::string part;
  int codes = kInt8;
  const CLI::Option* given_codes = nullptr;
  bool no_graph = false;
  bool json = false;
  bool watch = false;
  std::vector<std::string> exclude;
  int film_frames = kUsualFilmFrames;
  const CLI::Option* given_film_frames = nullptr;
  fs::path towns;
  const CLI::Option* given_towns = nullptr;
  const CLI::Option* given_weights = nullptr;
  const CLI::Option* given_exclude = nullptr;

  std::optional<Part> given_part() const {
    return part.empty() ? std::nullopt : std::optional(Part::parse(part));
  }
  std::optional<int> asked_codes() const {
    return given_codes->count() > 0 ? std::optional(codes) : std::nullopt;
  }
  Graphs graphs() const { return no_graph ? Graphs::none : Graphs::where_worth; }
};

void index_dataset(const fs::path& run, const IndexOptions& options) {
  check_replaceable(options.out, kContentsFile, "index");
  const Model model = Model::open(run);
  const Dataset dataset = Dataset::load(find_dataset(options.data));
  const std::string names =
      options.features.empty() ? model.config().features.names : options.features;
  const Features features = Features::open(dataset, names);
  const auto [images, splits] = images_to_index(dataset, features, options.splits, report_left_out);
  IndexInput input{images,
                   splits,
                   options.networks,
                   weight_type(options.weights),
                   options.sentences,
                   options.translators};
  input.part = options.given_part();
  input.graphs = options.graphs();
  input.codes = options.asked_codes();
  std::optional<Features> regions;
  if (fs::exists(run / kRerankerFolder / kConfigFile)) {
    regions = regions_for(Model::open(run / kRerankerFolder), dataset, images);
  }
  if (regions) input.regions = &*regions;
  build_index(model, dataset, features, input, options.out);
  const Part::Range range = input.part.value_or(Part{}).range(images.size());
  print_line(stdout, "{}: {}{} images, {} numbers each{}; languages: {}\n", options.out.string(),
             part_text(input.part), range.end - range.begin, model.config().dim,
             regions ? " and a re-ranking model" : "", fmt::join(model.config().languages, ", "));
  say_what_next(input.part, options.out);
}

int run_index(const IndexOptions& options) {
  if (options.pictures.empty() && options.data.empty()) {
    throw InputError("nothing to index", "--data DATASET or --pictures FOLDER");
  }
  int code = 0;
  with_model_folder(options.run, [&](const fs::path& folder) {
    if (options.pictures.empty()) {
      index_dataset(folder, options);
    } else {
      code = index_folder(
          {folder, options.pictures, options.out, options.networks, weight_type(options.weights),
           options.graphs(), options.given_part(), options.json, options.watch,
           options.given_exclude->count() > 0 ? std::optional(options.exclude) : std::nullopt,
           options.given_weights->count() > 0,
           options.given_film_frames->count() > 0 ? std::optional(options.film_frames)
                                                  : std::nullopt,
           options.given_towns->count() > 0 ? std::optional(options.towns) : std::nullopt,
           options.asked_codes()});
    }
  });
  return code;
}

std::function<int()> declare_index(CLI::App& command) {
  const auto options = std::make_shared<IndexOptions>();
  Modes modes(command);
  const Modes::Set watch = modes.with("--pictures --watch"), once = modes.with("--pictures"),
                   dataset = modes.with("--data"), pictures = once | watch;
  command
      .add_option("MODEL", options->run,
                  "run folder with a trained model, or a bundle: a folder or an archive")
      ->required();
  modes
      .acts(command.add_option("--data", options->data, "dataset folder with the images' features"))
      .in(dataset);
  modes
      .acts(command.add_option(
          "--pictures", options->pictures,
          "folder of pictures and films, with all folders below it: index them, or "
          "bring their index up to date"))
      .in(pictures);
  modes
      .acts(command.add_option("--split", options->splits, "its images to index, or all")
                ->take_all()
                ->expected(1))
      .in(dataset);
  command.add_option("--out,-o", options->out, "index folder to write")->required();
  modes
      .acts(command.add_option("--features", options->features,
                               "feature files to use (default: those of the training)"))
      .in(dataset);
  options->given_weights =
      command.add_option("--weights", options->weights,
                         "how the index's copy of the model stores matrices: fp32, bf16, int8");
  auto* sentences =
      command
          .add_option("--sentences", options->sentences,
                      "captions per language to keep, as the nearest sentences of a picture")
          ->check(CLI::Range(0, 1000000));
  modes.acts(sentences).in(dataset);
  command
      .add_option("--network", options->networks,
                  "FILE.onnx that made a feature file, so that pictures can be asked with")
      ->expected(1)
      ->take_all();
  auto* translator =
      command
          .add_option(
              "--translator", options->translators,
              "run folder of a model that translates (nmt, mmt), kept for search --translate")
          ->expected(1)
          ->take_all();
  modes.acts(translator).in(dataset);
  auto* part = command
                   .add_option("--part", options->part,
                               "3/16: only the third of sixteen parts, each made by itself, on "
                               "any machine; hinny index merge joins them")
                   ->default_str("");
  modes.acts(part).in(dataset | once);
  auto* no_graph =
      command
          .add_flag("--no-graph", options->no_graph,
                    "leave out the graph that a large collection gets: made in a fraction of the "
                    "time, but asked by a scan; of parts, hinny index merge makes it")
          ->always_capture_default(false);
  modes.acts(no_graph).apart_from({"--part"});
  options->given_codes =
      command
          .add_option("--codes", options->codes,
                      "bits of a number in what a search reads of every picture: 1, 2, 4, or 8; "
                      "fewer take less memory (default: 8, of more than ten million pictures 4; of "
                      "an index that is there, as it is)")
          ->check(CLI::IsMember({1, 2, 4, 8}))
          ->default_str("");
  auto* json = command.add_flag("--json", options->json, "print what was done as JSON")
                   ->always_capture_default(false);
  modes.acts(json).in(pictures);
  options->given_exclude =
      command
          .add_option("--exclude", options->exclude,
                      "leave out what this pattern says (that of a line of .gitignore, seen from "
                      "the folder; may be given several times); remembered until others are "
                      "given, or '', which forgets them")
          ->expected(1)
          ->take_all()
          ->default_str("");
  modes.acts(options->given_exclude).in(pictures);
  options->given_film_frames =
      command
          .add_option("--film-frames", options->film_frames,
                      "so many frames of each film at most, each found with its second; 0 leaves "
                      "films out; remembered until another number is given")
          ->check(CLI::Range(0, film::kMostFrames));
  modes.acts(options->given_film_frames).in(pictures);
  options->given_towns =
      command
          .add_option("--places", options->towns,
                      "names the places where pictures were taken by this list of towns, "
                      "cities500.txt of GeoNames or another of its form; remembered until another "
                      "is given, or '', which takes the names away")
          ->default_str("");
  modes.acts(options->given_towns).in(pictures);
  auto* stay = command
                   .add_flag("--watch", options->watch,
                             "stay, and bring the index up to date whenever pictures come, go or "
                             "change; Ctrl-C ends it")
                   ->always_capture_default(false);
  modes.acts(stay).in(watch);
  command.footer(
      "Later: hinny index add, hinny index update, hinny index remove (each with --help).\n"
      "In parts, on several machines: --part, then hinny index merge.\n\n"
      "With --pictures: the same command again. Left out are names that begin with a dot, what "
      "--exclude and .hinnyignore files say (the syntax of .gitignore), folders with a .nomedia "
      "file "
      "in them, and what programs leave in folders of pictures (@eaDir, #recycle, lost+found, "
      "...); "
      "a line '!@eaDir/' in a .hinnyignore file takes such a one in again.\n\n"
      "example:\n  hinny index runs/mule --data flickr8k --out photos\n"
      "  hinny index photo-model --pictures ~/Pictures --out mine --watch\n"
      "  hinny index photo-model --pictures ~/Pictures --out mine --exclude Scans/ --exclude "
      "'*.png'\n"
      "  hinny index photo-model --pictures /archive --out archive --codes 2\n"
      "  hinny search photos \"ein Hund springt ins Wasser\"");
  return [options] { return run_index(*options); };
}

const RegisterVerb index_verb{"index", declare_index};

}  // namespace
}  // namespace hinny
