#include "server/connection.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace hinny {
namespace {

bool not_now() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

bool Connection::receive() {
  std::array<char, 16384> buffer;  // NOLINT: filled by recv
  const ssize_t count = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
  if (count < 0) return not_now();
  if (state != State::draining) in.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

bool Connection::send() {
  while (!sent_all()) {
    const ssize_t count = ::send(socket.get(), out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
    if (count < 0) return not_now();
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace hinny
