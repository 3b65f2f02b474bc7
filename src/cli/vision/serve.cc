// hinny serve: an index behind HTTP, and a page to ask it on; or a model alone, for vectors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/archive_name.h"
#include "base/error.h"
#include "base/folder_name.h"
#include "base/interrupt.h"
#include "base/terminal_text.h"
#include "base/text_file.h"
#include "base/threads.h"
#include "cli/modes.h"
#include "cli/verb.h"
#include "index/bundle/bundle.h"
#include "index/folder/index.h"
#include "postgres/address.h"
#include "postgres/postgres_engine.h"
#include "server/api.h"
#include "server/collection_watch.h"
#include "server/embedding_api.h"
#include "server/http_server.h"
#include "server/index_names.h"
#include "server/listener.h"
#include "vision/decoding_memory.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr int kMostDecodingWait = 10;  // seconds, for others to give back memory

struct ServeOptions {
  std::vector<std::string> given;  // indexes, each NAME=FOLDER or a folder; or a model
  std::vector<fs::path> networks;
  std::string host = "127.0.0.1";
  int port = 8080;
  fs::path key_file;
  std::size_t queue = 64;
  std::size_t body_mib = 16;
  std::size_t cache_mib = 64;
  bool quiet = false;
  std::string database;       // that holds the pictures' vectors; "": the index does
  std::size_t deadline = 10;  // seconds for each of its answers
  int workers = 1;            // requests at once
};

CollectionOptions collection_options(const ServeOptions& options, const fs::path& index) {
  CollectionOptions how = served_collection();
  if (options.database.empty()) return how;
  const PostgresAddress address = parse_table_address(options.database);
  // Which files are shown is for this machine to say, not for the table.
  how.engine =
      open_postgres(address, {std::chrono::seconds(options.deadline), Index::open(index).root()});
  return how;
}

// One line of 16 or more printable characters.
std::string read_key(const fs::path& file) {
  constexpr std::size_t kLeast = 16;
  std::string key = read_text(file, 4096);
  while (key.ends_with('\n') || key.ends_with('\r')) key.pop_back();
  const bool fit = std::ranges::all_of(key, [](char c) { return c > ' ' && c <= '~'; });
  if (!fit || key.size() < kLeast) {
    throw InputError(file, "no usable key",
                     "one line of at least 16 characters, no space: openssl rand -hex 32");
  }
  return key;
}

// A model's folder or archive, and no index.
bool is_model(const fs::path& path) {
  return fs::is_regular_file(path) ||
         (fs::exists(path / kConfigFile) && !fs::exists(path / kContentsFile));
}

// "photo-model" of models/photo-model.tar.gz.
std::string model_name(const fs::path& path) {
  return name_without_archive_ending(without_slash(fs::absolute(path).lexically_normal()));
}

// Answers until it is told to stop. `what`: is served.
void run_server(const ServeOptions& options, const Exchange::FindRoute& find, Metrics& metrics,
                const std::string& what) {
  HttpLimits limits;
  limits.workers = options.workers;
  limits.waiting = options.queue;
  limits.body_bytes = options.body_mib << 20U;
  limits.memory = std::max(limits.memory, 4 * limits.body_bytes);
  const Exchange exchange(find, metrics, !options.quiet);
  HttpServer server(options.host, options.port, limits, metrics,
                    [&](const HttpRequest& request) { return exchange.answer(request); });
  const bool six = options.host.find(':') != std::string::npos;
  print_line(stderr, "serving {} on http://{}:{}/\n", what,
             six ? "[" + options.host + "]" : options.host, server.port());
  server.run(interrupted);
  print_line(stderr, "stopped\n");
}

// An index, open, and what follows its folder.
struct Served {
  Served(const NamedFolder& named, CollectionOptions options, Metrics& metrics)
      : name(named.name),
        collection(named.folder, std::move(options)),
        watch(collection, named.folder, metrics.add_index(named.name)) {}
  std::string name;
  Collection collection;
  CollectionWatch watch;
};

std::string what_is_served(const std::list<Served>& all) {
  std::vector<std::string> each;
  for (const Served& one : all) {
    const std::string pictures = fmt::format("{} pictures", one.collection.facts().images);
    each.push_back(all.size() == 1 ? pictures : fmt::format("{} ({})", one.name, pictures));
  }
  return fmt::format("{}", fmt::join(each, ", "));
}

void serve_indexes(const ServeOptions& options, const std::string& key) {
  if (!options.database.empty() && options.given.size() > 1) {
    throw InputError("--in with several indexes", "one, whose pictures are in that table");
  }
  set_thread_count(1);  // the workers are the threads: one for each request
  Metrics metrics;
  std::list<Served> all;
  std::vector<NamedIndex> indexes;
  for (const NamedFolder& named : named_folders(options.given)) {
    const Served& one = all.emplace_back(named, collection_options(options, named.folder), metrics);
    indexes.push_back({one.name, one.collection});
  }
  Api api(std::move(indexes), metrics, {key, options.queue, options.cache_mib << 20U});
  run_server(
      options, [&](const HttpRequest& request) { return api.find(request); }, metrics,
      what_is_served(all));
}

void serve_model(const fs::path& model, const ServeOptions& options, const std::string& key) {
  const std::string name = model_name(model);
  with_model_folder(model, [&](const fs::path& folder) {
    Metrics metrics;
    const Embedder embedder(folder, options.networks);
    EmbeddingApi api(embedder, metrics, {name, key, options.queue});
    run_server(
        options, [&](const HttpRequest& request) { return api.find(request); }, metrics,
        fmt::format("the model {} ({} numbers a vector)", name, embedder.config().dim));
  });
}

int serve(ServeOptions options, const Modes& modes, Modes::Set index, Modes::Set model) {
  const auto first_model = std::ranges::find_if(options.given, is_model);
  const bool alone = first_model != options.given.end();
  if (alone && options.given.size() > 1) {
    throw InputError(fmt::format("{} is a model, among others", *first_model),
                     "indexes, or one model alone");
  }
  modes.settle(alone ? model : index);
  std::string key;
  if (!options.key_file.empty()) key = read_key(options.key_file);
  if (key.empty() && !is_loopback(options.host)) {
    throw InputError(fmt::format("--host {} lets other machines in", options.host),
                     "--api-key-file FILE with it, or a loopback address");
  }
  options.workers = thread_count();
  set_decoding_wait(std::chrono::seconds(kMostDecodingWait));
  if (alone) {
    serve_model(options.given.front(), options, key);
  } else {
    serve_indexes(options, key);
  }
  return 0;
}

std::function<int()> declare_serve(CLI::App& command) {
  const auto options = std::make_shared<ServeOptions>();
  Modes modes(command);
  const Modes::Set index = modes.otherwise("for an index"),
                   model = modes.found("for a model without an index");
  command
      .add_option("INDEX", options->given,
                  "folder that `hinny index` wrote, or several, each called by its folder's name "
                  "or as in NAME=FOLDER; or a model (a bundle, its archive, a run folder) to turn "
                  "sentences and pictures into vectors")
      ->required()
      ->default_str("")
      ->envname("HINNY_INDEX");
  command.add_option("--host", options->host, "address to listen on")->envname("HINNY_HOST");
  command.add_option("--port", options->port, "0 takes a free one")
      ->check(CLI::Range(0, 65535))
      ->envname("HINNY_PORT");
  command
      .add_option("--api-key-file", options->key_file,
                  "a file with the key that requests must carry; others than this machine are "
                  "served only with one")
      ->envname("HINNY_API_KEY_FILE")
      ->default_str("");
  command.add_option("--queue", options->queue, "requests that may wait; more are answered 503")
      ->check(CLI::Range(1, 100000))
      ->envname("HINNY_QUEUE");
  command.add_option("--max-body", options->body_mib, "MiB of a request, a picture with it")
      ->check(CLI::Range(1, 64))
      ->envname("HINNY_MAX_BODY");
  auto* cache =
      command.add_option("--cache", options->cache_mib, "MiB of thumbnails kept in memory")
          ->check(CLI::Range(0, 65536))
          ->envname("HINNY_CACHE");
  modes.acts(cache).in(index);
  auto* network =
      command
          .add_option("--network", options->networks,
                      "FILE.onnx that made a run's features, with its sidecar beside it; several "
                      "in the order of the features")
          ->expected(1)
          ->take_all();
  modes.acts(network).in(model);
  auto* in =
      command
          .add_option(
              "--in", options->database,
              "postgresql://USER@HOST/DATABASE?table=NAME: a table that hinny push filled; the "
              "index reads the questions and says where the pictures' files are")
          ->envname("HINNY_IN")
          ->default_str("");
  modes.acts(in).in(index);
  auto* deadline =
      command
          .add_option("--deadline", options->deadline, "seconds that a database may take to answer")
          ->check(CLI::Range(1, 86'400));
  modes.acts(deadline).in(index).beside({"--in"});
  command.add_flag("--quiet", options->quiet, "no line for each request on stderr")
      ->envname("HINNY_QUIET");
  command.footer(
      "--threads is how many requests are worked on at once. A changed index is taken up within "
      "a second. Of several indexes the first is asked where an address names none.\nThe API: "
      "docs/http-api.md, of a model docs/embeddings.md, or /openapi.json of "
      "the running server.\n\n"
      "example:\n  hinny serve photos\n  hinny serve photos summer=holidays/2024\n  hinny serve "
      "photo-model.tar.gz\n"
      "  hinny serve photos --host 0.0.0.0 --api-key-file key.txt\n"
      "  hinny serve photos --in \"postgresql://me@db.example.org/photos?table=photos\"");
  return [options, modes, index, model] { return serve(*options, modes, index, model); };
}

const RegisterVerb serve_verb{"serve", declare_serve};

}  // namespace
}  // namespace hinny
