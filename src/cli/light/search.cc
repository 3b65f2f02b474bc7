// hinny search: sentences -> pictures of an index.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "cli/verb.h"
#include "encoder/language.h"
#include "index/index.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::filesystem::path index;
  std::vector<std::string> queries;
  std::size_t k = 10;
  std::string language;
  double min_score = -std::numeric_limits<double>::infinity();
  bool json = false;
};

struct Answer {
  std::string query;
  std::string language;
  std::vector<Hit> hits;
};

// What the user should know about how the question was understood.
void tell(const Answer& answer, const std::vector<std::string>& equals, const EncodedText& text,
          const Options& options) {
  const std::string about =
      options.queries.size() > 1 ? fmt::format("'{}': ", answer.query) : std::string();
  if (options.language.empty()) {
    fmt::print(stderr, "{}language {}{}\n", about, answer.language,
               equals.empty()
                   ? std::string()
                   : fmt::format(", or as well {} (--lang chooses)", fmt::join(equals, ", ")));
  }
  if (!text.unknown_words.empty()) {
    fmt::print(stderr, "{}unknown to the model: {}\n", about, fmt::join(text.unknown_words, ", "));
  }
}

Answer answer(const Index& index, TextEncoder& encoder, const std::string& query,
              const Options& options) {
  if (!is_utf8(query)) throw InputError("a query that is broken UTF-8", "UTF-8 text");
  const LanguageGuess guess = options.language.empty() ? guess_language(encoder, query)
                                                       : LanguageGuess{options.language, {}};
  const EncodedText text = encoder.encode(query, guess.language);
  if (text.nothing_known()) {
    const auto& all = index.model().config().languages;
    throw InputError(fmt::format("the model knows no word of '{}'", query),
                     fmt::format("words of its training captions in {}",
                                 options.language.empty() ? fmt::format("{}", fmt::join(all, ", "))
                                                          : options.language));
  }
  Answer result{query, guess.language, index.search(index.query(text, guess.language), options.k)};
  tell(result, guess.equals, text, options);
  std::erase_if(result.hits,
                [&](const Hit& hit) { return static_cast<double>(hit.score) < options.min_score; });
  return result;
}

ordered_json json_of(const Index& index, const Answer& answer) {
  ordered_json results = ordered_json::array();
  for (const Hit& hit : answer.hits) {
    results.push_back({{"image", index.contents().images[hit.image]},
                       {"file", index.picture(hit.image)},
                       {"score", std::round(static_cast<double>(hit.score) * 1e6) / 1e6}});
  }
  return {{"query", answer.query}, {"language", answer.language}, {"results", results}};
}

void print_text(const Index& index, const std::vector<Answer>& answers) {
  for (const Answer& answer : answers) {
    if (answers.size() > 1) fmt::print("{}:\n", answer.query);
    for (const Hit& hit : answer.hits) {
      fmt::print("{:7.4f}  {}  {}\n", hit.score, index.contents().images[hit.image],
                 index.picture(hit.image));
    }
    if (answer.hits.empty()) fmt::print(stderr, "no picture scores that high\n");
  }
}

int run(const Options& options) {
  const Index index = Index::open(options.index);
  TextEncoder encoder(index.model());
  std::vector<Answer> answers;
  for (const std::string& query : options.queries) {
    answers.push_back(answer(index, encoder, query, options));
  }
  if (!options.json) {
    print_text(index, answers);
    return 0;
  }
  ordered_json json = ordered_json::array();
  for (const Answer& one : answers) json.push_back(json_of(index, one));
  fmt::print("{}\n", answers.size() == 1 ? json[0].dump() : json.dump());
  return 0;
}

std::function<int()> declare_search(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("INDEX", options->index, "folder that `hinny index` wrote")->required();
  command.add_option("QUERY", options->queries, "what to look for, one sentence an argument")
      ->required()
      ->default_str("");
  command.add_option("-k", options->k, "how many pictures")->check(CLI::Range(1, 1000000));
  command.add_option("--lang", options->language, "the question's language (default: guessed)");
  command.add_option("--min-score", options->min_score, "leave out pictures that score lower")
      ->default_str("");
  command.add_flag("--json", options->json, "print JSON: an object, or a list for several queries")
      ->always_capture_default(false);
  command.footer(
      "example:\n  hinny search photos \"ein Hund springt ins Wasser\"\n"
      "  hinny search photos \"a red bicycle\" \"une plage\" -k 3 --json");
  return [options] { return run(*options); };
}

const RegisterVerb registered{"search", declare_search};

}  // namespace
}  // namespace hinny
