// A collection in PostgreSQL beside the index's own scan and graph (docs/postgres.md).
//   bench_postgres make DIR               writes an index of a million made-up vectors of 512
//   numbers
//                                         (HINNY_BENCH_ROWS: fewer), of a model that knows nothing,
//                                         and DIR/queries.npy, 64 vectors near some of them
//   bench_postgres ask DIR ADDRESS [SQL]  recall@10 against a search in full, and milliseconds; SQL
//                                         is a changed template
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "base/npy.h"
#include "base/threads.h"
#include "bench/collection.h"
#include "encoder/model_fixture.h"
#include "index/folder/write_index.h"
#include "postgres/postgres_engine.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHits = 10;

void make(const fs::path& folder) {
  constexpr std::int64_t kDim = kCollectionDim;
  ModelFixture fixture;
  fixture.config["dim"] = kDim;
  fixture.add("image.out.weight", {kDim, 19});
  fixture.add("image.out.bias", {kDim});
  for (const char* language : {"de", "en"}) {
    fixture.add(std::string("text_") + language + ".fc.weight", {kDim, 5});
    fixture.add(std::string("text_") + language + ".fc.bias", {kDim});
  }
  fixture.write(folder / "encoder");
  const DrawnVectors collection(collection_rows());
  IndexContents contents;
  contents.model = model_hash(folder / "encoder");
  contents.dim = kCollectionDim;
  contents.spaces = {"image"};
  contents.split = "all";
  contents.features = "f";
  for (std::size_t i = 0; i < collection_rows(); ++i) {
    contents.images.push_back(fmt::format("picture-{}", i));
  }
  contents.files = contents.digests = NameList(std::vector<std::string>(collection_rows()));
  write_index(
      contents,
      [&](const std::string&, std::size_t first, std::span<float> out) {
        std::ranges::copy_n(
            collection.vectors.begin() + static_cast<std::ptrdiff_t>(first * kCollectionDim),
            static_cast<std::ptrdiff_t>(out.size()), out.begin());
      },
      {}, {}, Graphs::where_worth, folder);
  write_npy(folder / kQueriesFile, collection.queries, {kQueries, kDim});
}

using Search = std::function<std::vector<std::string>(const Query&)>;

void measure(const char* name, std::span<const Query> queries,
             std::span<const std::set<std::string>> best, const Search& search) {
  for (const Query& query : queries) search(query);  // what is read once is read
  std::vector<double> milliseconds;
  double right = 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const auto start = std::chrono::steady_clock::now();
    const auto found = search(queries[q]);
    milliseconds.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count());
    for (const std::string& image : found) right += best[q].contains(image) ? 1 : 0;
  }
  std::ranges::sort(milliseconds);
  const std::size_t count = milliseconds.size();
  fmt::print("{:<10} recall@10 {:.3f}  median {:.2f} ms  90 of 100 below {:.2f} ms\n", name,
             right / static_cast<double>(count * kHits), milliseconds[count / 2],
             milliseconds[count * 9 / 10]);
}

void ask(const fs::path& folder, const std::string& address, const char* sql) {
  set_thread_count(1);
  const Index scan = Index::open(folder);
  const Index graph = Index::open(folder, Method::graph);
  PostgresOptions options;
  if (sql != nullptr) options.sql = SqlTemplate(sql);
  const auto engine = open_postgres(parse_postgres_address(address), options);
  const std::string& space = scan.contents().spaces.front();
  const NpyArray asked = NpyArray::open(folder / kQueriesFile);
  std::vector<Query> queries;
  std::vector<std::set<std::string>> best;
  const RowMask everything(scan.size(), true);
  const auto ids = [&](const std::vector<Hit>& hits) {
    std::vector<std::string> images;
    for (const Hit& hit : hits) images.emplace_back(scan.id(hit.image));
    return images;
  };
  for (std::int64_t q = 0; q < asked.rows(); ++q) {
    Query query{scan.contents().model, space, std::vector<float>(kCollectionDim), false, {}};
    asked.row(q, query.vector);
    const auto images = ids(scan.search({&query, 1}, kHits, &everything).front());
    best.emplace_back(images.begin(), images.end());
    queries.push_back(std::move(query));
  }
  measure("scan", queries, best,
          [&](const Query& query) { return ids(scan.search(query, kHits)); });
  measure("graph", queries, best,
          [&](const Query& query) { return ids(graph.search(query, kHits)); });
  measure("postgres", queries, best, [&](const Query& query) {
    std::vector<std::string> images;
    Question question;
    question.k = kHits;
    for (const Found& found : engine->nearest(query, question, {})) images.push_back(found.image);
    return images;
  });
}

}  // namespace
}  // namespace hinny

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  try {
    if (verb == "make" && argc == 3) {
      hinny::make(argv[2]);
    } else if (verb == "ask" && (argc == 4 || argc == 5)) {
      hinny::ask(argv[2], argv[3], argc == 5 ? argv[4] : nullptr);
    } else {
      fmt::print(stderr, "usage: {0} make DIR | {0} ask DIR ADDRESS [SQL]\n", argv[0]);
      return 2;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
