// A small index of pictures, served, and what a client is answered.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "server/server_fixture.h"

namespace hinny {

class ApiTest : public testing::Test {
 protected:
  using Prepare = void (*)(PictureIndex&);
  explicit ApiTest(Prepare prepare = [](PictureIndex&) {})
      : served((prepare(index), index.index())) {}

  // The JSON of the answer, whose status must be `status`.
  nlohmann::json get(const std::string& path, int status = 200) {
    return checked(client.get(path), status, path);
  }
  nlohmann::json post(const std::string& path, const std::string& body, int status = 200) {
    return checked(client.post(path, body, "application/json"), status, body.substr(0, 200));
  }
  static nlohmann::json checked(const HttpAnswer& result, int status, const std::string& about) {
    EXPECT_EQ(result.status, status) << about << "\n" << result.body;
    nlohmann::json answer = nlohmann::json::parse(result.body, nullptr, false);
    if (status >= 400) {
      EXPECT_TRUE(answer.contains("/error/message"_json_pointer)) << about << "\n" << result.body;
      EXPECT_TRUE(answer.contains("/error/type"_json_pointer)) << about;
      EXPECT_THAT(result.body, testing::Not(testing::HasSubstr("hinny-test-")))
          << "a path of this machine";
    }
    return answer;
  }

  const Scratch folder;
  PictureIndex index{folder};
  ServedIndex served;
  HttpClient client = served.server.client();
};

}  // namespace hinny
