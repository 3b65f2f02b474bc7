#include "server/http_server.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/out_of_memory.h"
#include "base/terminal_text.h"
#include "server/http_error.h"
#include "server/http_loop.h"

namespace hinny {
namespace {

constexpr std::uint64_t kListener = 0;  // what an event is about, below the connections' ids
constexpr std::uint64_t kWake = 1;
constexpr std::uint64_t kFirstId = 2;
constexpr int kTickMs = 200;
constexpr std::chrono::milliseconds kDrainTime{2000};
constexpr std::size_t kSmall = 65536;  // bytes of a response that is always sent
constexpr std::uint64_t kPiece = std::uint64_t{256} << 10U;  // of a file that is sent

// As many connections as asked for, if the system lets us.
std::size_t raise_descriptor_limit(std::size_t wanted) {
  constexpr std::size_t kOthers = 64;  // files of the index, pictures
  constexpr std::size_t kLeast = 24;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, std::max(limit.rlim_cur, wanted + kOthers));
  ::setrlimit(RLIMIT_NOFILE, &limit);
  const auto may = static_cast<std::size_t>(limit.rlim_cur);
  if (may < kLeast) {
    throw Failure(
        fmt::format("only {} files may be open at once (expected {} at least, better {}: "
                    "ulimit -n, LimitNOFILE)",
                    may, kLeast, wanted + kOthers));
  }
  return std::min(wanted, may >= 2 * kOthers ? may - kOthers : may / 2);
}

// False, with errno, where the system lets us watch no more.
bool control(const Descriptor& poll, int operation, int descriptor, std::uint64_t about,
             std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = about;
  return ::epoll_ctl(poll.get(), operation, descriptor, &event) == 0;
}

void add_own(const Descriptor& poll, const Descriptor& own, std::uint64_t about) {
  if (!control(poll, EPOLL_CTL_ADD, own.get(), about, EPOLLIN)) {
    throw Failure::from_errno("cannot wait on a socket");
  }
}

}  // namespace

HttpServer::HttpServer(const std::string& host, int port, const HttpLimits& limits,
                       Metrics& metrics, Answer answer)
    : loop_(std::make_unique<Loop>(host, port, limits, metrics, std::move(answer))) {}
HttpServer::~HttpServer() = default;
int HttpServer::port() const { return loop_->port(); }
void HttpServer::run(const std::function<bool()>& stop) { loop_->run(stop); }

HttpServer::Loop::Loop(const std::string& host, int port, const HttpLimits& limits,
                       Metrics& metrics, Answer answer)
    : limits_(limits),
      metrics_(metrics),
      answer_(std::move(answer)),
      listener_(listen_on(host, port)),
      port_(port_of(listener_)),
      poll_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      spare_(::eventfd(0, EFD_CLOEXEC)),
      next_id_(kFirstId),
      queue_(limits.workers, limits.waiting) {
  if (poll_.get() < 0 || wake_.get() < 0) throw Failure::from_errno("cannot wait on sockets");
  limits_.connections = raise_descriptor_limit(limits_.connections);
  for (auto* of : {&done_, &taken_}) of->reserve(limits_.connections);
  add_own(poll_, listener_, kListener);
  add_own(poll_, wake_, kWake);
}

void HttpServer::Loop::run(const std::function<bool()>& stop) {
  auto next_tick = Clock::now();
  while (!stopping_ || (!connections_.empty() && Clock::now() < stop_deadline_)) {
    wait_once();
    metrics_.connections = static_cast<std::int64_t>(connections_.size());
    metrics_.queued = static_cast<std::int64_t>(queue_.waiting());
    if (Clock::now() < next_tick) continue;
    next_tick = Clock::now() + std::chrono::milliseconds(kTickMs);
    expire();
    if (listening_paused_ && !stopping_) pause_listening(false);
    if (!stopping_ && stop()) begin_stop();
  }
}

void HttpServer::Loop::wait_once() {
  std::array<epoll_event, 256> events;  // NOLINT: filled by epoll_wait
  const int count =
      ::epoll_wait(poll_.get(), events.data(), static_cast<int>(events.size()), kTickMs);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.u64 == kListener) {
      without_memory([&] { accept_all(); }, [&] { pause_listening(true); });
    } else if (event.data.u64 == kWake) {
      take_done();
    } else if (const auto found = connections_.find(event.data.u64); found != connections_.end()) {
      unless_memory_lacks(event.data.u64, [&] { on_event(found->second, event.events); });
    }
  }
}

// Where `act` finds no memory, `then`, which needs none.
template <typename Act, typename Then>
void HttpServer::Loop::without_memory(const Act& act, const Then& then) {
  try {
    act();
  } catch (const std::bad_alloc&) {
    keep_memory_aside();
    metrics_.refused(503);
    then();
  }
}

// A connection for which memory lacks is closed: others go on.
template <typename Act>
void HttpServer::Loop::unless_memory_lacks(std::uint64_t connection, const Act& act) {
  without_memory(act, [&] {
    if (const auto found = connections_.find(connection); found != connections_.end()) {
      close(found->second);
    }
  });
}

void HttpServer::Loop::accept_all() {
  constexpr int kAtOnce = 64;  // others are waiting too
  for (int i = 0; i < kAtOnce; ++i) {
    if (connections_.size() >= limits_.connections) make_room();
    auto [socket, client] = accept_from(listener_);
    if (socket.get() < 0) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) send_away();
      return;
    }
    add(std::move(socket), std::move(client));
  }
}

// No descriptor is left, and the listener would wake us again at once: one client is told so by the
// spare one, who waits longest makes room, and the others wait for the next tick.
void HttpServer::Loop::send_away() {
  make_room();
  spare_.close();
  if (const auto [socket, client] = accept_from(listener_); socket.get() >= 0) {
    metrics_.refused(503);
    const std::string answer = response_bytes(
        error_response(503, "too many connections; try again in a moment"), false, {.close = true});
    ::send(socket.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
    ::shutdown(socket.get(), SHUT_WR);
  }
  spare_ = Descriptor(::eventfd(0, EFD_CLOEXEC));
  pause_listening(true);
}

void HttpServer::Loop::pause_listening(bool pause) {
  listening_paused_ = pause;
  control(poll_, EPOLL_CTL_MOD, listener_.get(), kListener,
          pause ? 0U : static_cast<std::uint32_t>(EPOLLIN));
}

// Closes whom we have waited for longest: of those who keep us waiting, that is the least use.
void HttpServer::Loop::make_room() {
  Connection* oldest = nullptr;
  for (auto& [id, connection] : connections_) {
    if (connection.state == State::working || connection.state == State::writing) continue;
    if (oldest == nullptr || connection.deadline < oldest->deadline) oldest = &connection;
  }
  if (oldest == nullptr) return;
  metrics_.refused(408);
  close(*oldest);
}

void HttpServer::Loop::add(Descriptor socket, std::string client) {
  if (connections_.size() >= limits_.connections) {  // all at work: nobody could be sent away
    metrics_.refused(503);
    return;
  }
  const std::uint64_t id = next_id_++;
  if (!control(poll_, EPOLL_CTL_ADD, socket.get(), id, EPOLLIN)) {  // one client's bad luck
    metrics_.refused(503);
    return;
  }
  Connection& connection = connections_[id];
  connection.id = id;
  connection.socket = std::move(socket);
  connection.client = std::move(client);
  connection.deadline = Clock::now() + limits_.head_time;
}

void HttpServer::Loop::on_event(Connection& connection, std::uint32_t events) {
  if (connection.state == State::working) return;  // an event from before it was
  if (connection.state == State::writing) {
    if (!connection.send()) return close(connection);
    if (connection.sent_all()) after_writing(connection);
    return;
  }
  const bool fresh = connection.state == State::head && connection.in.empty();
  if ((events & (EPOLLERR | EPOLLHUP)) != 0 || !connection.receive()) return close(connection);
  if (fresh) connection.deadline = Clock::now() + limits_.head_time;
  advance(connection);
}

void HttpServer::Loop::advance(Connection& connection) {
  if (connection.state == State::head && !read_request_head(connection)) return;
  if (connection.state == State::body &&
      connection.in.size() >= connection.head.size + connection.head.body_size) {
    start_work(connection);
  }
}

// True when the head is whole and fine.
bool HttpServer::Loop::read_request_head(Connection& connection) {
  try {
    auto head = read_head(connection.in, limits_.head_bytes, limits_.body_bytes);
    if (!head) return false;
    connection.head = std::move(*head);
    connection.to_head = connection.head.request.method == "HEAD";
    connection.say_open = connection.head.request.minor_version == 0;
  } catch (const HttpError& error) {
    refuse(connection, error.status(), error.what(), true);
    return false;
  }
  if (!reserve(connection, connection.head.body_size)) {
    refuse(connection, 503, "too much to do; try again in a moment", true);
    return false;
  }
  connection.state = State::body;
  connection.deadline = Clock::now() + limits_.body_time;
  if (connection.head.expects_continue) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    ::send(connection.socket.get(), kContinue.data(), kContinue.size(), MSG_NOSIGNAL);
  }
  return true;
}

void HttpServer::Loop::start_work(Connection& connection) {
  RequestHead& head = connection.head;
  ++connection.requests;
  auto request = std::make_shared<HttpRequest>(std::move(head.request));
  request->body = connection.in.substr(head.size, head.body_size);
  request->client = connection.client;
  connection.in = connection.in.substr(head.size + head.body_size);  // gives the memory back
  connection.close =
      head.close || stopping_ || connection.requests >= limits_.requests_per_connection;
  const auto work = [this, id = connection.id, request, after = after_response(connection)] {
    finish(id, [&] { return response_to(id, *request, after); });
  };
  if (!queue_.push(work, head.urgent)) {
    return refuse(connection, 503, "too much to do; try again in a moment", connection.close);
  }
  connection.state = State::working;
  unwatch(connection);
}

HttpServer::Loop::Done HttpServer::Loop::response_to(std::uint64_t connection,
                                                     const HttpRequest& request,
                                                     const ConnectionAfter& after) const {
  const bool to_head = request.method == "HEAD";
  try {
    HttpResponse response = answer_(request);
    Done done{connection, response_bytes(response, to_head, after), {}};
    if (!to_head) done.rest = std::move(response.file);
    return done;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    print_line(stderr, "a response failed: {}\n", error.what());
  }
  return {connection, response_bytes(error_response(500, "the server failed"), to_head, after), {}};
}

// For workers: does the work, which the loop takes up. Where it found no memory, nothing is sent.
template <typename Work>
void HttpServer::Loop::finish(std::uint64_t connection, const Work& work) {
  Done done{connection, {}, {}};
  try {
    done = work();
  } catch (const std::bad_alloc&) {
    keep_memory_aside();
  }
  const std::lock_guard guard(done_lock_);
  done_.push_back(std::move(done));  // there is room for each connection
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof one);
}

ConnectionAfter HttpServer::Loop::after_response(const Connection& connection) const {
  using std::chrono::seconds;
  return {.close = connection.close,
          .say_open = connection.say_open,
          .idle_seconds =
              static_cast<int>(std::chrono::duration_cast<seconds>(limits_.idle_time).count())};
}

void HttpServer::Loop::refuse(Connection& connection, int status, const std::string& message,
                              bool close) {
  metrics_.refused(status);
  connection.close = close;
  connection.drain = close;
  if (connection.state == State::head) {  // not understood, but for its first word
    const std::size_t begin = connection.in.find_first_not_of("\r\n");
    connection.to_head =
        begin != std::string::npos && connection.in.compare(begin, 5, "HEAD ") == 0;
  }
  start_writing(connection, response_bytes(error_response(status, message), connection.to_head,
                                           after_response(connection)));
}

void HttpServer::Loop::start_writing(Connection& connection, std::string bytes, FilePart rest) {
  if (bytes.empty()) return close(connection);  // memory lacked
  release(connection);
  if (!reserve(connection, bytes.size()) && bytes.size() > kSmall) {
    metrics_.refused(503);
    bytes = response_bytes(error_response(503, "too much to do; try again in a moment"),
                           connection.to_head, after_response(connection));
    rest = {};
  }
  write(connection, std::move(bytes), std::move(rest));
}

void HttpServer::Loop::write(Connection& connection, std::string bytes, FilePart rest) {
  connection.out = std::move(bytes);
  connection.sent = 0;
  connection.rest = std::move(rest);
  connection.state = State::writing;
  connection.deadline = Clock::now() + limits_.write_time;
  if (!connection.send()) return close(connection);
  if (connection.sent_all()) return after_writing(connection);
  watch(connection, EPOLLOUT);
}

void HttpServer::Loop::read_on(Connection& connection) {
  connection.state = State::working;
  unwatch(connection);
  const auto work = [this, id = connection.id, rest = std::move(connection.rest)] {
    finish(id, [&] {
      std::string piece(static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, rest.size)), '\0');
      const ssize_t count = read_all_at(rest.file->descriptor(), rest.offset,
                                        std::as_writable_bytes(std::span(piece)));
      piece.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      const std::uint64_t size = piece.size();
      return Done{id, std::move(piece), {rest.file, rest.offset + size, rest.size - size}, true};
    });
  };
  queue_.push(work, true);
}

// A file that became shorter ends the connection, by which the client sees that something is
// missing; so does a lack of memory.
void HttpServer::Loop::write_on(Connection& connection, std::string bytes, FilePart rest) {
  release(connection);
  if (bytes.empty() || !reserve(connection, bytes.size())) return close(connection);
  write(connection, std::move(bytes), std::move(rest));
}

void HttpServer::Loop::after_writing(Connection& connection) {
  if (connection.rest.size > 0) return read_on(connection);
  release(connection);
  connection.out = std::string();
  connection.rest = {};
  if (connection.close && !connection.drain) return close(connection);
  if (connection.close) {
    ::shutdown(connection.socket.get(), SHUT_WR);
    connection.in = std::string();
    connection.state = State::draining;
    connection.deadline = Clock::now() + kDrainTime;
  } else {
    connection.state = State::head;
    connection.deadline =
        Clock::now() + (connection.in.empty() ? limits_.idle_time : limits_.head_time);
    if (stopping_) return close(connection);
  }
  watch(connection, EPOLLIN);
  if (connection.state == State::head && !connection.in.empty()) advance(connection);
}

void HttpServer::Loop::take_done() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(wake_.get(), &count, sizeof count);
  {
    const std::lock_guard guard(done_lock_);
    taken_.swap(done_);
  }
  for (Done& one : taken_) {
    const auto found = connections_.find(one.connection);
    if (found == connections_.end()) continue;
    Connection& connection = found->second;
    unless_memory_lacks(one.connection, [&] {
      one.follows ? write_on(connection, std::move(one.bytes), std::move(one.rest))
                  : start_writing(connection, std::move(one.bytes), std::move(one.rest));
    });
  }
  taken_.clear();
}

void HttpServer::Loop::expire() {
  std::vector<std::uint64_t> late;
  const auto now = Clock::now();
  for (const auto& [id, connection] : connections_) {
    if (connection.state != State::working && connection.deadline < now) late.push_back(id);
  }
  for (const std::uint64_t id : late) {
    Connection& connection = connections_.at(id);
    const bool begun = connection.in.find_first_not_of("\r\n") != std::string::npos;
    const bool asked =
        connection.state == State::body || (connection.state == State::head && begun);
    if (asked) {
      refuse(connection, 408, "the request came too slowly", true);
    } else {
      close(connection);
    }
  }
}

void HttpServer::Loop::begin_stop() {
  stopping_ = true;
  stop_deadline_ = Clock::now() + limits_.stop_time;
  listener_.close();
  std::vector<std::uint64_t> waiting;
  for (const auto& [id, connection] : connections_) {
    if (connection.state == State::head || connection.state == State::draining) {
      waiting.push_back(id);
    }
  }
  for (const std::uint64_t id : waiting) close(connections_.at(id));
}

void HttpServer::Loop::watch(Connection& connection, std::uint32_t events) {
  const int socket = connection.socket.get();
  if (control(poll_, EPOLL_CTL_MOD, socket, connection.id, events) ||
      control(poll_, EPOLL_CTL_ADD, socket, connection.id, events)) {
    return;
  }
  connection.deadline = Clock::now();  // nothing more would be heard of it: expire() closes it
}

// A client that hangs up would be reported again and again while its request is worked on.
void HttpServer::Loop::unwatch(Connection& connection) {
  ::epoll_ctl(poll_.get(), EPOLL_CTL_DEL, connection.socket.get(), nullptr);
}

bool HttpServer::Loop::reserve(Connection& connection, std::size_t bytes) {
  if (bytes > 0 && reserved_ + bytes > limits_.memory) return false;
  connection.reserved += bytes;
  reserved_ += bytes;
  return true;
}

void HttpServer::Loop::release(Connection& connection) {
  reserved_ -= connection.reserved;
  connection.reserved = 0;
}

void HttpServer::Loop::close(Connection& connection) {
  release(connection);
  connections_.erase(connection.id);
}

}  // namespace hinny
