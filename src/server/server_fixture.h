// For tests: an index of drawn pictures, and the server on a free port of this machine.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "base/atomic_file.h"
#include "data/picture_set_fixture.h"
#include "encoder/model_fixture.h"
#include "index/folder/build_index.h"
#include "server/api.h"
#include "server/collection_watch.h"
#include "server/http_client_fixture.h"
#include "server/http_server.h"
#include "tests/scratch.h"
#include "vision/picture_encoder.h"
#include "vision/thumbnail.h"

namespace hinny {

inline std::string picture_file(int width, int height, std::uint8_t red) {
  Picture picture{width, height, {}};
  for (int i = 0; i < width * height; ++i) {
    picture.pixels.insert(picture.pixels.end(), {red, static_cast<std::uint8_t>(i), 90});
  }
  return thumbnail_jpeg(picture, std::max(width, height));
}

// Images p0 to p5 in `folder`/index; p3 has no file, and p4's is no picture. The words are those
// of ModelFixture.
class PictureIndex {
 public:
  explicit PictureIndex(std::filesystem::path folder) : folder_(std::move(folder)) {
    const auto encoder = make_builtin_encoder();
    const std::int64_t dim = encoder->row_size();
    fixture_.config["features"]["names"] = encoder->name();
    fixture_.config["features"]["parts"] = {{{"name", encoder->name()}, {"dim", dim}}};
    fixture_.add("features.mean", {dim});
    fixture_.add("features.scale", {dim});
    fixture_.add("image.fc.weight", {19, dim});
    write_picture_set(folder_ / "data", 6);
    std::filesystem::create_directories(folder_ / "data/images");
    fixture_.write(folder_ / "run");
    for (const std::string id : {"p0", "p1", "p2", "p3", "p4", "p5"}) {
      write_file(
          folder_ / "data/images" / (id + ".jpg"),
          id == "p4" ? "no picture" : picture_file(80, 40, static_cast<std::uint8_t>(id[1])));
    }
    Random random(9);
    rows_.resize(static_cast<std::size_t>(6 * dim));
    for (float& number : rows_) number = static_cast<float>(random.uniform(0, 1));
    write_features();
    build({0, 1, 2, 3, 4, 5});
  }

  std::filesystem::path index() const { return folder_ / "index"; }
  // One image has another's features, and the index is built again.
  void make_the_same(std::size_t one, std::size_t other) {
    const std::size_t dim = rows_.size() / 6;
    std::copy_n(&rows_[one * dim], dim, &rows_[other * dim]);
    write_features();
    build({0, 1, 2, 3, 4, 5});
  }
  void build(const std::vector<int>& images) const {
    const Dataset dataset = Dataset::load(folder_ / "data");
    const Features features =
        Features::open(dataset, fixture_.config["features"]["names"].get<std::string>());
    build_index(Model::open(folder_ / "run"), dataset, features,
                {images, "test", {}, WeightType::float32, 100}, index());
  }

 private:
  void write_features() const {
    const auto name = fixture_.config["features"]["names"].get<std::string>();
    write_npy(folder_ / "data/features" / (name + ".npy"), rows_,
              {6, static_cast<std::int64_t>(rows_.size() / 6)});
  }

  std::filesystem::path folder_;
  ModelFixture fixture_;
  std::vector<float> rows_;
};

// Serves in its own thread, from construction to stop().
class RunningServer {
 public:
  RunningServer(const HttpLimits& limits, Metrics& metrics, HttpServer::Answer answer)
      : server_("127.0.0.1", 0, limits, metrics, std::move(answer)),
        thread_([this] { server_.run([this] { return stop_.load(); }); }) {}
  ~RunningServer() { stop(); }

  void ask_to_stop() { stop_ = true; }
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  int port() const { return server_.port(); }
  HttpClient client() const { return HttpClient(server_.port()); }

 private:
  HttpServer server_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

// All of it: what `hinny serve` runs.
class ServedIndex {
 public:
  explicit ServedIndex(const std::filesystem::path& index, const std::string& key = "",
                       const HttpLimits& limits = {})
      : collection(index, served_collection()),
        figures(metrics.add_index("index")),
        watch(collection, index, figures, std::chrono::milliseconds(20)),
        api({{"index", collection}}, metrics, {key, limits.waiting}),
        exchange([this](const HttpRequest& request) { return api.find(request); }, metrics, false),
        server(limits, metrics,
               [this](const HttpRequest& request) { return exchange.answer(request); }) {}

  Metrics metrics;
  Collection collection;
  Metrics::Index& figures;
  CollectionWatch watch;
  Api api;
  Exchange exchange;
  RunningServer server;
};

}  // namespace hinny
