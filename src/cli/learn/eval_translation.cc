#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/progress.h"
#include "cli/json_output.h"
#include "cli/learn/eval_modes.h"
#include "data/dataset_path.h"
#include "text/language_code.h"
#include "translation/bleu.h"
#include "translation/chrf.h"
#include "translation/meteor.h"
#include "translation/train_translation.h"

namespace hinny {
namespace {

// The model's directions from and to the languages that are asked for.
std::vector<Direction> asked_directions(const std::vector<Direction>& all,
                                        const EvalArguments& arguments) {
  std::vector<std::string> languages = arguments.languages;
  if (languages.empty()) return all;
  const std::vector<std::string> known = languages_of(all);
  for (std::string& language : languages) {
    const auto own = find_language(known, language);
    if (!own) {
      throw InputError(arguments.run, fmt::format("the model lacks language '{}'", language),
                       languages_expected(known));
    }
    language = *own;
  }
  const auto asked = [&](const std::string& language) {
    return std::ranges::find(languages, language) != languages.end();
  };
  std::vector<Direction> between;
  for (const Direction& direction : all) {
    if (asked(direction.from) && asked(direction.to)) between.push_back(direction);
  }
  if (between.empty()) {
    throw InputError(arguments.run,
                     fmt::format("no direction between languages {}", fmt::join(languages, ", ")),
                     "both languages of a direction");
  }
  return between;
}

void print_text(const nlohmann::json& all) {
  fmt::print("{:<12}{:>10}{:>8}{:>8}{:>8}\n", "direction", "sentences", "BLEU", "chrF2", "METEOR");
  for (const auto& [name, scores] : all.items()) {
    fmt::print("{:<12}{:>10}{:>8.1f}{:>8.1f}{:>8.1f}\n", name, scores["sentences"].get<int>(),
               scores["bleu"].get<double>(), scores["chrf"].get<double>(),
               scores["meteor"].get<double>());
  }
  std::map<std::string, std::vector<std::string>> signed_by;
  for (const auto& [name, scores] : all.items()) {
    signed_by[scores["bleu_signature"].get<std::string>()].push_back(name);
  }
  for (const auto& [signature, names] : signed_by) {
    fmt::print("BLEU of {}: {}\n", fmt::join(names, ", "), signature);
  }
}

}  // namespace

int eval_translation(const EvalArguments& arguments, torch::Device device) {
  const auto experiment =
      open_translation_on(arguments.run, find_dataset(arguments.data), arguments.features, device);
  TranslateOptions options;
  options.beam = arguments.beam.value_or(options.beam);
  nlohmann::json all;
  const std::vector<std::string>& there = experiment->dataset.languages();
  const auto lacks = [&](const std::string& language) { return !find_language(there, language); };
  for (const Direction& direction : asked_directions(experiment->model.directions, arguments)) {
    if (lacks(direction.from) || lacks(direction.to)) continue;
    const SentencePairs pairs = sentence_pairs(experiment->dataset, arguments.split, direction);
    if (pairs.pairs.empty()) continue;
    Progress progress("translate " + direction.name(), pairs.pairs.size());
    const Measured measured = translate_pairs(*experiment, direction, pairs, options, &progress);
    const ScoreTokeniser tokeniser = tokeniser_for(direction.to);
    const Bleu by_words = bleu(measured.translations, {measured.references},
                               {.tokeniser = tokeniser, .lower_case = true});
    all[direction.name()] = {
        {"sentences", pairs.pairs.size()},
        {"bleu", by_words.score},
        {"bleu_signature", by_words.signature()},
        {"chrf", chrf(measured.translations, {measured.references}, true).score},
        {"meteor",
         meteor(measured.translations, {measured.references}, {direction.to, tokeniser}).score}};
  }
  if (all.empty()) {
    throw InputError("no pairs of captions in split '" + arguments.split + "'",
                     "images with one caption in each language of a direction");
  }
  if (arguments.json) {
    put_json(nlohmann::json{{"split", arguments.split}, {"directions", all}});
  } else {
    print_text(all);
  }
  return 0;
}

}  // namespace hinny
