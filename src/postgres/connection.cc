#include "postgres/connection.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/error.h"
#include "base/interrupt.h"
#include "postgres/libpq.h"

namespace hinny {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSlice{200};  // after which Ctrl-C is heeded
constexpr milliseconds kTick{500};
constexpr int kKnowsLostClients = 140000;  // client_connection_check_interval

// libpq's messages and the server's have several lines.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c != '\n') {
      line += c == '\t' ? ' ' : c;
    } else if (!line.ends_with("; ")) {
      line += "; ";
    }
  }
  while (line.ends_with("; ")) line.resize(line.size() - 2);
  return line;
}

// By their SQLSTATE: what the one who asks can put right.
bool is_wrong_input(std::string_view state) {
  constexpr std::array<std::string_view, 7> kClasses = {"0A", "22", "23", "28", "3D", "3F", "42"};
  return std::ranges::find(kClasses, state.substr(0, 2)) != kClasses.end() || state == "58P01";
}

bool speaks_of_vector(std::string_view message) {
  return message.find("\"vector\"") != std::string_view::npos ||
         message.find("\"halfvec\"") != std::string_view::npos ||
         message.find("vector.control") != std::string_view::npos;
}

}  // namespace

ServerPlace server_place(const std::string& address) {
  char* message = nullptr;
  PQconninfoOption* options = libpq().conninfoParse(address.c_str(), &message);
  if (options == nullptr) {
    const std::string why = message == nullptr ? "" : one_line(message);
    libpq().freemem(message);
    throw InputError(fmt::format("no address of a PostgreSQL database: {}", why),
                     "postgresql://USER@HOST:PORT/DATABASE?table=NAME");
  }
  ServerPlace place;
  const std::map<std::string_view, std::string*> wanted = {{"host", &place.host},
                                                           {"port", &place.port},
                                                           {"dbname", &place.database},
                                                           {"user", &place.user},
                                                           {"password", &place.password}};
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    const auto found = wanted.find(option->keyword);
    if (found != wanted.end() && option->val != nullptr && *option->val != '\0') {
      *found->second = option->val;
    }
  }
  libpq().conninfoFree(options);
  return place;
}

Rows::Rows(pg_result* result) : result_(result, [](pg_result* r) { libpq().clear(r); }) {}
int Rows::count() const { return libpq().ntuples(result_.get()); }
bool Rows::is_null(int row, int column) const {
  return libpq().getisnull(result_.get(), row, column) == 1;
}
std::string_view Rows::text(int row, int column) const {
  return {libpq().getvalue(result_.get(), row, column),
          static_cast<std::size_t>(libpq().getlength(result_.get(), row, column))};
}

void Connection::Close::operator()(pg_conn* connection) const { libpq().finish(connection); }

Connection::Connection(const std::string& address, Options options) : options_(options) {
  const ServerPlace place = server_place(address);
  where_ = fmt::format("{}:{}/{}", place.host, place.port, place.database);
  connect(address);
  libpq().setNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  libpq().setnonblocking(connection_.get(), 1);
  if (options_.limits_statements) {
    run(fmt::format("SET statement_timeout = {}", options_.patience.count()));
  }
  if (libpq().serverVersion(connection_.get()) >= kKnowsLostClients) {
    run("SET client_connection_check_interval = 2000");
  }
}

Connection::~Connection() = default;

void Connection::connect(const std::string& address) {
  const std::string timeout = std::to_string(options_.patience.count());
  // What the address says comes last and wins.
  const std::array<const char*, 9> names = {"fallback_application_name",
                                            "client_encoding",
                                            "keepalives_idle",
                                            "keepalives_interval",
                                            "keepalives_count",
                                            "tcp_user_timeout",
                                            "gssencmode",
                                            "dbname",
                                            nullptr};
  const std::array<const char*, 9> values = {
      "hinny", "UTF8", "10", "5", "3", timeout.c_str(), "disable", address.c_str(), nullptr};
  connection_.reset(libpq().connectStartParams(names.data(), values.data(), 1));
  if (connection_ == nullptr) throw Failure("out of memory");
  const auto until = deadline();
  PostgresPollingStatusType wants = PGRES_POLLING_WRITING;
  while (libpq().status(connection_.get()) != CONNECTION_BAD && wants != PGRES_POLLING_OK) {
    if (!wait(wants == PGRES_POLLING_WRITING, until)) {
      throw_late();
    }
    wants = libpq().connectPoll(connection_.get());
    if (wants == PGRES_POLLING_FAILED) break;
  }
  if (libpq().status(connection_.get()) != CONNECTION_OK) refuse();
}

void Connection::refuse() const {
  const std::string why = one_line(libpq().errorMessage(connection_.get()));
  if (libpq().connectionNeedsPassword(connection_.get()) == 1) {
    throw InputError(why, "a password: in the environment's PGPASSWORD or in ~/.pgpass");
  }
  // A server answered, and does not want us.
  if (why.find("FATAL:") != std::string::npos) {
    throw InputError(why, "a user, password and database that this server knows");
  }
  throw ConnectionLost(why);
}

bool Connection::wait(bool to_write, Clock::time_point until) const {
  while (true) {
    if (options_.heeds_interrupt) stop_if_interrupted();
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    if (left <= milliseconds(0)) return false;
    pollfd file{libpq().socket(connection_.get()),
                static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN), 0};
    // While connecting, what is wanted is one of the two.
    if (libpq().status(connection_.get()) != CONNECTION_OK && to_write) file.events = POLLOUT;
    const int ready = ::poll(&file, 1, static_cast<int>(std::min(left, kSlice).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw Failure::from_errno("cannot wait for " + where_);
  }
}

void Connection::wait_or_throw(bool to_write, Clock::time_point until) const {
  if (wait(to_write, until)) return;
  throw_late();
}

void Connection::throw_late() const {
  throw EngineFailure(fmt::format("{} did not answer within {:g} s", where_,
                                  static_cast<double>(options_.patience.count()) / 1000));
}

void Connection::throw_lost() const {
  const std::string why = one_line(libpq().errorMessage(connection_.get()));
  throw ConnectionLost(fmt::format("the connection to {} is lost: {}", where_, why));
}

void Connection::send_all() {
  auto until = deadline();
  while (true) {
    const int left = libpq().flush(connection_.get());
    if (left < 0) throw_lost();
    if (left == 0) return;
    wait_or_throw(true, until);
    if (libpq().consumeInput(connection_.get()) == 0) throw_lost();
  }
}

Rows Connection::next(Clock::time_point until) {
  while (libpq().isBusy(connection_.get()) == 1) {
    wait_or_throw(false, until);
    if (libpq().consumeInput(connection_.get()) == 0) throw_lost();
  }
  return Rows(libpq().getResult(connection_.get()));
}

Rows Connection::finish(Clock::time_point until) {
  Rows last(nullptr);
  while (true) {
    Rows rows = next(until);
    if (rows.raw() == nullptr) break;
    if (last.raw() != nullptr) check(last);
    last = std::move(rows);
  }
  if (last.raw() == nullptr) throw_lost();
  check(last);
  return last;
}

void Connection::check(const Rows& rows) const {
  const ExecStatusType status = libpq().resultStatus(rows.raw());
  if (status != PGRES_FATAL_ERROR && status != PGRES_BAD_RESPONSE) return;
  if (libpq().status(connection_.get()) == CONNECTION_BAD) throw_lost();
  const char* state = libpq().resultErrorField(rows.raw(), PG_DIAG_SQLSTATE);
  const char* primary = libpq().resultErrorField(rows.raw(), PG_DIAG_MESSAGE_PRIMARY);
  const char* detail = libpq().resultErrorField(rows.raw(), PG_DIAG_MESSAGE_DETAIL);
  std::string why = one_line(primary != nullptr ? primary : "no answer");
  if (detail != nullptr) why += fmt::format(" ({})", one_line(detail));
  const std::string_view code = state == nullptr ? "" : state;
  if (code == "57014") throw_late();  // by statement_timeout
  if (speaks_of_vector(why)) {
    throw InputError(
        fmt::format("{}: {}", where_, why),
        "a server with pgvector 0.8 or later (the package postgresql-NN-pgvector), and "
        "CREATE EXTENSION vector, once, by a superuser");
  }
  // Of a server behind this one.
  if (code.starts_with("08")) throw EngineFailure(fmt::format("{}: {}", where_, why));
  if (is_wrong_input(code)) throw InputError(fmt::format("{}: {}", where_, why));
  throw Failure(fmt::format("{}: {}", where_, why));
}

Rows Connection::query(const std::string& statement, std::span<const Parameter> parameters) {
  std::vector<const char*> values;
  for (const Parameter& one : parameters) values.push_back(one ? one->c_str() : nullptr);
  if (libpq().sendQueryParams(connection_.get(), statement.c_str(), static_cast<int>(values.size()),
                              nullptr, values.data(), nullptr, nullptr, 0) == 0) {
    throw_lost();
  }
  send_all();
  return finish(deadline());
}

void Connection::run(const std::string& statements) {
  if (libpq().sendQuery(connection_.get(), statements.c_str()) == 0) throw_lost();
  send_all();
  finish(deadline());
}

void Connection::run_long(const std::string& statements, const std::function<void()>& meanwhile) {
  if (libpq().sendQuery(connection_.get(), statements.c_str()) == 0) throw_lost();
  send_all();
  while (libpq().isBusy(connection_.get()) == 1) {
    if (!wait(false, Clock::now() + kTick)) {
      meanwhile();
    } else if (libpq().consumeInput(connection_.get()) == 0) {
      throw_lost();
    }
  }
  finish(deadline());
}

void Connection::begin_copy(const std::string& statement) {
  if (libpq().sendQuery(connection_.get(), statement.c_str()) == 0) throw_lost();
  send_all();
  const Rows rows = next(deadline());
  if (rows.raw() != nullptr && libpq().resultStatus(rows.raw()) == PGRES_COPY_IN) return;
  while (next(deadline()).raw() != nullptr) {
  }
  if (rows.raw() != nullptr) check(rows);
  throw InputError(fmt::format("no COPY from here: {}", statement), "COPY ... FROM STDIN");
}

void Connection::copy(std::string_view bytes) {
  const auto until = deadline();
  while (true) {
    const int taken =
        libpq().putCopyData(connection_.get(), bytes.data(), static_cast<int>(bytes.size()));
    if (taken > 0) break;
    if (taken < 0) throw_lost();
    wait_or_throw(true, until);
    if (libpq().consumeInput(connection_.get()) == 0) throw_lost();
  }
  send_all();
}

void Connection::end_copy() {
  while (true) {
    const int taken = libpq().putCopyEnd(connection_.get(), nullptr);
    if (taken > 0) break;
    if (taken < 0) throw_lost();
    wait_or_throw(true, deadline());
  }
  send_all();
  finish(deadline());
}

std::string Connection::identifier(std::string_view name) const {
  char* quoted = libpq().escapeIdentifier(connection_.get(), name.data(), name.size());
  if (quoted == nullptr) throw InputError("a name that is broken UTF-8");
  std::string text = quoted;
  libpq().freemem(quoted);
  return text;
}

std::string Connection::literal(std::string_view text) const {
  char* quoted = libpq().escapeLiteral(connection_.get(), text.data(), text.size());
  if (quoted == nullptr) throw InputError("a text that is broken UTF-8");
  std::string result = quoted;
  libpq().freemem(quoted);
  return result;
}

}  // namespace hinny
