// hinny bundle: a model and the networks that see for it -> one folder, or one file.
#include "index/bundle/bundle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <tuple>

#include "base/archive_name.h"
#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/folder_name.h"
#include "base/terminal_text.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "cli/vision/preset_option.h"
#include "index/bundle/bundle_card.h"
#include "pretrained/family.h"
#include "pretrained/networks_of.h"
#include "pretrained/pretrained_bundle.h"
#include "vision/picture_encoder.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

struct BundleOptions {
  fs::path run, out, vision;
  std::vector<std::string> languages;
  std::string lower_case, strip_punctuation, text_code;  // "yes", "no"; FLORES
  std::vector<fs::path> networks;
  std::vector<std::string> presets;
  std::string weights, license, network_license;
  bool archive = false;
};

template <typename Value>
std::optional<Value> unless_empty(const std::string& given, const Value& value) {
  return given.empty() ? std::nullopt : std::optional<Value>(value);
}

fs::path out_of(const BundleOptions& options) {
  if (options.out.empty() && !options.archive) {
    throw InputError("nowhere to write to", "--out FOLDER, or --archive");
  }
  if (options.out.empty()) {
    return without_slash(options.run).string() + ".tar.gz";
  }
  if (options.archive && !is_archive_name(options.out)) {
    throw InputError(options.out, "is no name of an archive", "FILE.tar.gz or FILE.tar.zst");
  }
  return options.out;
}

BundleInput input_of(const BundleOptions& options) {
  BundleInput input{std::nullopt, unless_empty(options.license, options.license),
                    unless_empty(options.network_license, options.network_license)};
  if (!options.weights.empty()) input.weights = weight_type(options.weights);
  return input;
}

void check_out(const fs::path& out) {
  if (!is_archive_name(out)) {
    check_replaceable(out, kBundleFile, "bundle");
  } else if (fs::exists(out) && !fs::is_regular_file(out)) {
    throw InputError(out, "is there and is no file", "a new file, or an archive to replace");
  }
}

void note_license(const std::string& license) {
  if (license.empty() || is_known_license(license)) return;
  print_line(stderr, "note: '{}' is no license that Hinny knows; SPDX lists their identifiers\n",
             license);
}

void note_licenses(const BundleOptions& options) {
  note_license(options.license);
  note_license(options.network_license);
}

void print_bundle(const fs::path& out, const ModelConfig& config) {
  constexpr std::size_t kMostNamed = 12;
  const std::vector<std::string>& all = config.languages;
  const std::size_t named = std::min(kMostNamed, all.size());
  const std::uint64_t bytes = is_archive_name(out) ? fs::file_size(out) : bytes_of_bundle(out);
  print_line(stdout, "{}: {:.1f} MB; languages: {}{}\n", out.string(),
             static_cast<double>(bytes) / 1e6,
             fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(named), ", "),
             named < all.size() ? fmt::format(" and {} more", all.size() - named) : "");
}

std::optional<bool> yes_or_no(const std::string& given) {
  if (given.empty()) return std::nullopt;
  return given == "yes";
}

void bundle_pretrained(const fs::path& folder, const BundleOptions& options) {
  const fs::path out = out_of(options);
  check_out(out);
  PretrainedInput input;
  input.bundle = input_of(options);
  input.tokenizer = {yes_or_no(options.lower_case), yes_or_no(options.strip_punctuation),
                     options.text_code};
  input.languages = options.languages;
  input.pictures = options.vision;
  for (const std::string& line : write_pretrained_bundle(folder, input, out)) {
    print_line(stderr, "{}\n", line);
  }
  with_model_folder(out, [&](const fs::path& made) {
    const PictureModel pictures = PictureModel::open(made, {});
    open_encoders(pictures.model().config().features, pictures.encoders());
    print_bundle(out, pictures.model().config());
  });
  note_licenses(options);
  print_line(stderr, "index with it: hinny index {} --pictures FOLDER --out INDEX\n", out.string());
}

void bundle(const fs::path& run, const std::vector<fs::path>& networks,
            const BundleOptions& options) {
  const fs::path out = out_of(options);
  check_out(out);
  const PictureModel pictures = PictureModel::open(run, networks);
  open_encoders(pictures.model().config().features,
                pictures.encoders());  // that they run, and fit the model
  if (!options.network_license.empty() && pictures.networks().empty()) {
    throw InputError("--network-license of a bundle without a network", "--license alone");
  }
  write_bundle(pictures, input_of(options), out);
  print_bundle(out, pictures.model().config());
  note_licenses(options);
  print_line(stderr, "index with it: hinny index {} --pictures FOLDER --out INDEX\n", out.string());
}

int run_bundle(const BundleOptions& options, const Modes& modes, Modes::Set pretrained) {
  if (is_pretrained_folder(options.run) && !fs::exists(options.run / kBundleFile)) {
    modes.settle(pretrained);
    bundle_pretrained(options.run, options);
    return 0;
  }
  modes.settle(modes.chosen());
  const NamedNetworks named(options.networks);
  const NetworksByPreset networks(named.files(), options.presets);
  try {
    with_model_folder(
        options.run, [&](const fs::path& folder) { bundle(folder, networks.networks(), options); });
  } catch (const InputError& error) {
    throw InputError(networks.with_own_names(error.what()));
  }
  return 0;
}

std::function<int()> declare_bundle(CLI::App& command) {
  const auto options = std::make_shared<BundleOptions>();
  Modes modes(command);
  const Modes::Set trained = modes.otherwise("of a trained model");
  const Modes::Set pretrained = modes.found("of a pretrained model's folder");
  command
      .add_option("MODEL", options->run,
                  "a pretrained model's folder (CLIP, SigLIP, M-CLIP and their kin), a run folder "
                  "with a trained model, or a bundle")
      ->required();
  command.add_option("--out,-o", options->out,
                     "bundle to write: a folder, or FILE.tar.gz, FILE.tar.zst");
  command
      .add_flag("--archive", options->archive,
                "write one file (without --out: MODEL.tar.gz beside the model)")
      ->always_capture_default(false);
  auto* network =
      command
          .add_option("--network", options->networks,
                      "FILE.onnx that made the model's features, with its sidecar beside it, or a "
                      "pretrained model's folder; several in the order of the features")
          ->expected(1)
          ->take_all();
  modes.acts(network).in(trained);
  auto* preset =
      command
          .add_option(
              "--preset", options->presets,
              "how pictures are prepared for a network without a sidecar; the bundle keeps it: one "
              "for all networks, or one for each in their order")
          ->expected(1)
          ->take_all();
  modes.acts(preset).in(trained).beside({"--network"});
  auto* vision = command.add_option("--vision", options->vision,
                                    "the folder of the model whose pictures its sentences go with, "
                                    "where MODEL reads and does not see");
  vision->default_str("");
  modes.acts(vision).in(pretrained);
  auto* languages = command
                        .add_option("--languages", options->languages,
                                    "of its sentences: en,de (default: those of its family)")
                        ->delimiter(',');
  modes.acts(languages).in(pretrained);
  for (const auto& [name, value, what] :
       {std::tuple("--lower-case", &options->lower_case, "sentences are read in small letters"),
        std::tuple("--strip-punctuation", &options->strip_punctuation,
                   "sentences are read without punctuation")}) {
    auto* choice = command
                       .add_option(name, *value,
                                   fmt::format("{}: yes or no (default: as its files say)", what))
                       ->check(CLI::IsMember({"yes", "no"}))
                       ->default_str("");
    modes.acts(choice).in(pretrained);
  }
  auto* code = command
                   .add_option("--text-code", options->text_code,
                               "of NLLB: the code that stands before a sentence, as eng_Latn")
                   ->default_str("");
  modes.acts(code).in(pretrained);
  command
      .add_option("--weights", options->weights,
                  "how the model's matrices are stored: fp32, bf16, int8")
      ->default_str("int8, or as a bundle has them; bf16 of a pretrained model");
  command
      .add_option("--license", options->license,
                  "of the model, for the card: an SPDX identifier, as CC-BY-4.0")
      ->default_str("");
  command.add_option("--network-license", options->network_license, "of its networks, likewise")
      ->default_str("");
  command.footer(preset_help() +
                 "A bundle is all that is needed to index pictures that nobody has described.\n\n"
                 "example:\n  hinny bundle ~/models/clip-vit-base-patch32 --out clip\n"
                 "  hinny index clip --pictures ~/Pictures --out mine\n"
                 "  hinny bundle runs/mine --network mobilenet_v2.onnx --out photo-model.tar.gz\n"
                 "  hinny index photo-model.tar.gz --pictures ~/Pictures --out mine\n"
                 "  hinny inspect photo-model.tar.gz");
  return [options, modes, pretrained] { return run_bundle(*options, modes, pretrained); };
}

const RegisterVerb bundle_verb{"bundle", declare_bundle};

}  // namespace
}  // namespace hinny
