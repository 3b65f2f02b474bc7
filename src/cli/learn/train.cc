#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/phases.h"
#include "base/progress.h"
#include "base/run_files.h"
#include "base/terminal_text.h"
#include "base/threads.h"
#include "cli/learn/engine.h"
#include "cli/learn/local_processes.h"
#include "cli/learn/run_fit.h"
#include "cli/learn/teacher.h"
#include "cli/learn/train_recipe.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "data/dataset_path.h"
#include "data/features.h"
#include "recipe/read_recipe.h"
#include "recipe/recipe_text.h"
#include "recipe/recipe_warnings.h"
#include "training/evaluation/check_validation.h"
#include "training/experiment/model_files.h"
#include "training/experiment/parameter_counts.h"
#include "training/loop/data_identity.h"
#include "training/loop/disk_room.h"
#include "training/loop/model_card.h"
#include "training/loop/run_lock.h"
#include "training/loop/trainer.h"
#include "training/processes/processes.h"
#include "training/start/adapt.h"
#include "training/start/add_language.h"
#include "translation/train_translation.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// A process of a training: the only one, or one of several, of which the first speaks and writes.
struct Trainer {
  torch::Device device;
  std::unique_ptr<Processes> processes{};

  bool speaks() const { return !processes || processes->first(); }
};

std::unique_ptr<Experiment> begin(const TrainArguments& arguments, Recipe recipe,
                                  torch::Device device, Start start) {
  const fs::path data = arguments.data.empty() ? fs::path() : find_dataset(arguments.data);
  if (arguments.from.empty()) return new_experiment(std::move(recipe), data, device, start);
  Recipe of_run = resolve_of_run(arguments, recipe);
  if (arguments.language.empty()) {
    return adapt(std::move(of_run), arguments.from, data, arguments.languages, device, start);
  }
  return add_language(std::move(of_run), arguments.from, arguments.language, data, device, start);
}

// precision = "auto" becomes one of the others. Several processes compute in process 0's.
void settle_precision(Recipe& recipe, const TrainArguments& arguments, const Trainer& trainer) {
  Precision& precision = recipe.model.precision;
  if (precision == Precision::automatic && trainer.speaks()) precision = best_precision(arguments);
  if (!trainer.processes) return;
  const std::string first = shared_text(*trainer.processes, std::string(name_of(precision)));
  precision = choice_of<Precision>(first).value();
}

// Process 0 has the run folder.
void settle_epochs(Recipe& recipe, const TrainArguments& arguments, const Trainer& trainer) {
  std::vector<std::int64_t>& epochs = recipe.train.more_epochs;
  if (trainer.speaks()) epochs = wanted_epochs(arguments, recipe);
  if (!trainer.processes) return;
  const auto shared =
      nlohmann::json::parse(shared_text(*trainer.processes, nlohmann::json(epochs).dump()));
  epochs = shared.get<std::vector<std::int64_t>>();
}

TrainingOptions options_of(const TrainArguments& arguments, const Trainer& trainer) {
  const bool resumes = arguments.resume && fs::exists(checkpoint_file(arguments.out));
  return {
      resumes, arguments.tensorboard, arguments.checkpoint_seconds, trainer.processes.get(), {}};
}

void warn_of(const Recipe& recipe) {
  for (const std::string& warning : recipe_warnings(recipe)) {
    print_line(stderr, "warning: {}\n", warning);
  }
}

void train_translation(const TrainArguments& arguments, Recipe recipe, const Trainer& trainer) {
  settle_precision(recipe, arguments, trainer);
  settle_epochs(recipe, arguments, trainer);
  const fs::path out = arguments.out;
  const auto experiment = new_translation(std::move(recipe), find_dataset(arguments.data),
                                          arguments.from, trainer.device);
  if (trainer.speaks()) {
    check_same_recipe(out, experiment->model.recipe);
    check_room_for_training(out, *experiment->model.net, experiment->model.recipe.train);
    if (arguments.more_epochs > 0) {
      check_same_data(out, read_progress(out).data,
                      identity_of(experiment->dataset, experiment->features.get()));
    }
    write_translation_setup(out, experiment->model);
    warn_of(experiment->model.recipe);
  }
  if (arguments.profile) count_phases();
  const TrainingState state = train(*experiment, out, options_of(arguments, trainer));
  if (!trainer.speaks()) return;
  print_line(stderr, "trained {} batches in {}; best after {}, BLEU {:.1f}. Model in {}\n",
             state.step, duration_text(state.seconds), state.best_step, state.best_score,
             out.string());
  if (arguments.profile) print_lines(stderr, "\n" + phases_as_text());
}

void say_what_is_trained(const Experiment& experiment) {
  const ParameterCounts counts = count_parameters(*experiment.system);
  print_line(stderr, "{}: {:.1f} million parameters, {} languages, {}\n",
             name_of(experiment.recipe.model.system), static_cast<double>(counts.train) / 1e6,
             experiment.recipe.languages.size(), learnt_from(experiment));
  warn_of(experiment.recipe);
  if (can_validate(experiment.dataset, experiment.features, experiment.sentences_alone)) return;
  print_line(stderr,
             "note: nothing to validate on (captions in a split 'val'): the model after the last "
             "batch is the one that is kept{}\n",
             experiment.recipe.train.patience > 0 ? ", and train.patience has no effect" : "");
}

// Trains a model that retrieves, of this recipe -> the recipe as the data settled it.
Recipe train_retrieval(const TrainArguments& arguments, Recipe recipe, const Trainer& trainer) {
  settle_precision(recipe, arguments, trainer);
  settle_epochs(recipe, arguments, trainer);
  const fs::path out = arguments.out;
  const TrainingOptions options = options_of(arguments, trainer);
  const auto experiment =
      begin(arguments, std::move(recipe), trainer.device,
            options.resume || !trainer.speaks() ? Start::checkpoint : Start::fresh);
  if (trainer.speaks()) {
    check_same_recipe(out, experiment->recipe);
    check_room_for_training(out, *experiment->system, experiment->recipe.train);
    // What a resumed training has is its best model's: no better one may come.
    if (!options.resume || !fs::exists(out / kConfigFile)) {
      write_model_setup(out, *experiment);
    } else if (arguments.more_epochs > 0) {
      check_same_data(out, read_progress(out).data, identity_of(*experiment));
      write_file(out / kRecipeFile, as_toml(experiment->recipe));
    }
    say_what_is_trained(*experiment);
  }
  if (arguments.profile) count_phases();
  const TrainingResult result = train(*experiment, out, options);
  if (!trainer.speaks()) return experiment->recipe;
  // A language that is added leaves what the model remembers as it was.
  if (!experiment->hubs) learn_run_fit(out, experiment->dataset, experiment->features);
  if (result.best) print_lines(stdout, as_text(*result.best));
  print_line(stderr, "trained {} batches in {}; best after {}. Model in {}\n", result.state.step,
             duration_text(result.state.seconds), result.state.best_step, out.string());
  if (arguments.profile) print_lines(stderr, "\n" + phases_as_text());
  return experiment->recipe;
}

constexpr std::string_view kRerankerRecipe = "late";
// Begins keys of --set that are the re-ranking model's; the second is its name in earlier versions.
constexpr std::string_view kOfReranker = "reranker.", kOfRerankerBefore = "look.";

// Its training lies in a folder inside the run of the model whose best it re-ranks. Its keys go
// from the run's into the arguments that are returned.
TrainArguments reranker_arguments(TrainArguments& arguments, bool tells) {
  TrainArguments reranker = arguments;
  reranker.recipe = kRerankerRecipe;
  reranker.features = arguments.regions;
  reranker.out = (fs::path(arguments.out) / kRerankerFolder).string();
  reranker.parallel.clear();
  reranker.set.clear();
  bool old_name = false;
  std::erase_if(arguments.set, [&](const std::string& assignment) {
    for (const std::string_view prefix : {kOfReranker, kOfRerankerBefore}) {
      if (!assignment.starts_with(prefix)) continue;
      reranker.set.push_back(assignment.substr(prefix.size()));
      old_name |= prefix == kOfRerankerBefore;
      return true;
    }
    return false;
  });
  if (old_name && tells) {
    print_line(stderr, "note: --set {}KEY is called --set {}KEY now\n", kOfRerankerBefore,
               kOfReranker);
  }
  return reranker;
}

// Parallel sentences are enough to add a language.
void check_data_is_named(const TrainArguments& arguments) {
  if (!arguments.data.empty()) return;
  if (!arguments.language.empty() && !arguments.parallel.empty()) return;
  throw InputError("--data is required", "--data DATASET; or --add-language with --parallel alone");
}

// What the re-ranking model needs, before the first training and not after it.
void check_reranker(const TrainArguments& reranker, bool first) {
  resolve(reranker);
  const Dataset dataset = Dataset::load(find_dataset(reranker.data));
  const Features regions = Features::open(dataset, reranker.features);
  if (regions.regions() < 2) {
    throw InputError(dataset.folder(),
                     fmt::format("features '{}' have one vector a picture", regions.names()),
                     "features of regions, [images, regions, numbers], for --regions");
  }
  for (const std::string split : {"train", "val"}) {
    if (dataset.has_split(split)) usable_images(regions, dataset.split(split), split);
  }
  if (first) check_run_folder(reranker.out, reranker.resume);
}

void train_reranker(TrainArguments reranker, const Recipe& trained, const Trainer& trainer) {
  if (trainer.speaks()) print_line(stderr, "re-ranking model:\n");
  reranker.languages = trained.languages;
  reranker.seed = trained.train.seed;
  std::optional<RunLock> lock;
  if (trainer.speaks()) lock.emplace(reranker.out);
  Recipe second = resolve(reranker);
  second.data = trained.data;
  train_retrieval(reranker, std::move(second), trainer);
}

// Joins the others where the environment tells of some.
Trainer set_up(const TrainArguments& arguments, const std::optional<Launch>& launch) {
  if (!launch) return {set_up_engine(arguments.device)};
  if (arguments.device != "cpu") {
    throw InputError("several processes with --device " + arguments.device,
                     "--device cpu: on GPUs this has not been tried");
  }
  share_cores(launch->here);
  const torch::Device device = set_up_engine(arguments.device);
  if (launch->rank > 0) silence_progress();
  return {device, join(*launch)};
}

// Which options act is known when the recipe is.
struct TrainModes {
  Modes modes;
  Modes::Set translation;

  void settle(const Recipe& recipe) const {
    modes.settle(translates(recipe.model.system) ? translation : modes.chosen());
  }
};

int train(TrainArguments arguments, const TrainModes& modes, const std::optional<Launch>& launch) {
  const bool alone_or_first = !launch || launch->rank == 0;
  const bool reranks = !arguments.regions.empty();
  TrainArguments reranker = reranker_arguments(arguments, alone_or_first);
  if (!reranks && !reranker.set.empty()) {
    throw InputError("--set " + std::string(kOfReranker) + reranker.set.front(),
                     "it with --regions");
  }
  Recipe recipe = resolve(arguments);
  modes.settle(recipe);
  if (!arguments.data.empty()) find_dataset(arguments.data);
  if (alone_or_first) check_run_folder(arguments.out, arguments.resume);
  if (reranks) {
    if (!kTwoBranches.contains(recipe.model.system)) {
      throw InputError(fmt::format("--regions with system {}", name_of(recipe.model.system)),
                       fmt::format("one of {}", as_text(kTwoBranches)));
    }
    check_reranker(reranker, alone_or_first);
  }
  const Trainer trainer = set_up(arguments, launch);
  std::optional<RunLock> lock;
  if (trainer.speaks()) {
    lock.emplace(arguments.out);
    check_run_folder(arguments.out, arguments.resume);  // another may have ended meanwhile
  }
  make_teacher_vectors(arguments, recipe);
  if (translates(recipe.model.system)) {
    train_translation(arguments, std::move(recipe), trainer);
  } else {
    const Recipe trained = train_retrieval(arguments, std::move(recipe), trainer);
    if (reranks) train_reranker(std::move(reranker), trained, trainer);
  }
  if (trainer.processes) trainer.processes->leave();
  return 0;
}

int run_train(TrainArguments arguments, const TrainModes& modes) {
  check_data_is_named(arguments);
  if (arguments.more_epochs > 0) arguments.resume = true;
  const auto launch = arguments.processes == 1 ? std::nullopt : launch_from(process_environment());
  if (!launch && arguments.processes > 1) return run_processes(arguments.processes);
  return train(arguments, modes, launch);
}

std::function<int()> declare_train(CLI::App& command) {
  auto arguments = std::make_shared<TrainArguments>();
  TrainArguments& a = *arguments;
  Modes modes(command);
  const Modes::Set added = modes.with("--add-language"), adapted = modes.with("--from"),
                   longer = modes.with("--more-epochs"), twice = modes.with("--regions"),
                   once = modes.otherwise("in a new training"),
                   translation = modes.found("for a model that translates");
  command.add_option("RECIPE", a.recipe, "a recipe's name (hinny recipes) or a TOML file")
      ->required();
  command.add_option("--data", a.data, "dataset folder, or its name inside $HINNY_DATA");
  command.add_option("--out", a.out, "run folder to write")->required();
  command.add_option("--features", a.features, "features to train on: NAME or NAME+NAME");
  auto* languages =
      command.add_option("--languages", a.languages, "languages to learn: en,de (default: all)")
          ->delimiter(',');
  modes.acts(languages).in(adapted | longer | twice | once | translation);
  auto* parallel =
      command.add_option("--parallel", a.parallel,
                         "dataset of parallel sentences to learn from as well: the same in several "
                         "languages, without pictures (recipe keys parallel.*)");
  modes.acts(parallel).in(added | longer | twice | once | translation);
  command.add_option("--teacher", a.teacher,
                     "a large model, a bundle that reads sentences: learn to put the parallel "
                     "sentences of --data where it puts the English ones (recipe teacher); or "
                     "FILE.npy, its vectors of the sentences in FILE.txt");
  auto* regions = command.add_option(
      "--regions", a.regions,
      "features of regions: then also train a model that re-ranks the best that this one finds "
      "(recipe late; its keys as --set reranker.KEY=VALUE), for eval --rerank");
  modes.acts(regions).in(twice);
  command.add_option("--set", a.set, "set a recipe's key: loss.margin=0.1");
  auto* from = command.add_option(
      "--from", a.from,
      "run folder of a model that goes on learning, from --data: your own pictures and captions; "
      "or to which a language is added; nmt and mmt: of a model of text alone to go on from");
  modes.acts(from).in(added | adapted | translation);
  auto* language =
      command.add_option("--add-language", a.language,
                         "language to add to --from; all else stays as it is. From captions in "
                         "--data, parallel sentences in --parallel, or both");
  modes.acts(language).in(added).beside({"--from"});
  command.add_option("--seed", a.seed, "random seed (train.seed)")
      ->check(CLI::NonNegativeNumber)
      ->default_str("the recipe's");
  command.add_option("--device", a.device, "cpu, cuda or cuda:N");
  command
      .add_option("--processes", a.processes,
                  "start so many processes on this machine, which train one model "
                  "(docs/many-processes.md); 1: train alone, whatever the environment says")
      ->check(CLI::Range(1, 256))
      ->default_str("as RANK and WORLD_SIZE say");
  command.add_flag("--resume", a.resume, "go on with an interrupted training");
  auto* more = command
                   .add_option("--more-epochs", a.more_epochs,
                               "train an existing run for so many more epochs: a cosine schedule "
                               "starts over with them, others go on (train.more_epochs)")
                   ->check(CLI::Range(1, 1000000))
                   ->default_str("none");
  modes.acts(more).in(added | adapted | longer | translation);
  command
      .add_option("--checkpoint-seconds", a.checkpoint_seconds,
                  "write a checkpoint, from which --resume goes on, so often; 0: after each batch")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_flag("--tensorboard", a.tensorboard, "also write event files for TensorBoard");
  command.add_flag("--profile", a.profile, "print at the end how long each phase took (on stderr)");
  command.footer(
      "example:\n  hinny train hinny --data demo/pictures --features builtin --out runs/pictures\n"
      "  hinny train hinny --from runs/hinny --data mine --features mobilenet_v2 --out runs/mine\n"
      "  hinny train smalr --from runs/smalr --add-language ja --data japan --out runs/smalr-ja\n"
      "  hinny train hinny --from runs/hinny --add-language cs --parallel m30k --out "
      "runs/hinny-cs\n"
      "  hinny train teacher --data m30k --teacher clip --languages de,fr,cs --out runs/clip-de\n"
      "  hinny train nmt --data multi30k --languages en,de --out runs/nmt\n"
      "Ctrl-C saves; the same command with --resume goes on. --more-epochs 5 trains a run that is "
      "done "
      "five epochs longer.");
  return [arguments, modes, translation] { return run_train(*arguments, {modes, translation}); };
}

const RegisterVerb train_verb{"train", declare_train};

}  // namespace
}  // namespace hinny
