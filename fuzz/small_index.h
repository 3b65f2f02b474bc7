// An index of a few images with random vectors, with graphs (or codes) and stored sentences, for
// fuzzers.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/random.h"
#include "base/read_file.h"
#include "encoder/export_model.h"
#include "encoder/model_fixture.h"
#include "index/folder/write_index.h"
#include "tests/scratch.h"

namespace hinny {

class SmallIndex {
 public:
  enum Kind { plain, attending };
  explicit SmallIndex(Kind kind, int codes = kInt8) {
    ModelFixture model;
    if (kind == attending) model.attend();
    model.write(scratch_ / "run");
    std::filesystem::create_directories(folder() / "encoder");
    export_model(Model::open(scratch_ / "run"), WeightType::int8, folder() / "encoder");
    IndexContents contents;
    contents.model = model_hash(folder() / "encoder");
    contents.dim = 6;
    contents.codes = codes;
    contents.spaces = {"image"};
    contents.images = NameList({"a", "b", "c"});
    contents.files = NameList({"a.jpg", "", "c.jpg"});
    contents.digests = NameList({"1", "2", "3"});
    Random random(1);
    const auto fill = [&](std::size_t, std::span<float> out) {
      for (float& x : out) x = static_cast<float>(random.uniform(-1, 1));
    };
    RegionRows regions;
    if (kind == attending) regions = {kRegionsFile, {7, 6}, fill};
    const auto vectors = [&](const std::string&, std::size_t first, std::span<float> out) {
      fill(first, out);
    };
    write_index(contents, vectors, {}, regions, Graphs::none, folder());
    if (codes == kInt8) add_graph();
    write_file(folder() / "sentences.jsonl", "{\"lang\":\"en\",\"text\":\"a dog\"}\n");
    write_npy(folder() / "sentences.npy", std::vector<float>(6, 0.5F), {1, 6});
  }
  std::filesystem::path folder() const { return scratch_ / "index"; }

 private:
  void add_graph() const {
    Graph::build(Weights(folder() / kScanFile).matrix(kScanRows), folder() / graph_file(0));
    auto json = nlohmann::ordered_json::parse(read_file(folder() / kContentsFile));
    json["graphs"] = {content_hash(folder() / graph_file(0))};
    write_file(folder() / kContentsFile, json.dump());
  }
  Scratch scratch_;
};

}  // namespace hinny
