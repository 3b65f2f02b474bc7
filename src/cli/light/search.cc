// hinny search: sentences, pictures or both -> pictures of an index.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/files.h"
#include "cli/picture_reader.h"
#include "cli/verb.h"
#include "index/first_stage.h"
#include "index/query_translators.h"
#include "index/sentences.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::filesystem::path index;
  std::vector<std::string> queries, also, unwanted, like;
  std::vector<std::filesystem::path> pictures;
  std::filesystem::path sentences;
  float picture_weight = 1;
  float unwanted_weight = 0.5F;
  std::size_t k = 10;
  std::string language;
  double min_score = -std::numeric_limits<double>::infinity();
  std::size_t rerank = Question{}.rerank;
  std::filesystem::path first;  // another index, which draws up the shortlist
  bool explain = false;
  bool translate = false;
  bool json = false;
};

// What the user should know about how the question was understood.
void tell(const Answer& answer, const Options& options) {
  for (const Understood& text : answer.texts) {
    const std::string about = answer.texts.size() > 1 || options.queries.size() > 1
                                  ? fmt::format("'{}': ", text.text)
                                  : "";
    if (options.language.empty()) {
      fmt::print(stderr, "{}language {}{}\n", about, text.language,
                 text.equals.empty() ? std::string()
                                     : fmt::format(", or as well {} (--lang chooses)",
                                                   fmt::join(text.equals, ", ")));
    }
    if (options.translate) fmt::print(stderr, "{}: {}\n", text.language, text.text);
    if (!text.unknown_words.empty()) {
      fmt::print(stderr, "{}unknown to the model: {}\n", about,
                 fmt::join(text.unknown_words, ", "));
    }
  }
}

std::size_t position_of(const Index& index, const std::string& id) {
  if (const auto found = index.find(id)) return *found;
  throw InputError(fmt::format("the index has no image '{}'", id), "an id as search prints them");
}

// Everything but the sentence, which differs from question to question.
Question question_of(const Index& index, const Options& options) {
  Question question;
  question.language = options.language;
  question.k = options.k;
  question.min_score = options.min_score;
  question.rerank = options.rerank;
  question.explain = options.explain;
  if (!options.pictures.empty()) {
    const ReadPicture read = open_picture_reader(index);
    for (const auto& file : options.pictures) {
      question.parts.push_back({{}, read(file), {}, options.picture_weight});
    }
  }
  for (const std::string& id : options.like) {
    question.parts.push_back({{}, {}, position_of(index, id), options.picture_weight});
  }
  for (const std::string& text : options.also) question.parts.push_back(translation_of(text));
  for (const std::string& text : options.unwanted) {
    question.parts.push_back({text, {}, {}, -options.unwanted_weight});
  }
  return question;
}

ordered_json json_of(const Index& index, const Answer& one) {
  ordered_json results = ordered_json::array();
  const auto grid = one.explanations.empty() ? std::nullopt : grid_of(index);
  for (std::size_t i = 0; i < one.hits.size(); ++i) {
    const Hit& hit = one.hits[i];
    results.push_back({{"image", index.contents().images[hit.image]},
                       {"file", index.picture(hit.image)},
                       {"score", shown_score(hit.score)}});
    if (i < one.explanations.size()) {
      results.back()["explanation"] = as_json(one.explanations[i], grid);
    }
  }
  ordered_json json = {{"query", one.sentence}};
  if (!one.sentence.empty()) json["language"] = one.texts.front().language;
  json["results"] = results;
  return json;
}

// "  dog 41% (region 6)  ball 30% (region 10)  ...": the words in order, and where each looked.
void print_explanation(const Explanation& explanation) {
  for (const Explanation::Word& word : explanation.words) {
    fmt::print("  {} {:.0f}%", word.text.empty() ? "-" : word.text, 100 * word.share);
    if (word.regions.empty()) continue;
    const auto best = std::ranges::max_element(word.regions) - word.regions.begin();
    fmt::print(" (region {})", best + 1);
  }
  const auto best = std::ranges::max_element(explanation.regions);
  fmt::print("\n  region {} carried most, {:.0f}%\n", best - explanation.regions.begin() + 1,
             100 * *best);
}

void print_text(const Index& index, const std::vector<Answer>& all) {
  for (const Answer& one : all) {
    if (all.size() > 1) fmt::print("{}:\n", one.sentence);
    for (std::size_t i = 0; i < one.hits.size(); ++i) {
      const Hit& hit = one.hits[i];
      fmt::print("{:7.4f}  {}  {}\n", hit.score, index.contents().images[hit.image],
                 index.picture(hit.image));
      if (i < one.explanations.size()) print_explanation(one.explanations[i]);
    }
    if (one.hits.empty()) fmt::print(stderr, "no picture scores that high\n");
  }
}

// The other direction: the lines of a file that fit a picture best.
int print_sentences(const Index& index, const Options& options) {
  if (options.pictures.size() + options.like.size() != 1 || !options.queries.empty()) {
    throw InputError("--sentences with another question than one picture",
                     "--image FILE or --like ID, and no QUERY");
  }
  std::vector<std::string> lines;
  for_each_line(options.sentences, [&](std::string_view line, std::size_t) {
    if (!line.empty()) lines.emplace_back(line);
  });
  const Question::Part picture = question_of(index, options).parts.front();
  const auto hits = best_sentences(index, picture, lines, options.language, options.k);
  ordered_json results = ordered_json::array();
  for (const SentenceHit& hit : hits) {
    results.push_back(
        {{"sentence", hit.text}, {"language", hit.language}, {"score", shown_score(hit.score)}});
    if (!options.json) fmt::print("{:7.4f}  {}  {}\n", hit.score, hit.language, hit.text);
  }
  if (options.json) fmt::print("{}\n", ordered_json{{"results", results}}.dump());
  return 0;
}

int run(const Options& options) {
  if (options.queries.empty() && options.pictures.empty() && options.like.empty()) {
    throw InputError("nothing to look for", "a QUERY, --image FILE or --like ID");
  }
  if (!options.also.empty() && options.queries.size() != 1) {
    throw InputError("--also without one sentence that it translates", "one QUERY");
  }
  const Index index = Index::open(options.index);
  if (!options.sentences.empty()) return print_sentences(index, options);
  TextEncoder encoder(index.model());
  AskHelp help;
  if (!options.first.empty()) help.shortlist = first_stage(options.first, index);
  std::optional<QueryTranslators> translators;
  if (options.translate) {
    translators.emplace(index);
    if (translators->empty()) {
      throw InputError(options.index, "keeps no translator", "hinny index --translator RUN");
    }
    help.translations = std::cref(*translators);
  }
  const std::vector<Answer> all =
      ask_each(index, encoder, options.queries, question_of(index, options), help);
  for (const Answer& one : all) tell(one, options);
  if (!options.json) {
    print_text(index, all);
    return 0;
  }
  ordered_json json = ordered_json::array();
  for (const Answer& one : all) json.push_back(json_of(index, one));
  fmt::print("{}\n", all.size() == 1 ? json[0].dump() : json.dump());
  return 0;
}

std::function<int()> declare_search(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("INDEX", options->index, "folder that `hinny index` wrote")->required();
  command.add_option("QUERY", options->queries, "what to look for, one sentence an argument")
      ->default_str("");
  command
      .add_option("--also", options->also,
                  "LANG=TEXT: the QUERY in another language, scored together with it")
      ->expected(1)
      ->take_all();
  command.add_option("--image", options->pictures, "look for pictures like this file")
      ->expected(1)
      ->take_all();
  command.add_option("--like", options->like, "look for pictures like this one of the index")
      ->expected(1)
      ->take_all();
  command.add_option("--not", options->unwanted, "a sentence that the pictures should not fit")
      ->expected(1)
      ->take_all();
  command
      .add_option("--sentences", options->sentences,
                  "a text file: print its lines that fit the picture best instead of pictures")
      ->default_str("");
  command
      .add_option("--image-weight", options->picture_weight,
                  "of each --image and --like; a QUERY weighs 1")
      ->check(CLI::Range(0.001, 1000.0));
  command.add_option("--not-weight", options->unwanted_weight, "of each --not")
      ->check(CLI::Range(0.001, 1000.0));
  command.add_option("-k", options->k, "how many pictures")->check(CLI::Range(1, 1000000));
  command.add_option("--lang", options->language, "the sentences' language (default: guessed)");
  command.add_option("--min-score", options->min_score, "leave out pictures that score lower")
      ->default_str("");
  command
      .add_option("--rerank", options->rerank,
                  "compare so many pictures region by region, for a model that does (scan)")
      ->check(CLI::Range(1, 1000000));
  command
      .add_option("--first", options->first,
                  "index of another model, of the same pictures, which says which those are "
                  "(default: this index's own vectors)")
      ->default_str("");
  command.add_flag("--translate", options->translate,
                   "translate each QUERY by the index's translators, and score all together");
  command.add_flag("--explain", options->explain,
                   "say which words and regions carried each score (san, dan, scan)");
  command.add_flag("--json", options->json, "print JSON: an object, or a list for several queries")
      ->always_capture_default(false);
  command.footer(
      "Several sentences are several questions; --image, --like and --not belong to each of "
      "them.\n\n"
      "example:\n  hinny search photos \"ein Hund springt ins Wasser\"\n"
      "  hinny search photos \"a red bicycle\" \"une plage\" -k 3 --json\n"
      "  hinny search photos --like 1000268201 --sentences captions.txt\n"
      "  hinny search photos \"un chien\" --also \"en=a dog\" --also \"de=ein Hund\"\n"
      "  hinny search scan-photos \"a red kite\" --first photos --rerank 200 --explain\n"
      "  hinny search photos \"at night\" --image street.jpg --not \"a car\"");
  return [options] { return run(*options); };
}

const RegisterVerb registered{"search", declare_search};

}  // namespace
}  // namespace hinny
