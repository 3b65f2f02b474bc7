// Every endpoint, on indexes of every kind: each optional part is missing in turn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/day.h"
#include "fuzz/small_index.h"
#include "index/folder/optional_parts_fixture.h"
#include "index/tree/picture_records.h"
#include "server/server_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;

const std::vector<std::string> kBodies = {
    R"({"q":"a dog"})",
    R"({"q":"a dog","explain":true})",
    R"({"q":["a dog","a"],"translate":true,"near_copies":true})",
    R"({"q":"a","like":"ID","not":"dog","k":1000,"near_copies":true,"rerank":5})",
    R"({"like":"ID","since":"1990","in":"x","sort":"time"})",
    R"({"q":"a","sort":"time","min_score":-1,"near_copies":true})",
    R"({"image":"bm8gcGljdHVyZQ==","q":"a"})",
    R"({"input":["a dog"]})"};
const std::vector<std::string> kPaths = {"/",
                                         "/health",
                                         "/metrics",
                                         "/openapi.json",
                                         "/v1/collection",
                                         "/v1/indexes",
                                         "/v1/image/ID",
                                         "/v1/image/ID?size=full",
                                         "/v1/sentences?image=ID",
                                         "/v1/sentences?image=ID&k=100",
                                         "/v1/search?q=a+dog&k=5"};

std::string with(std::string text, const std::string& id) {
  if (const auto at = text.find("ID"); at != std::string::npos) text.replace(at, 2, id);
  return text;
}

// `stores_sentences`: and so must show some.
void ask_everything(const std::filesystem::path& index, bool stores_sentences) {
  ServedIndex served(index);
  auto client = served.server.client();
  const auto expect_fine = [](const HttpAnswer& answer, const std::string& about) {
    EXPECT_LT(answer.status, 500) << about << "\n" << answer.body;
  };
  for (const std::string& id : served.collection.index()->contents().images.strings()) {
    for (const std::string& path : kPaths) expect_fine(client.get(with(path, id)), path);
    for (const std::string& body : kBodies) {
      for (const char* path : {"/v1/search", "/v1/embeddings"}) {
        expect_fine(client.post(path, with(body, id), "application/json"), body);
      }
    }
    const auto sentences = client.get(with("/v1/sentences?image=ID", id));
    ASSERT_EQ(sentences.status, 200);
    const json answer = json::parse(sentences.body);
    EXPECT_EQ(answer["image"], id);
    EXPECT_EQ(answer["sentences"].empty(), !stores_sentences) << answer;
  }
}

void ask_each(const std::filesystem::path& index, std::size_t least) {
  const std::size_t parts = without_each_part(index, [&](const std::string& missing, bool stated) {
    SCOPED_TRACE("without " + missing);
    if (stated) {
      EXPECT_THROW(ServedIndex{index}, InputError);
    } else {
      ask_everything(index, missing != "stored sentences");
    }
  });
  EXPECT_GE(parts, least);
}

TEST(EveryIndex, OfADatasetAndOfAFolder) {
  const Scratch folder;
  const PictureIndex pictures(folder);
  PictureRecords records{folder / "data/images", "0123", {}};
  for (int i = 0; i < 6; ++i) {
    records.files.push_back({fmt::format("p{}.jpg", i),
                             1,
                             {},
                             "x",
                             {Taken{parse_period(fmt::format("202{}", i))->begin, TakenFrom::exif}},
                             ""});
  }
  write_picture_records(pictures.index(), records);
  write_checksums(pictures.index());
  ask_each(pictures.index(), 2);
  // As `hinny index --pictures` makes it: records, and no sentences.
  for (const char* file : {"sentences.jsonl", "sentences.npy"}) {
    std::filesystem::remove(pictures.index() / file);
  }
  write_checksums(pictures.index());
  ask_everything(pictures.index(), false);
  // No caption had a word that the model knows.
  write_file(pictures.index() / "sentences.jsonl", "");
  write_npy(pictures.index() / "sentences.npy", {}, {0, 6});
  write_checksums(pictures.index());
  ask_everything(pictures.index(), false);
}

TEST(EveryIndex, OfModelsWithRegionsAndWithout) {
  for (const auto kind : {SmallIndex::plain, SmallIndex::attending}) {
    const SmallIndex small(kind);
    ask_each(small.folder(), kind == SmallIndex::plain ? 2 : 3);
  }
}

}  // namespace
}  // namespace hinny
