#include "postgres/postgres_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <mutex>
#include <utility>
#include <vector>

#include "base/path_text.h"
#include "base/request_error.h"
#include "postgres/connection.h"
#include "postgres/question_sql.h"
#include "postgres/table.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// "2024-06-15 10:30:00" or with parts of a second, which nobody asked for.
constexpr std::size_t kTimeText = 19;

double number_in(std::string_view text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Several connections, for threads that come and go.
class Connections {
 public:
  Connections(std::string address, std::chrono::milliseconds patience, std::string settings)
      : address_(std::move(address)), patience_(patience), settings_(std::move(settings)) {}

  // Calls use(connection) on one that is idle, or on a new one. One that proves to be lost, because
  // the server was started anew since, is replaced once.
  template <typename Use>
  auto with(const Use& use) const {
    if (auto idle = take()) {
      try {
        return give_back_after(std::move(idle), use);
      } catch (const ConnectionLost&) {
        const std::lock_guard guard(lock_);
        idle_.clear();
      }
    }
    return give_back_after(open(), use);
  }

  std::unique_ptr<Connection> open() const {
    auto fresh =
        std::make_unique<Connection>(address_, Connection::Options{patience_, true, false});
    if (!settings_.empty()) fresh->run(settings_);
    return fresh;
  }

 private:
  std::unique_ptr<Connection> take() const {
    const std::lock_guard guard(lock_);
    if (idle_.empty()) return nullptr;
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
  }

  template <typename Use>
  auto give_back_after(std::unique_ptr<Connection> connection, const Use& use) const {
    auto result = use(*connection);
    const std::lock_guard guard(lock_);
    idle_.push_back(std::move(connection));
    return result;
  }

  std::string address_;
  std::chrono::milliseconds patience_;
  std::string settings_;
  mutable std::mutex lock_;  // of idle_
  mutable std::vector<std::unique_ptr<Connection>> idle_;
};

TableFacts facts_of(Connection& connection, const SqlTemplate::Names& names,
                    const std::string& table, bool first = false) {
  auto facts = first ? read_facts(connection, names) : read_line(connection, names);
  if (facts) return *std::move(facts);
  throw InputError(
      fmt::format("{} has no table '{}' that hinny push wrote", connection.where(), table),
      "?table=NAME of one that it did write");
}

class PostgresEngine : public Engine {
 public:
  PostgresEngine(const PostgresAddress& address, PostgresOptions options)
      : options_(std::move(options)),
        table_(address.table),
        connections_(address.connection, options_.patience, options_.sql.fill("session", {})) {
    names_ = connections_.with([&](Connection& connection) {
      auto names = names_of(connection, table_);
      const TableFacts facts = facts_of(connection, names, table_, true);
      if (!options_.pictures) options_.pictures = path_from_text(facts.pictures);
      add_names_of(facts, names);
      return names;
    });
  }

  Facts facts() const override {
    const TableFacts facts = connections_.with(
        [&](Connection& connection) { return facts_of(connection, names_, table_); });
    return {facts.images, facts.times};
  }

  std::vector<Found> nearest(const Query& query, const Question& shared,
                             std::span<const std::string> known) const override {
    return connections_.with([&](Connection& connection) {
      const TableFacts facts = facts_of(connection, names_, table_);
      check(query, shared, facts);
      return found_by(connection, query, shared, known, facts);
    });
  }

  std::vector<float> vector(const std::string& image) const override {
    return connections_.with([&](Connection& connection) {
      const TableFacts facts = facts_of(connection, names_, table_);
      std::vector<float> numbers = numbers_in(of_image(connection, "vector", image));
      if (numbers.size() != facts.columns || numbers.size() < (facts.corrected ? 2 : 1)) {
        throw InputError(
            fmt::format("table '{}': the vector of '{}' has {} numbers", table_, image,
                        numbers.size()),
            fmt::format("{}, as its collection says: push the index again", facts.columns));
      }
      if (facts.corrected) numbers.pop_back();
      return numbers;
    });
  }

  std::string file(const std::string& image) const override {
    return connections_.with(
        [&](Connection& connection) { return file_below(of_image(connection, "file", image)); });
  }

 private:
  void check(const Query& query, const Question& shared, const TableFacts& facts) const {
    if (query.model != facts.model) {
      throw InputError(
          fmt::format("table '{}' holds vectors of another model ({})", table_, facts.model),
          fmt::format("those of {}: push its index again", query.model));
    }
    const bool times =
        shared.filter.since || shared.filter.until || shared.order == Question::Order::time;
    if (times && !facts.times) {
      throw RequestError("this table does not know when its pictures were taken",
                         "one of a folder of pictures (hinny index --pictures)");
    }
  }

  std::vector<Found> found_by(Connection& connection, const Query& query, const Question& shared,
                              std::span<const std::string> known, const TableFacts& facts) const {
    std::vector<float> row = query.vector;
    if (facts.corrected) row.push_back(query.corrected ? 1.0F : 0.0F);
    const bool corrected = facts.corrected && query.corrected;
    const bool newest = shared.order == Question::Order::time && shared.has_least_score();
    Conditions conditions({vector_text(row), std::to_string(shared.k)});
    conditions.add(shared.filter, *options_.pictures, known);
    if (newest) conditions.add_least_score(shared.min_score, name_of(facts.type), corrected);
    auto names = names_;
    names["filter"] = conditions.text();
    const auto ask = [&](const char* part) {
      return connection.query(options_.sql.fill(part, names), conditions.parameters());
    };
    if (newest) return found_in(ask("newest"), shared, corrected);
    const Rows rows = ask("nearest");
    const bool all = static_cast<std::size_t>(rows.count()) >= std::min(shared.k, facts.images);
    std::vector<Found> found = found_in(all ? rows : ask("nearest_of_few"), shared, corrected);
    if (shared.order == Question::Order::time) {
      std::ranges::stable_sort(found, std::ranges::greater(), &Found::taken);
    }
    return found;
  }

  std::vector<Found> found_in(const Rows& rows, const Question& shared, bool corrected) const {
    std::vector<Found> found;
    for (int i = 0; i < rows.count(); ++i) {
      const std::string below(rows.text(i, 1));
      const double correction = corrected ? number_in(rows.text(i, 3)) : 0;
      const double score = -number_in(rows.text(i, 4)) - correction;
      if (score < shared.min_score) continue;
      Found& one = found.emplace_back(
          Found{std::string(rows.text(i, 0)), file_below(below), static_cast<float>(score)});
      if (!rows.is_null(i, 2)) one.taken = rows.text(i, 2).substr(0, kTimeText);
      if (shared.details) one.below = path_from_text(below);
    }
    return found;
  }

  std::string of_image(Connection& connection, const char* part, const std::string& image) const {
    const std::vector<Connection::Parameter> id = {image};
    const Rows rows = connection.query(options_.sql.fill(part, names_), id);
    if (rows.count() == 0) throw UnknownImage(image);
    return std::string(rows.text(0, 0));
  }

  // Whoever may write to the table may not have other files shown.
  std::string file_below(const std::string& text) const {
    const fs::path below = fs::path(path_from_text(text)).lexically_normal();
    if (below.empty() || below.is_absolute() || *below.begin() == "..") return "";
    return options_.pictures->empty() ? "" : (*options_.pictures / below).string();
  }

  SqlTemplate::Names names_;
  PostgresOptions options_;
  std::string table_;
  Connections connections_;
};

}  // namespace

std::unique_ptr<Engine> open_postgres(const PostgresAddress& address, PostgresOptions options) {
  return std::make_unique<PostgresEngine>(address, std::move(options));
}

std::filesystem::path pushed_index(const PostgresAddress& address,
                                   std::chrono::milliseconds patience) {
  Connection connection(address.connection, {patience, true, false});
  const auto names = names_of(connection, address.table);
  return path_from_text(facts_of(connection, names, address.table, true).index_folder);
}

}  // namespace hinny
