// Connections: whole requests in, whole responses out. One thread waits on all of them, so that a
// slow client costs memory (bounded) and no thread; a few workers answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "server/http_message.h"
#include "server/metrics.h"

namespace hinny {

struct HttpLimits {
  int workers = 2;
  std::size_t waiting = 64;  // requests; more are refused with 503
  std::size_t connections = 4096;
  std::size_t head_bytes = std::size_t{16} << 10U;
  std::size_t body_bytes = std::size_t{16} << 20U;
  std::size_t memory = std::size_t{256} << 20U;  // of all bodies and responses under way
  std::size_t requests_per_connection = 1000;
  // For the whole of each, however the bytes come.
  std::chrono::milliseconds head_time{10000};
  std::chrono::milliseconds body_time{60000};
  std::chrono::milliseconds write_time{60000};
  std::chrono::milliseconds idle_time{15000};  // between two requests
  std::chrono::milliseconds stop_time{10000};  // for what is under way when told to stop
};

class HttpServer {
 public:
  // Called by several workers at once.
  using Answer = std::function<HttpResponse(const HttpRequest&)>;

  // Listens at once. Port 0 takes a free one. Throws InputError for a host that is no address of
  // this machine, and Failure when the port is taken. `metrics` must outlive it.
  HttpServer(const std::string& host, int port, const HttpLimits& limits, Metrics& metrics,
             Answer answer);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  // Serves until stop() is true (asked several times a second), then takes no more requests,
  // answers those it has, and returns. Call once.
  void run(const std::function<bool()>& stop);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace hinny
