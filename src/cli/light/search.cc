// hinny search: sentences, pictures or both -> pictures of an index.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/lines.h"
#include "base/path_text.h"
#include "base/request_error.h"
#include "base/terminal_text.h"
#include "base/utf8.h"
#include "cli/json_output.h"
#include "cli/light/search_answers.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "index/asking/collection.h"
#include "index/asking/filter.h"
#include "index/asking/question_fields.h"
#include "index/folder/index.h"
#include "postgres/address.h"
#include "postgres/postgres_engine.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

struct SearchOptions {
  std::filesystem::path index;
  AskedFields asked;
  std::filesystem::path sentences;
  std::filesystem::path first;  // another index, which draws up the shortlist
  std::string database;         // where the pictures are looked for; "": in the index
  std::size_t deadline = 10;    // seconds for each of its answers
  bool json = false;
};

// The index reads the question; without one, that which was pushed to the table. Then what stands
// in its place is a question.
std::shared_ptr<const Engine> open_database(SearchOptions& options) {
  const PostgresAddress address = parse_table_address(options.database);
  const std::chrono::seconds patience(options.deadline);
  if (!std::filesystem::is_directory(options.index)) {
    auto& sentences = options.asked.sentences;
    if (!options.index.empty()) sentences.insert(sentences.begin(), options.index.string());
    options.index = pushed_index(address, patience);
    if (!std::filesystem::is_directory(options.index)) {
      throw InputError(options.index, "the index that was pushed is not on this machine",
                       "an INDEX of its model before the QUERY");
    }
  }
  return open_postgres(address, {patience});
}

// The other direction: the lines of a file that fit a picture best.
int print_sentences(const Collection& collection, const SearchOptions& options) {
  const AskedFields& asked = options.asked;
  if (asked.pictures.size() + asked.like.size() != 1) {
    throw RequestError("--sentences with another question than one picture",
                       "--image FILE or --like ID");
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
    if (!options.json) print_line(stdout, "{:7.4f}  {}  {}\n", hit.score, hit.language, hit.text);
  }
  if (options.json) put_json(ordered_json{{"results", results}});
  return 0;
}

// An id may also be given as the name of a file that is no UTF-8.
AskedFields with_ids(AskedFields asked) {
  for (std::string& id : asked.like) {
    if (!is_utf8(id)) id = path_text(id);
  }
  return asked;
}

int run_search(SearchOptions& options) {
  const AskedFields& asked = options.asked;
  std::shared_ptr<const Engine> engine;
  if (!options.database.empty()) engine = open_database(options);
  if (options.index.empty()) throw InputError("no INDEX", "a folder that `hinny index` wrote");
  if (asked.asks_nothing()) {
    throw RequestError("nothing to look for", "a QUERY, --image FILE or --like ID");
  }
  if (asked.also_is_of_no_sentence()) {
    throw RequestError("--also without one sentence that it translates", "one QUERY");
  }
  if (asked.translate && asked.sentences.empty()) {
    throw RequestError("--translate has no effect without a QUERY", "a QUERY to translate");
  }
  if (!asked.language.empty() && asked.says_nothing() && options.sentences.empty()) {
    throw RequestError("--lang has no effect without a sentence", "no --lang, or a QUERY");
  }
  const Collection collection(options.index, {.pictures = open_picture_reader, .engine = engine});
  if (!options.sentences.empty()) return print_sentences(collection, options);
  std::optional<Collection> first;
  if (!options.first.empty()) first.emplace(options.first);
  if (asked.translate && !collection.facts().translates) {
    throw InputError(options.index, "keeps no translator", "hinny index --translator RUN");
  }
  if (const auto index = collection.index();
      asked.rerank > 0 && index->regions() <= 1 && index->reranker() == nullptr) {
    throw InputError(
        options.index,
        "--rerank has no effect on an index without regions and without a re-ranking model",
        "no --rerank, or an index of a model that compares regions (docs/recipes.md)");
  }
  Question shared = shared_question(asked);
  shared.details = options.json || shared.order == Question::Order::time;
  const std::vector<Answer> all = collection.ask(
      asked.sentences, shared, {.translate = asked.translate, .first = first ? &*first : nullptr});
  for (const Answer& one : all) tell_how_understood(one, asked);
  tell_poor_fit(all);
  const bool any_empty =
      std::ranges::any_of(all, [](const Answer& one) { return one.found.empty(); });
  if (any_empty) {
    tell_why_empty(all, engine ? "" : why_nothing(*collection.index(), shared.filter));
  }
  if (!options.json) {
    print_answers(all, asked);
    return 0;
  }
  ordered_json json = ordered_json::array();
  for (const Answer& one : all) json.push_back(answer_json(one));
  put_json(all.size() == 1 ? json[0] : json);
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

  CLI::Option* operator()(std::vector<std::string>& texts) const {
    CLI::Option* option = add(texts);
    if (option->get_positional()) return option->default_str("");
    return option->expected(1)->take_all();
  }
  CLI::Option* operator()(std::string& text) const {
    CLI::Option* option = add(text);
    const std::vector<std::string> choices(field.choices.begin(), field.choices.end());
    if (!choices.empty()) option->check(CLI::IsMember(choices));
    return option;
  }
  CLI::Option* operator()(bool& flag) const { return command.add_flag(name(), flag, help()); }
  CLI::Option* operator()(double& bound) const { return add(bound)->default_str(""); }
  CLI::Option* operator()(float& weight) const {
    const auto& [least, most] = field.on_command_line;
    return add(weight)->check(CLI::Range(least, most));
  }
  CLI::Option* operator()(std::size_t& count) const {
    const auto& [least, most] = field.on_command_line;
    return add(count)->check(CLI::Range(static_cast<int>(least), static_cast<int>(most)));
  }
  CLI::Option* operator()(std::vector<GivenPicture>& pictures) const {
    const auto take = [&pictures](const std::vector<std::string>& files) {
      for (const std::string& file : files) pictures.emplace_back(PictureFile{file});
    };
    return command.add_option_function<std::vector<std::string>>(name(), take, help())
        ->expected(1)
        ->take_all();
  }
};

// A folder, and a database: each may be given.
CLI::Option* declare_in(CLI::App& command, const QuestionField& field, SearchOptions& options) {
  const auto take = [&options](const std::vector<std::string>& places) {
    for (const std::string& place : places) {
      (is_postgres_address(place) ? options.database : options.asked.folder) = place;
    }
  };
  return command
      .add_option_function<std::vector<std::string>>(
          std::string(field.option), take,
          fmt::format("{}; or in this table of a database that hinny push filled: "
                      "postgresql://USER@HOST/DATABASE?table=NAME",
                      field.meaning))
      ->expected(1)
      ->take_all()
      ->default_str("");
}

CLI::Option* declare_field(CLI::App& command, const QuestionField& field, SearchOptions& options) {
  if (field.member == QuestionField::Member(&AskedFields::folder)) {
    return declare_in(command, field, options);
  }
  return std::visit(
      [&](const auto member) {
        return DeclareOption{command, field}(options.asked.*member);
      },
      field.member);
}

std::function<int()> declare_search(CLI::App& command) {
  const auto options = std::make_shared<SearchOptions>();
  Modes modes(command);
  const auto in_database = [options] { return !options->database.empty(); };
  const Modes::Set sentences_there = modes.with("--sentences --in DATABASE", in_database),
                   sentences = modes.with("--sentences") | sentences_there,
                   there = modes.with("--in DATABASE", in_database),
                   here = modes.otherwise("in a search of an index's folder"),
                   pictures = here | there;
  command.add_option("INDEX", options->index,
                     "folder that `hinny index` wrote; with a database, it reads the question");
  for (const QuestionField& field : question_fields()) {
    CLI::Option* option = declare_field(command, field, *options);
    auto acts = modes.acts(option);
    if (!field.beside.empty()) acts.beside(field.beside);
    if (field.member == QuestionField::Member(&AskedFields::folder)) {
      acts.in(pictures | sentences_there);
    } else if (!field.asks_for_sentences) {
      acts.in(field.of_folder ? here : pictures);
    }
  }
  auto* deadline =
      command
          .add_option("--deadline", options->deadline, "seconds that a database may take to answer")
          ->check(CLI::Range(1, 86'400));
  modes.acts(deadline).in(there | sentences_there);
  auto* lines =
      command
          .add_option("--sentences", options->sentences,
                      "a text file: print its lines that fit the picture best instead of pictures")
          ->default_str("");
  modes.acts(lines).in(sentences);
  auto* first =
      command
          .add_option("--first", options->first,
                      "index of another model, of the same pictures, which says which pictures "
                      "--rerank compares (default: this index's own vectors)")
          ->default_str("");
  modes.acts(first).in(here);
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
      "  hinny search photos \"a dog\" --min-score 0.3 --sort time --near-copies\n"
      "  hinny search --in \"postgresql://me@db.example.org/photos?table=photos\" \"ein Hund\"\n"
      "  hinny search photos \"at night\" --image street.jpg --not \"a car\"");
  return [options] {
    options->asked = with_ids(std::move(options->asked));
    return run_search(*options);
  };
}

const RegisterVerb search_verb{"search", declare_search};

}  // namespace
}  // namespace hinny
