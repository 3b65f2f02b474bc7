// Limits and answers for tests of the HTTP server.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "server/raw_client_fixture.h"
#include "server/server_fixture.h"

namespace hinny {

inline HttpResponse respond(std::string body) {
  HttpResponse response;
  response.set_content(std::move(body), "text/plain");
  return response;
}

inline HttpLimits few() {
  HttpLimits limits;
  limits.workers = 1;
  return limits;
}

// Answers with the request's body, or its method and target.
inline HttpResponse echo(const HttpRequest& request) {
  return respond(request.body.empty() ? request.method + " " + request.target : request.body);
}

// Workers wait in it until the test lets them go.
class Gate {
 public:
  HttpResponse answer(const HttpRequest& request) {
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
