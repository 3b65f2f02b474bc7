// Clients and answers for tests of the HTTP server.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

#include "server/listener.h"
#include "server/server_fixture.h"

namespace hinny {

// A client that sends whatever bytes it likes.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;  // the server has heard enough
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  // Everything until the server closes.
  std::string rest() const {
    std::string all;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = ::recv(socket_.get(), buffer, sizeof buffer, 0)) > 0) {
      all.append(buffer, static_cast<std::size_t>(count));
    }
    return all;
  }
  // Until `mark` came.
  std::string until(std::string_view mark) const {
    std::string all;
    char byte = 0;
    while (!all.ends_with(mark) && ::recv(socket_.get(), &byte, 1, 0) == 1) all += byte;
    return all;
  }

 private:
  Descriptor socket_;
};

inline RawResponse respond(std::string_view body, bool close = false) {
  return {"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
              std::string(body),
          close};
}

inline HttpLimits few() {
  HttpLimits limits;
  limits.workers = 1;
  return limits;
}

// Answers with the request's body, or its first line.
inline RawResponse echo(const RawRequest& request) {
  return respond(
      request.body.empty() ? request.head.substr(0, request.head.find('\r')) : request.body,
      request.last);
}

// Workers wait in it until the test lets them go.
class Gate {
 public:
  RawResponse answer(const RawRequest& request) {
    std::unique_lock guard(lock_);
    ++inside_;
    changed_.notify_all();
    changed_.wait(guard, [this] { return open_; });
    return echo(request);
  }
  void wait_for(int inside) {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [&] { return inside_ >= inside; });
  }
  void open() {
    const std::lock_guard guard(lock_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  int inside_ = 0;
  bool open_ = false;
};

}  // namespace hinny
