// For tests: a client of HTTP/1.1 that keeps its connection, and fails the test when a response is
// not as long as it says.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "server/ascii_case.h"
#include "server/http_message.h"
#include "server/raw_client_fixture.h"

namespace hinny {

struct HttpAnswer {
  int status = 0;      // 0: no response
  HttpFields headers;  // names in lower case
  std::string body;

  // Of that name, in any case: how many, and the first's value.
  std::size_t count(std::string_view name) const {
    std::size_t found = 0;
    for (const auto& [key, value] : headers) found += key == ascii_lower(name) ? 1 : 0;
    return found;
  }
  std::string header(std::string_view name) const {
    for (const auto& [key, value] : headers) {
      if (key == ascii_lower(name)) return value;
    }
    return "";
  }
};

class HttpClient {
 public:
  explicit HttpClient(int port) : port_(port) {}

  HttpAnswer get(std::string_view path, const HttpFields& headers = {}) {
    return ask("GET", path, headers);
  }
  HttpAnswer post(std::string_view path, std::string_view body, std::string_view type) {
    return ask("POST", path, {{"Content-Type", std::string(type)}}, body);
  }
  HttpAnswer ask(std::string_view method, std::string_view path, const HttpFields& headers = {},
                 std::string_view body = "") {
    std::string request = fmt::format("{} {} HTTP/1.1\r\n", method, path);
    bool host = false;
    for (const auto& [name, value] : headers) {
      request += fmt::format("{}: {}\r\n", name, value);
      host = host || name == "Host";
    }
    if (!host) request += fmt::format("Host: localhost:{}\r\n", port_);
    if (!body.empty() || method == "POST") {
      request += fmt::format("Content-Length: {}\r\n", body.size());
    }
    request += "\r\n";
    request += body;
    // The server may have closed the connection since the last response.
    HttpAnswer answer = connection_ ? answer_to(method, request) : HttpAnswer{};
    if (answer.status == 0) {
      connection_.emplace(port_);
      answer = answer_to(method, request);
    }
    EXPECT_NE(answer.status, 0) << method << " " << path;
    return answer;
  }

 private:
  HttpAnswer answer_to(std::string_view method, const std::string& request) {
    connection_->send(request);
    HttpAnswer answer = read_head(connection_->until("\r\n\r\n"));
    if (answer.status == 0) return answer;
    const bool bodiless = answer.status == 204 || answer.status == 304;
    EXPECT_EQ(answer.count("Content-Length"), bodiless ? 0U : 1U);
    if (!bodiless && method != "HEAD") {
      const std::size_t length = std::stoul("0" + answer.header("Content-Length"));
      answer.body = connection_->exactly(length);
      EXPECT_EQ(answer.body.size(), length);
    }
    if (answer.header("Connection") == "close") connection_.reset();
    return answer;
  }

  static HttpAnswer read_head(std::string_view head) {
    constexpr std::string_view kStatusLine = "HTTP/1.1 ";
    HttpAnswer answer;
    if (!head.starts_with(kStatusLine) || !head.ends_with("\r\n\r\n")) return answer;
    std::from_chars(head.data() + kStatusLine.size(), head.data() + head.size(), answer.status);
    head.remove_prefix(head.find("\r\n") + 2);
    while (head != "\r\n") {
      const std::string_view line = head.substr(0, head.find("\r\n"));
      const std::size_t colon = line.find(": ");
      EXPECT_NE(colon, std::string_view::npos) << line;
      if (colon == std::string_view::npos) break;
      answer.headers.emplace_back(ascii_lower(line.substr(0, colon)), line.substr(colon + 2));
      head.remove_prefix(line.size() + 2);
    }
    return answer;
  }

  int port_;
  std::optional<RawClient> connection_;
};

}  // namespace hinny
