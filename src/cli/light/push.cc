// hinny push: an index -> a table of a database.
#include "postgres/push.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/terminal_text.h"
#include "cli/json_output.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "index/folder/index.h"

namespace hinny {
namespace {

struct PushArguments {
  std::filesystem::path index;
  std::string address;
  std::string table;
  std::string type = "halfvec";
  std::filesystem::path sql;
  std::size_t memory_mib = 2048;
  std::size_t deadline = 60;
  std::vector<std::string> servers;
  bool print_sql = false;
  bool json = false;
};

void print(const PushArguments& options, const std::string& table, const PushDone& done) {
  if (options.json) {
    put_json(nlohmann::ordered_json{{"added", done.added},
                                    {"changed", done.changed},
                                    {"removed", done.removed},
                                    {"kept", done.kept},
                                    {"sent", done.sent},
                                    {"sending_seconds", done.sending},
                                    {"indexing_seconds", done.indexing}});
    return;
  }
  print_line(stdout, "{}: {} added, {} changed, {} removed, {} as they were\n", table, done.added,
             done.changed, done.removed, done.kept);
  if (done.sending + done.indexing < 1) return;
  print_line(stderr, "{} rows sent in {:.1f} s ({:.0f} a second), made searchable in {:.1f} s\n",
             done.sent, done.sending,
             static_cast<double>(done.sent) / std::max(done.sending, 0.001), done.indexing);
}

int run_push(const PushArguments& options) {
  if (options.print_sql) {
    fmt::print("{}", SqlTemplate::text());
    return 0;
  }
  if (options.index.empty() || options.address.empty()) {
    throw InputError("no index or no address to push it to",
                     "hinny push INDEX postgresql://USER@HOST/DATABASE --table NAME");
  }
  PostgresAddress address = parse_postgres_address(options.address);
  if (!options.table.empty()) {
    check_table_name(options.table);
    if (!address.table.empty() && address.table != options.table) {
      throw InputError(fmt::format("tables '{}' and '{}'", address.table, options.table), "one");
    }
    address.table = options.table;
  }
  if (address.table.empty()) throw InputError("no table", "--table NAME");
  PushOptions how{vector_type(options.type), options.memory_mib << 20U,
                  std::chrono::seconds(options.deadline)};
  how.servers = options.servers;
  if (!options.sql.empty()) how.sql = SqlTemplate(options.sql);
  const Index index = Index::open(options.index);
  print(options, address.table, push_index(index, address, how));
  return 0;
}

std::function<int()> declare_push(CLI::App& command) {
  const auto options = std::make_shared<PushArguments>();
  Modes modes(command);
  modes.with("--print-sql");
  const Modes::Set push = modes.otherwise("in a push");
  const auto pushing = [&](const CLI::Option* option) { modes.acts(option).in(push); };
  pushing(command.add_option("INDEX", options->index, "folder that `hinny index` wrote"));
  pushing(command.add_option("ADDRESS", options->address, "postgresql://USER@HOST:PORT/DATABASE"));
  pushing(command.add_option("--table", options->table, "NAME or SCHEMA.NAME of the table")
              ->default_str(""));
  pushing(command.add_option("--type", options->type,
                             "halfvec: numbers of two bytes; vector: of four"));
  pushing(command
              .add_option("--servers", options->servers,
                          "spread a new table's rows over these servers, whose addresses, with "
                          "commas between, are as the server at ADDRESS sees them; that one alone "
                          "is asked later")
              ->delimiter(',')
              ->expected(1)
              ->take_all()
              ->default_str(""));
  pushing(command
              .add_option("--template", options->sql,
                          "a file with changed parts of the SQL that --print-sql shows")
              ->default_str(""));
  pushing(command
              .add_option("--memory", options->memory_mib,
                          "MiB that the server may take to make its index; more than the graph "
                          "needs is not taken")
              ->check(CLI::Range(64, 1'000'000)));
  pushing(command.add_option("--deadline", options->deadline, "seconds that each answer may take")
              ->check(CLI::Range(1, 86'400)));
  command.add_flag("--print-sql", options->print_sql, "print the SQL that Hinny sends, and exit")
      ->always_capture_default(false);
  pushing(command.add_flag("--json", options->json, "print the counts as JSON")
              ->always_capture_default(false));
  command.footer(
      "The same command again sends what has changed since, and after an interruption goes on. "
      "Searches of the table see the old rows until all new ones are there.\n"
      "A password belongs in PGPASSWORD or ~/.pgpass. More: docs/postgres.md\n\n"
      "example:\n  hinny push mine postgresql://me@db.example.org/photos --table photos\n"
      "  hinny search --in \"postgresql://me@db.example.org/photos?table=photos\" \"ein Hund\"");
  return [options] { return run_push(*options); };
}

const RegisterVerb push_verb{"push", declare_push};

}  // namespace
}  // namespace hinny
