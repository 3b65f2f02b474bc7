// Sockets: the listening one, and a file descriptor that closes itself.
#pragma once

#include <string>
#include <utility>

namespace hinny {

class Descriptor {
 public:
  explicit Descriptor(int descriptor = -1) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Descriptor();
  int get() const { return descriptor_; }
  void close();

 private:
  int descriptor_;
};

// Bound, listening, not blocking. Throws as HttpServer's constructor says.
Descriptor listen_on(const std::string& host, int port);
int port_of(const Descriptor& listener);
// The next connection, not blocking, and its address; -1, with errno, when there is none or none
// can be had.
std::pair<Descriptor, std::string> accept_from(const Descriptor& listener);

// True for 127.0.0.0/8, ::1 and localhost, in any case, and with a dot at the end.
bool is_loopback(std::string host);

}  // namespace hinny
