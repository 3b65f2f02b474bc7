#include "postgres/push.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "postgres/connection.h"
#include "postgres/parts.h"
#include "postgres/question_sql.h"
#include "postgres/rows.h"

namespace hinny {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPart = std::size_t{1} << 20U;  // bytes handed to libpq at once
constexpr std::size_t kBatch = std::size_t{256}
                               << 20U;  // bytes of one COPY: what is sent once more
constexpr std::size_t kIdsAtOnce = 10'000;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One push, from its connection to its end.
class Push {
 public:
  Push(const Index& index, const PostgresAddress& address, const PushOptions& options)
      : options_(options),
        address_(address),
        rows_(index, options.type),
        connection_(address.connection, for_push(options)),
        names_(names_of(connection_, address.table)) {
    add_names_of(rows_.facts(), names_);
    parts_ = parts_of(connection_, address.table, options.servers);
    names_["memory"] = connection_.literal(fmt::format("{}kB", memory() >> 10U));
  }

  PushDone run() {
    lock();
    connection_.run(options_.sql.fill("prepare", names_));
    check_table();
    if (there_) there_rows_ = digests("table");
    open_staging();
    const auto start = Clock::now();
    send();
    done_.sending = seconds_since(start);
    forget_stale();
    if (there_) {
      merge();
    } else {
      publish();
    }
    return done_;
  }

 private:
  using Digests = std::unordered_map<std::string, std::string>;

  static Connection::Options for_push(const PushOptions& options) {
    return {options.patience, false, true};
  }

  std::size_t memory() const {
    // What pgvector needs to hold the whole graph: the vectors, and links of each.
    const std::size_t row = 4 * rows_.facts().columns + 600;
    constexpr std::size_t kLeast = std::size_t{64} << 20U;
    return std::clamp(rows_.size() * row * 5 / 4, kLeast, std::max(kLeast, options_.memory));
  }

  // Two pushes at once would send everything twice. A connection that broke off may hold the lock
  // for a little while.
  void lock() {
    const auto until = Clock::now() + std::chrono::seconds(10);
    const std::string statement =
        fmt::format("SELECT pg_try_advisory_lock(hashtextextended('hinny push ' || {}, 0))",
                    connection_.literal(names_.at("table")));
    while (connection_.query(statement).text(0, 0) != "t") {
      if (Clock::now() > until) {
        throw InputError(fmt::format("another push to table '{}' is under way", address_.table),
                         "one at a time");
      }
      stop_if_interrupted();
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }

  void check_table() {
    const TableFacts& ours = rows_.facts();
    const auto theirs = read_facts(connection_, names_);
    there_ = is_there(connection_, names_.at("table"));
    if (!there_) return;
    if (!theirs) {
      throw InputError(fmt::format("table '{}' is there and is none of Hinny's", address_.table),
                       "another --table");
    }
    if (theirs->model != ours.model) {
      throw InputError(fmt::format("table '{}' holds vectors of another model ({})", address_.table,
                                   theirs->model),
                       fmt::format("those of {}, or another --table", ours.model));
    }
    if (theirs->type != ours.type || theirs->columns != ours.columns ||
        theirs->corrected != ours.corrected) {
      throw InputError(fmt::format("table '{}' holds {}({})", address_.table, name_of(theirs->type),
                                   theirs->columns),
                       fmt::format("{}({}), or another --table", name_of(ours.type), ours.columns));
    }
  }

  // id -> digest of the rows that a table holds.
  Digests digests(const char* table) {
    const Rows rows = connection_.query(
        fmt::format("SELECT id, replace(digest::text, '-', '') FROM {}", names_.at(table)));
    Digests all;
    all.reserve(static_cast<std::size_t>(rows.count()));
    for (int i = 0; i < rows.count(); ++i) all.emplace(rows.text(i, 0), rows.text(i, 1));
    return all;
  }

  // What an interrupted push of the same kind has left, or an empty table when it is first needed.
  void open_staging() {
    if (!is_there(connection_, names_.at("staging"))) return;
    const Rows kind = connection_.query(
        fmt::format("SELECT obj_description({}::regclass)", names_.at("staging_text")));
    if (kind.text(0, 0) == staging_kind()) {
      staged_ = digests("staging");
      staging_ = true;
    } else {
      connection_.run(fmt::format("DROP TABLE {}", names_.at("staging")));
    }
  }

  std::string staging_kind() const {
    const TableFacts& ours = rows_.facts();
    return fmt::format("{} {}({}) on its way to {} servers, by hinny push", ours.model,
                       name_of(ours.type), ours.columns, parted() ? parts_.size() : 1);
  }

  // A table that is there is parted as it was made.
  bool parted() const { return !there_ && !parts_.empty(); }

  void need_staging() {
    if (std::exchange(staging_, true)) return;
    std::string create = parted() ? create_parted(options_.sql, names_, parts_)
                                  : options_.sql.fill("create", names_);
    connection_.run(fmt::format("{};\nCOMMENT ON TABLE {} IS {}", create, names_.at("staging"),
                                connection_.literal(staging_kind())));
  }

  void send() {
    Progress progress("rows", rows_.size());
    std::string part;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      TableRows::Row row = rows_.row(i);
      const bool waits = is_waiting(i, row.digest);
      if (!waits && count_change(i, row.digest)) {
        part += row.bytes;
        ++done_.sent;
        if (part.size() >= kPart) send_part(part);
      }
      progress.update(i + 1);
    }
    if (!part.empty()) send_part(part);
    if (copying_) end_copy();
  }

  // Whether this row is among those of an interrupted push.
  bool is_waiting(std::size_t image, const std::string& digest) {
    const auto found = staged_.find(rows_.id(image));
    if (found == staged_.end() || found->second != digest) return false;
    staged_.erase(found);
    count_change(image, digest);
    return true;
  }

  // Counts the row as added, changed or kept; false: it is in the table as it is.
  bool count_change(std::size_t image, const std::string& digest) {
    const auto found = there_rows_.find(rows_.id(image));
    const bool same = found != there_rows_.end() && found->second == digest;
    ++(found == there_rows_.end() ? done_.added : same ? done_.kept : done_.changed);
    if (found != there_rows_.end()) there_rows_.erase(found);
    return !same;
  }

  void send_part(std::string& part) {
    if (!copying_) {
      need_staging();
      connection_.begin_copy(options_.sql.fill("copy", names_));
      connection_.copy(copy_header());
      copying_ = true;
      in_copy_ = 0;
    }
    connection_.copy(part);
    in_copy_ += part.size();
    part.clear();
    if (in_copy_ >= kBatch) end_copy();
  }

  void end_copy() {
    connection_.copy(copy_trailer());
    connection_.end_copy();
    copying_ = false;
  }

  // Rows of an interrupted push that are no longer what is wanted.
  void forget_stale() {
    std::vector<std::string> ids, digests;
    const auto forget = [&] {
      const std::vector<Connection::Parameter> both = {array_text(ids), array_text(digests)};
      connection_.query(fmt::format("DELETE FROM {} AS s USING unnest($1::text[], $2::uuid[]) AS "
                                    "old(id, digest) WHERE s.id = old.id AND s.digest = old.digest",
                                    names_.at("staging")),
                        both);
      ids.clear();
      digests.clear();
    };
    for (const auto& [id, digest] : staged_) {
      ids.push_back(id);
      digests.push_back(digest);
      if (ids.size() == kIdsAtOnce) forget();
    }
    if (!ids.empty()) forget();
  }

  void publish() {
    const auto start = Clock::now();
    run_long("index", parted() ? index_parted(options_.sql, names_, parts_)
                               : options_.sql.fill("index", names_));
    done_.indexing = seconds_since(start);
    connection_.run("BEGIN");
    connection_.run(options_.sql.fill("publish", names_));
    connection_.run(fmt::format("COMMENT ON TABLE {} IS NULL", names_.at("table")));
    write_facts(connection_, names_, rows_.facts());
    connection_.run("COMMIT");
  }

  void merge() {
    const auto start = Clock::now();
    done_.removed = there_rows_.size();
    connection_.run("BEGIN");
    std::vector<std::string> ids;
    const auto remove = [&] {
      const std::vector<Connection::Parameter> array = {array_text(ids)};
      connection_.query(
          fmt::format("DELETE FROM {} WHERE id = ANY ($1::text[])", names_.at("table")), array);
      ids.clear();
    };
    for (const auto& item : there_rows_) {
      ids.push_back(item.first);
      if (ids.size() == kIdsAtOnce) remove();
    }
    if (!ids.empty()) remove();
    if (staging_) run_long("merge", options_.sql.fill("merge", names_));
    write_facts(connection_, names_, rows_.facts());
    connection_.run("COMMIT");
    done_.indexing = seconds_since(start);
  }

  // Says how far the server is, which a second connection asks it.
  void run_long(const char* what, const std::string& statements) {
    std::optional<Connection> other;
    std::optional<Progress> progress;
    std::string phase;
    connection_.run_long(statements, [&] {
      if (!other) {
        other.emplace(address_.connection, Connection::Options{options_.patience, true, true});
      }
      const Rows rows = other->query(
          "SELECT phase, greatest(tuples_done, 0), greatest(tuples_total, 0) FROM "
          "pg_stat_progress_create_index WHERE datname = current_database() LIMIT 1");
      if (rows.count() == 0) return;
      if (!progress || phase != rows.text(0, 0)) {
        phase = rows.text(0, 0);
        progress.emplace(fmt::format("{}: {}", what, phase), rows_.size());
      }
      progress->update(std::stoull(std::string(rows.text(0, 1))));
    });
  }

  const PushOptions& options_;
  const PostgresAddress& address_;
  TableRows rows_;
  Connection connection_;
  SqlTemplate::Names names_;
  std::vector<SqlTemplate::Names> parts_;  // of the servers that hold the rows
  bool there_ = false;                     // the table
  bool staging_ = false;                   // the table beside it
  Digests there_rows_, staged_;
  bool copying_ = false;
  std::size_t in_copy_ = 0;
  PushDone done_;
};

}  // namespace

PushDone push_index(const Index& index, const PostgresAddress& address,
                    const PushOptions& options) {
  return Push(index, address, options).run();
}

}  // namespace hinny
