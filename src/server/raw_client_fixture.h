// For tests: a client that sends whatever bytes it likes.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <string>
#include <string_view>

#include "server/listener.h"

namespace hinny {

class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{30, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
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
  // So many bytes, or as many as come.
  std::string exactly(std::size_t count) const {
    std::string all(count, '\0');
    const ssize_t got = ::recv(socket_.get(), all.data(), count, MSG_WAITALL);
    all.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return all;
  }

 private:
  Descriptor socket_;
};

}  // namespace hinny
