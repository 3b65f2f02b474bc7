// hinny search: sentences, pictures or both -> pictures of an index.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "base/path_text.h"
#include "base/request_error.h"
#include "cli/picture_reader.h"
#include "cli/verb.h"
#include "index/collection.h"
#include "index/question_fields.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::filesystem::path index;
  AskedFields asked;
  std::filesystem::path sentences;
  std::filesystem::path first;  // another index, which draws up the shortlist
  bool json = false;
};

// What the user should know about how the question was understood.
void tell(const Answer& answer, const Options& options) {
  for (const Understood& text : answer.texts) {
    const std::string about = answer.texts.size() > 1 || options.asked.sentences.size() > 1
                                  ? fmt::format("'{}': ", text.text)
                                  : "";
    if (options.asked.language.empty()) {
      fmt::print(stderr, "{}language {}{}\n", about, text.language,
                 text.equals.empty() ? std::string()
                                     : fmt::format(", or as well {} (--lang chooses)",
                                                   fmt::join(text.equals, ", ")));
    }
    if (options.asked.translate) fmt::print(stderr, "{}: {}\n", text.language, text.text);
    if (!text.unknown_words.empty()) {
      fmt::print(stderr, "{}unknown to the model: {}\n", about,
                 fmt::join(text.unknown_words, ", "));
    }
    for (const EncodedText::Guess& guess : text.guessed_words) {
      fmt::print(stderr, "{}unknown to the model: {}, read as what it looks like: {}\n", about,
                 guess.word, fmt::join(guess.like, ", "));
    }
  }
}

ordered_json json_of(const Answer& one) {
  ordered_json results = ordered_json::array();
  for (const Found& found : one.found) {
    results.push_back({{"image", found.image},
                       {"file", path_text(found.file)},
                       {"score", shown_score(found.score)}});
    if (!found.taken.empty()) results.back()["taken"] = found.taken;
    if (found.explanation) results.back()["explanation"] = as_json(*found.explanation);
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

void print_text(const std::vector<Answer>& all) {
  for (const Answer& one : all) {
    if (all.size() > 1) fmt::print("{}:\n", one.sentence);
    for (const Found& found : one.found) {
      fmt::print("{:7.4f}  {}  {}\n", found.score, found.image, found.file);
      if (found.explanation) print_explanation(*found.explanation);
    }
    if (one.found.empty()) fmt::print(stderr, "no picture scores that high\n");
  }
}

// The other direction: the lines of a file that fit a picture best.
int print_sentences(const Collection& collection, const Options& options) {
  const AskedFields& asked = options.asked;
  if (asked.pictures.size() + asked.like.size() != 1 || !asked.sentences.empty()) {
    throw RequestError("--sentences with another question than one picture",
                       "--image FILE or --like ID, and no QUERY");
  }
  std::vector<std::string> lines;
  for_each_line(options.sentences, [&](std::string_view line, std::size_t) {
    if (!line.empty()) lines.emplace_back(line);
  });
  const Question::Part picture = shared_question(asked).parts.front();
  const auto hits = collection.best_sentences(picture, lines, asked.language, asked.k);
  ordered_json results = ordered_json::array();
  for (const SentenceHit& hit : hits) {
    results.push_back(
        {{"sentence", hit.text}, {"language", hit.language}, {"score", shown_score(hit.score)}});
    if (!options.json) fmt::print("{:7.4f}  {}  {}\n", hit.score, hit.language, hit.text);
  }
  if (options.json) fmt::print("{}\n", ordered_json{{"results", results}}.dump());
  return 0;
}

// An id may also be given as the name of a file that is no UTF-8.
AskedFields with_ids(AskedFields asked) {
  for (std::string& id : asked.like) {
    if (!is_utf8(id)) id = path_text(id);
  }
  return asked;
}

int run(const Options& options) {
  const AskedFields& asked = options.asked;
  if (asked.asks_nothing()) {
    throw RequestError("nothing to look for", "a QUERY, --image FILE or --like ID");
  }
  if (asked.also_is_of_no_sentence()) {
    throw RequestError("--also without one sentence that it translates", "one QUERY");
  }
  const Collection collection(options.index, {.pictures = picture_opener()});
  if (!options.sentences.empty()) return print_sentences(collection, options);
  std::optional<Collection> first;
  if (!options.first.empty()) first.emplace(options.first);
  if (asked.translate && !collection.facts().translates) {
    throw InputError(options.index, "keeps no translator", "hinny index --translator RUN");
  }
  Question shared = shared_question(asked);
  shared.times = options.json;
  const std::vector<Answer> all = collection.ask(
      asked.sentences, shared, {.translate = asked.translate, .first = first ? &*first : nullptr});
  for (const Answer& one : all) tell(one, options);
  if (!options.json) {
    print_text(all);
    return 0;
  }
  ordered_json json = ordered_json::array();
  for (const Answer& one : all) json.push_back(json_of(one));
  fmt::print("{}\n", all.size() == 1 ? json[0].dump() : json.dump());
  return 0;
}

// The option of one field: its name, help, range and default are the field's.
struct DeclareOption {
  CLI::App& command;
  const QuestionField& field;

  std::string name() const { return std::string(field.option); }
  std::string help() const { return std::string(field.meaning); }
  template <typename Value>
  CLI::Option* add(Value& value) const {
    return command.add_option(name(), value, help());
  }

  void operator()(std::vector<std::string>& texts) const {
    CLI::Option* option = add(texts);
    if (option->get_positional()) {
      option->default_str("");
    } else {
      option->expected(1)->take_all();
    }
  }
  void operator()(std::string& text) const { add(text); }
  void operator()(bool& flag) const { command.add_flag(name(), flag, help()); }
  void operator()(double& bound) const { add(bound)->default_str(""); }
  void operator()(float& weight) const {
    const auto& [least, most] = field.on_command_line;
    add(weight)->check(CLI::Range(least, most));
  }
  void operator()(std::size_t& count) const {
    const auto& [least, most] = field.on_command_line;
    add(count)->check(CLI::Range(static_cast<int>(least), static_cast<int>(most)));
  }
  void operator()(std::vector<GivenPicture>& pictures) const {
    const auto take = [&pictures](const std::vector<std::string>& files) {
      for (const std::string& file : files) pictures.emplace_back(PictureFile{file});
    };
    command.add_option_function<std::vector<std::string>>(name(), take, help())
        ->expected(1)
        ->take_all();
  }
};

std::function<int()> declare_search(CLI::App& command) {
  const auto options = std::make_shared<Options>();
  command.add_option("INDEX", options->index, "folder that `hinny index` wrote")->required();
  for (const QuestionField& field : question_fields()) {
    std::visit(
        [&](const auto member) {
          DeclareOption{command, field}(options->asked.*member);
        },
        field.member);
  }
  command
      .add_option("--sentences", options->sentences,
                  "a text file: print its lines that fit the picture best instead of pictures")
      ->default_str("");
  command
      .add_option("--first", options->first,
                  "index of another model, of the same pictures, which says which pictures "
                  "--rerank compares (default: this index's own vectors)")
      ->default_str("");
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
  return [options] {
    options->asked = with_ids(std::move(options->asked));
    return run(*options);
  };
}

const RegisterVerb registered{"search", declare_search};

}  // namespace
}  // namespace hinny
