// Just enough of a client to ask a server on this machine one question.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string>

namespace hinny {

// A TCP socket of 127.0.0.1, closed with the object.
class LocalSocket {
 public:
  LocalSocket() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  ~LocalSocket() { ::close(descriptor_); }
  LocalSocket(const LocalSocket&) = delete;
  LocalSocket& operator=(const LocalSocket&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

inline sockaddr_in local_address(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// One that nobody listens on now.
inline int free_port() {
  const LocalSocket socket;
  sockaddr_in address = local_address(0);
  socklen_t size = sizeof address;
  ::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

// The whole response to a whole request that asks for the connection to be closed; nothing when
// nobody listens there.
inline std::optional<std::string> ask_local(int port, const std::string& request) {
  const LocalSocket socket;
  const sockaddr_in address = local_address(port);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return std::nullopt;
  }
  for (std::size_t sent = 0; sent < request.size();) {
    const ssize_t count =
        ::send(socket.get(), request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) break;
    sent += static_cast<std::size_t>(count);
  }
  std::string response;
  std::array<char, 4096> bytes{};
  for (ssize_t count = 0; (count = ::read(socket.get(), bytes.data(), bytes.size())) > 0;) {
    response.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return response;
}

inline std::optional<std::string> get_from_local(int port, const std::string& path) {
  return ask_local(port,
                   "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
}

}  // namespace hinny
