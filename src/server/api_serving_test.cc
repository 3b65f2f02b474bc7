// Who is answered, and from which index.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.h"
#include "server/server_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;

TEST(ApiKey, IsAskedForEverythingThatTellsOfThePictures) {
  const Scratch folder;
  const PictureIndex index(folder);
  ServedIndex served(index.index(), "0123456789abcdef");
  auto client = served.server.client();
  for (const std::string path :
       {"/v1/search?q=dog", "/v1/image/p0", "/v1/collection", "/metrics"}) {
    const auto refused = client.get(path);
    EXPECT_EQ(refused.status, 401) << path;
    EXPECT_EQ(refused.header("WWW-Authenticate"), "Bearer");
    for (const std::string wrong : {"Bearer 0123456789abcdeF", "Bearer 0123456789abcde",
                                    "Bearer 0123456789abcdef0", "0123456789abcdef", "Bearer "}) {
      EXPECT_EQ(client.get(path, {{"Authorization", wrong}}).status, 401) << wrong;
    }
    EXPECT_EQ(client.get(path, {{"Authorization", "Bearer 0123456789abcdef"}}).status, 200) << path;
  }
  for (const std::string path : {"/", "/app.js", "/health", "/openapi.json"}) {
    EXPECT_EQ(client.get(path, {{"Host", "pictures.example"}}).status, 200) << path;
  }
}

TEST(Reload, TakesUpAChangedIndexAndKeepsTheOldOneWhenItIsBroken) {
  const Scratch folder;
  const PictureIndex index(folder);
  ServedIndex served(index.index());
  auto client = served.server.client();
  const auto wait_for = [&](const std::atomic<std::int64_t>& count) {
    for (int i = 0; i < 3000 && count == 0; ++i) {
      EXPECT_EQ(client.get("/v1/search?q=a%20dog").status,
                200);  // not one request fails meanwhile
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(count, 1);
  };
  index.build({2, 1});
  wait_for(served.figures.reloads);
  EXPECT_EQ(json::parse(client.get("/v1/collection").body)["images"], 2);
  EXPECT_EQ(client.get("/v1/image/p0").status, 404);
  write_file(index.index() / "index.json", "{}");
  wait_for(served.figures.failed_reloads);
  EXPECT_EQ(json::parse(client.get("/v1/collection").body)["images"], 2);
}

}  // namespace
}  // namespace hinny
