// One client's connection, as the loop of HttpServer sees it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "server/http_message.h"
#include "server/listener.h"
#include "server/request_head.h"

namespace hinny {

struct Connection {
  using Clock = std::chrono::steady_clock;
  enum class State {
    head,     // waits for a request, or reads its head
    body,     // reads its body
    working,  // a worker has it
    writing,  // sends the response
    // Has sent a refusal of something that it did not read, and reads on for a while: closing at
    // once would throw the refusal away.
    draining
  };

  std::uint64_t id = 0;
  Descriptor socket;
  std::string client;
  State state = State::head;
  Clock::time_point deadline;
  std::string in;         // what came and is not yet a request
  RequestHead head;       // while its body is read
  bool to_head = false;   // the request: whose response has no body
  bool say_open = false;  // as ConnectionAfter has it
  std::string out;
  std::size_t sent = 0;
  FilePart rest{};           // of the response, behind `out`
  std::size_t reserved = 0;  // of the server's memory
  std::size_t requests = 0;
  bool close = false;  // after the response
  bool drain = false;

  // Reads what is there; false when the client is gone.
  bool receive();
  // Sends what goes; false when the client is gone.
  bool send();
  bool sent_all() const { return sent == out.size(); }
};

}  // namespace hinny
