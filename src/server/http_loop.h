// The thread that waits on all connections. Only HttpServer uses it.
#pragma once

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "server/connection.h"
#include "server/http_server.h"
#include "server/work_queue.h"

namespace hinny {

class HttpServer::Loop {
 public:
  Loop(const std::string& host, int port, const HttpLimits& limits, Metrics& metrics,
       Answer answer);

  int port() const { return port_; }
  void run(const std::function<bool()>& stop);

 private:
  using Clock = Connection::Clock;
  using State = Connection::State;
  struct Done {
    std::uint64_t connection;
    std::string bytes;  // a response, or what follows of one
    FilePart rest;      // that it goes on with
    bool follows = false;
  };

  void wait_once();
  template <typename Act, typename Then>
  void without_memory(const Act& act, const Then& then);
  template <typename Act>
  void unless_memory_lacks(std::uint64_t connection, const Act& act);
  void accept_all();
  void make_room();
  void send_away();
  void pause_listening(bool pause);
  void add(Descriptor socket, std::string client);
  void on_event(Connection& connection, std::uint32_t events);
  // Takes the connection as far as its bytes allow; may close it.
  void advance(Connection& connection);
  bool read_request_head(Connection& connection);
  void start_work(Connection& connection);
  // For workers: they call it without the loop's thread.
  Done response_to(std::uint64_t connection, const HttpRequest& request,
                   const ConnectionAfter& after) const;
  template <typename Work>
  void finish(std::uint64_t connection, const Work& work);
  ConnectionAfter after_response(const Connection& connection) const;
  void refuse(Connection& connection, int status, const std::string& message, bool close);
  void start_writing(Connection& connection, std::string bytes, FilePart rest = {});
  // The rest of a response, piece by piece: a worker reads each, since a disk may take its time.
  void read_on(Connection& connection);
  void write_on(Connection& connection, std::string bytes, FilePart rest);
  void write(Connection& connection, std::string bytes, FilePart rest);
  void after_writing(Connection& connection);
  void take_done();
  void expire();
  void begin_stop();
  void watch(Connection& connection, std::uint32_t events);
  void unwatch(Connection& connection);
  bool reserve(Connection& connection, std::size_t bytes);
  void release(Connection& connection);
  void close(Connection& connection);

  HttpLimits limits_;
  Metrics& metrics_;
  Answer answer_;
  Descriptor listener_;
  int port_;
  Descriptor poll_;
  Descriptor wake_;
  Descriptor spare_;  // for the time when there is no other
  bool listening_paused_ = false;
  std::unordered_map<std::uint64_t, Connection> connections_;
  std::uint64_t next_id_;
  std::size_t reserved_ = 0;
  bool stopping_ = false;
  Clock::time_point stop_deadline_;
  std::mutex done_lock_;
  std::vector<Done> done_;
  std::vector<Done> taken_;  // from there
  WorkQueue queue_;          // last: its threads end before what they use
};

}  // namespace hinny
