// hinny score: translations beside references -> BLEU, chrF2, METEOR and lexical diversity.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/lines.h"
#include "base/terminal_text.h"
#include "cli/json_output.h"
#include "cli/verb.h"
#include "translation/bleu.h"
#include "translation/chrf.h"
#include "translation/diversity.h"
#include "translation/meteor.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

struct ScoreArguments {
  std::string hypotheses;
  std::vector<std::string> references;
  std::string language = "en";
  std::string tokeniser;  // empty: by language
  bool cased = false;
  bool json = false;
};

struct Scores {
  std::size_t lines = 0;
  Bleu bleu;
  Chrf chrf;
  Meteor meteor;
  LexicalDiversity hypotheses, reference;
};

constexpr const char* kStandardInput = "standard input";

Lines lines_of_stdin() {
  Lines lines;
  for_each_input_line([&](std::string_view text, std::size_t) { lines.emplace_back(text); });
  return lines;
}

Lines lines_of(const std::string& file) {
  Lines lines;
  for_each_line(file, [&](std::string_view text, std::size_t) { lines.emplace_back(text); });
  return lines;
}

void check_count(const std::string& file, const Lines& lines, const std::string& other,
                 const Lines& wanted) {
  if (lines.empty()) throw InputError(file, "no lines", "a sentence per line");
  if (lines.size() == wanted.size()) return;
  throw InputError(file, fmt::format("{} lines", lines.size()),
                   fmt::format("{}, as in {}", wanted.size(), other));
}

LexicalDiversity diversity_of(const Lines& lines, ScoreTokeniser tokeniser, bool cased) {
  std::vector<std::vector<std::string>> sentences;
  for (const std::string& line : lines) {
    sentences.push_back(score_words(cased ? line : lower_cased(line), tokeniser));
  }
  return lexical_diversity(sentences);
}

void print_text(const Scores& scores, const ScoreArguments& arguments,
                const std::string& hypotheses) {
  const Bleu& bleu = scores.bleu;
  const Meteor& meteor = scores.meteor;
  fmt::print("BLEU|{} = {:.2f} {:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})\n",
             bleu.signature(), bleu.score, fmt::join(bleu.precisions, "/"), bleu.brevity_penalty,
             bleu.reference_words == 0 ? 0.0
                                       : static_cast<double>(bleu.hypothesis_words) /
                                             static_cast<double>(bleu.reference_words),
             bleu.hypothesis_words, bleu.reference_words);
  fmt::print("chrF2|{} = {:.2f}\n", scores.chrf.signature(), scores.chrf.score);
  fmt::print("METEOR|{} = {:.2f} (matches = {} chunks = {})\n", meteor.signature(), meteor.score,
             meteor.matches, meteor.chunks);
  const auto print_diversity = [](const std::string& file, const LexicalDiversity& diversity) {
    fmt::print("words of {}: {}, {} distinct (type-token ratio {:.4f}, distinct-2 {:.4f}",
               terminal_text(file), diversity.words, diversity.distinct_words,
               diversity.type_token_ratio, diversity.distinct_2);
    const auto& segmental = diversity.mean_segmental_ratio;
    fmt::print("{})\n", segmental ? fmt::format(", per 1,000 words {:.4f}", *segmental) : "");
  };
  print_diversity(hypotheses, scores.hypotheses);
  print_diversity(arguments.references.front(), scores.reference);
}

ordered_json json_of(const LexicalDiversity& diversity) {
  const auto& segmental = diversity.mean_segmental_ratio;
  return {{"words", diversity.words},
          {"distinct_words", diversity.distinct_words},
          {"type_token_ratio", diversity.type_token_ratio},
          {"distinct_1", diversity.distinct_1()},
          {"distinct_2", diversity.distinct_2},
          {"type_token_ratio_per_1000_words", segmental ? ordered_json(*segmental) : nullptr}};
}

void print_json(const Scores& scores) {
  const Bleu& bleu = scores.bleu;
  const Meteor& meteor = scores.meteor;
  const ordered_json json = {
      {"lines", scores.lines},
      {"bleu",
       {{"score", bleu.score},
        {"precisions", bleu.precisions},
        {"brevity_penalty", bleu.brevity_penalty},
        {"hypothesis_words", bleu.hypothesis_words},
        {"reference_words", bleu.reference_words},
        {"signature", bleu.signature()}}},
      {"chrf2", {{"score", scores.chrf.score}, {"signature", scores.chrf.signature()}}},
      {"meteor",
       {{"score", meteor.score},
        {"matches", meteor.matches},
        {"chunks", meteor.chunks},
        {"hypothesis_words", meteor.hypothesis_words},
        {"reference_words", meteor.reference_words},
        {"signature", meteor.signature()}}},
      {"diversity",
       {{"hypotheses", json_of(scores.hypotheses)}, {"reference", json_of(scores.reference)}}}};
  put_json(json);
}

int run_score(const ScoreArguments& arguments) {
  const ScoreTokeniser tokeniser = arguments.tokeniser.empty()
                                       ? tokeniser_for(arguments.language)
                                       : score_tokeniser(arguments.tokeniser);
  const std::string& first = arguments.references.front();
  std::vector<Lines> references;
  for (const std::string& reference : arguments.references) {
    references.push_back(lines_of(reference));
    check_count(reference, references.back(), first, references.front());
  }
  const bool piped = arguments.hypotheses == "-";
  const std::string file = piped ? kStandardInput : arguments.hypotheses;
  const Lines hypotheses = piped ? lines_of_stdin() : lines_of(file);
  check_count(file, hypotheses, first, references.front());

  Scores scores;
  scores.lines = hypotheses.size();
  scores.bleu = bleu(hypotheses, references, {tokeniser, !arguments.cased});
  scores.chrf = chrf(hypotheses, references, !arguments.cased);
  scores.meteor = meteor(hypotheses, references, {arguments.language, tokeniser});
  scores.hypotheses = diversity_of(hypotheses, tokeniser, arguments.cased);
  scores.reference = diversity_of(references.front(), tokeniser, arguments.cased);
  if (arguments.json) {
    print_json(scores);
  } else {
    print_text(scores, arguments, file);
  }
  return 0;
}

std::function<int()> declare_score(CLI::App& command) {
  auto arguments = std::make_shared<ScoreArguments>();
  ScoreArguments& a = *arguments;
  command.add_option("HYPOTHESES", a.hypotheses, "translations, a line each; - for standard input")
      ->required();
  command
      .add_option("REFERENCES", a.references,
                  "what people wrote for the same lines; several files: several references a line")
      ->required();
  command.add_option(
      "--lang", a.language,
      "language of the text (default: en), by which words are cut and METEOR's stems are found");
  command.add_option(
      "--tokenise", a.tokeniser,
      "how words are cut, by sacreBLEU's names: 13a, text as people write it; intl, marks "
      "of all scripts; zh, each Chinese character; char, each character; none, words "
      "and marks parted by spaces (default: zh for Chinese, char for ja, th, lo, km and "
      "my, else 13a)");
  command.add_flag("--cased", a.cased, "tell capitals from small letters (METEOR never does)");
  command.add_flag("--json", a.json, "print JSON");
  command.footer(
      "Files may be gzipped. BLEU and chrF2 are those of sacreBLEU with the same signature.\n\n"
      "example:\n  hinny score translated.de test_2016_flickr.de.gz --lang de");
  return [arguments] { return run_score(*arguments); };
}

const RegisterVerb score_verb{"score", declare_score};

}  // namespace
}  // namespace hinny
