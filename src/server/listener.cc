#include "server/listener.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>

#include "base/error.h"
#include "server/ascii_case.h"

namespace hinny {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses look_up(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (code != 0) {
    throw InputError(fmt::format("host '{}': {}", host, ::gai_strerror(code)),
                     "an address of this machine");
  }
  return {found, &::freeaddrinfo};
}

std::string address_text(const sockaddr_storage& address, socklen_t size) {
  char host[NI_MAXHOST] = {};
  if (::getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof host, nullptr,
                    0, NI_NUMERICHOST) != 0) {
    return "unknown";
  }
  return host;
}

}  // namespace

Descriptor::~Descriptor() { close(); }

void Descriptor::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

Descriptor listen_on(const std::string& host, int port) {
  const Addresses addresses = look_up(host, port);
  const addrinfo& first = *addresses;
  Descriptor listener(
      ::socket(first.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, first.ai_protocol));
  if (listener.get() < 0) throw Failure::from_errno("cannot make a socket");
  const int yes = 1;
  ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(listener.get(), first.ai_addr, first.ai_addrlen) != 0 ||
      ::listen(listener.get(), SOMAXCONN) != 0) {
    throw Failure::from_errno(fmt::format("cannot listen on {} port {}", host, port));
  }
  return listener;
}

int port_of(const Descriptor& listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

std::pair<Descriptor, std::string> accept_from(const Descriptor& listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  Descriptor socket(::accept4(listener.get(), reinterpret_cast<sockaddr*>(&address), &size,
                              SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.get() < 0) return {Descriptor(), ""};
  const int yes = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return {std::move(socket), address_text(address, size)};
}

bool is_loopback(std::string host) {
  if (host.ends_with('.')) host.pop_back();
  if (ascii_lower(host) == "localhost") return true;
  in_addr four{};
  if (::inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24U) == 127;
  in6_addr six{};
  if (::inet_pton(AF_INET6, host.c_str(), &six) != 1) return false;
  return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
}

}  // namespace hinny
