// A connection to PostgreSQL that never waits longer than it is told to.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/asking/engine.h"

struct pg_conn;
struct pg_result;

namespace hinny {

// The server went away, or never was there.
class ConnectionLost : public EngineFailure {
 public:
  using EngineFailure::EngineFailure;
};

// Where an address leads. Throws InputError for what is no address.
struct ServerPlace {
  std::string host = "localhost", port = "5432", database{}, user{}, password{};
};
ServerPlace server_place(const std::string& address);

// What a statement answered: rows of texts.
class Rows {
 public:
  explicit Rows(pg_result* result);
  int count() const;
  bool is_null(int row, int column) const;
  std::string_view text(int row, int column) const;
  pg_result* raw() const { return result_.get(); }

 private:
  std::shared_ptr<pg_result> result_;
};

// For one thread. Throws InputError for what the server says is asked wrongly (an unknown table, no
// right, a wrong password), ConnectionLost, EngineFailure where the server needs longer than
// `patience`, and Failure for the rest; a message holds no password.
class Connection {
 public:
  struct Options {
    std::chrono::milliseconds patience{10'000};  // for each answer, and each part of a COPY
    bool limits_statements = true;  // the server gives up on a statement after `patience` as well
    bool heeds_interrupt = false;   // Ctrl-C ends waiting with Interrupted
  };
  // `address` as libpq takes it: postgresql://...
  Connection(const std::string& address, Options options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  using Parameter = std::optional<std::string>;
  // One statement; $1 is the first parameter.
  Rows query(const std::string& statement, std::span<const Parameter> parameters = {});
  // Any number of statements, in one transaction unless they say otherwise.
  void run(const std::string& statements);
  // The same for those that take long: `meanwhile` is called twice a second and may throw.
  void run_long(const std::string& statements, const std::function<void()>& meanwhile);

  // COPY ... FROM STDIN: begin, any number of parts, end. What is not ended is not there.
  void begin_copy(const std::string& statement);
  void copy(std::string_view bytes);
  void end_copy();

  std::string identifier(std::string_view name) const;  // quoted
  std::string literal(std::string_view text) const;     // quoted
  const std::string& where() const { return where_; }   // "host:port/database"

 private:
  struct Close {
    void operator()(pg_conn* connection) const;
  };
  using Clock = std::chrono::steady_clock;
  void connect(const std::string& address);
  [[noreturn]] void refuse() const;
  // Waits until there is something to read, or room to write where that is wanted, at most until
  // then; false: neither.
  bool wait(bool to_write, Clock::time_point until) const;
  void wait_or_throw(bool to_write, Clock::time_point until) const;
  void send_all();
  Rows next(Clock::time_point until);
  // Reads all results; throws the first error, or gives the last.
  Rows finish(Clock::time_point until);
  void check(const Rows& rows) const;
  [[noreturn]] void throw_lost() const;
  [[noreturn]] void throw_late() const;
  Clock::time_point deadline() const { return Clock::now() + options_.patience; }

  Options options_;
  std::string where_;
  std::unique_ptr<pg_conn, Close> connection_;
};

}  // namespace hinny
