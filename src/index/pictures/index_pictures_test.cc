#include "index/pictures/index_pictures.h"

#include <gmock/gmock.h>

#include <functional>
#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/path_text.h"
#include "base/read_file.h"
#include "base/utf8.h"
#include "index/asking/collection.h"
#include "index/asking/filter.h"
#include "index/folder/change_index.h"
#include "index/folder/index.h"
#include "index/pictures/index_pictures_fixture.h"
#include "index/tree/picture_records.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST_F(IndexPictures, MakesAnIndexThatKnowsItsFiles) {
  build();
  put("a/one.jpg", "0");
  put("b.png", "3");
  put("copy of b.png", "3");
  put("bad.jpg", "zzz");
  const PictureReport report = run();
  EXPECT_EQ(report.added, 2U);
  EXPECT_EQ(report.copies, 1U);
  EXPECT_EQ(report.encoded, 2U);
  ASSERT_EQ(report.broken.size(), 1U);
  EXPECT_EQ(report.broken.front().path, "bad.jpg");
  expect_vectors({{"a/one.jpg", 0}, {"b.png", 3}, {"copy of b.png", 3}});
  EXPECT_FALSE(fs::exists(folder / "mine.part"));
  EXPECT_THAT(Index::open(index()).contents().encoders, ElementsAre("networks/net.onnx"));
}

TEST_F(IndexPictures, BringsTheIndexUpToDate) {
  build();
  put("stays.jpg", "0");
  put("moves.jpg", "1");
  put("changes.jpg", "2");
  put("goes.jpg", "3");
  put("bad.jpg", "zzz");
  run();
  // Nothing to do: nothing is read or written.
  const auto written = fs::last_write_time(index() / "index.json");
  EXPECT_EQ(run().kept, 4U);
  EXPECT_THAT(encoded_, ElementsAre());
  EXPECT_EQ(fs::last_write_time(index() / "index.json"), written);

  create_folder(root() / "new folder");
  fs::rename(root() / "moves.jpg", root() / "new folder/moved.jpg");
  put("changes.jpg", "4");
  fs::last_write_time(root() / "changes.jpg",
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  fs::last_write_time(root() / "stays.jpg",
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  fs::remove(root() / "goes.jpg");
  put("again.jpg", "0");
  const PictureReport report = run();
  EXPECT_EQ(report.kept, 1U);
  EXPECT_EQ(report.moved, 1U);
  EXPECT_EQ(report.changed, 1U);
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(report.copies, 1U);
  EXPECT_EQ(report.added, 0U);
  EXPECT_EQ(report.broken.size(), 1U);
  EXPECT_THAT(encoded_, ElementsAre("changes.jpg"));  // what is broken is not tried again either
  expect_vectors(
      {{"stays.jpg", 0}, {"again.jpg", 0}, {"new folder/moved.jpg", 1}, {"changes.jpg", 4}});
}

TEST_F(IndexPictures, IsMadeAnewWhereTheModelRemembersOtherHubs) {
  remember();
  put("a.jpg", "0");
  run();
  run();
  EXPECT_THAT(encoded_, ElementsAre());
  HubBank other = remember();
  other.weight = 1;
  write_hubs(folder / "run" / kHubsFile, other);
  run();
  EXPECT_THAT(encoded_, ElementsAre("a.jpg"));
  EXPECT_EQ(read_file(index() / "encoder" / kHubsFile), read_file(folder / "run" / kHubsFile));
}

TEST_F(IndexPictures, GoesOnWhereItWasStopped) {
  build();
  for (const char* name : {"0", "1", "2", "3", "4"}) put(std::string(name) + ".jpg", name);
  EXPECT_THROW(run(3), Interrupted);
  EXPECT_FALSE(fs::exists(index()));
  EXPECT_TRUE(fs::exists(folder / "mine.part"));
  const PictureReport report = run();
  EXPECT_THAT(encoded_, ElementsAre("3.jpg", "4.jpg"));
  EXPECT_EQ(report.added, 5U);
  expect_vectors({{"0.jpg", 0}, {"1.jpg", 1}, {"2.jpg", 2}, {"3.jpg", 3}, {"4.jpg", 4}});
}

// A file that goes between being listed and being decoded says nothing of its content.
TEST_F(IndexPictures, WhatMovesMeanwhileIsFoundTheNextTime) {
  build();
  put("a.jpg", "0");
  put("b.jpg", "1");
  put("c.jpg", "2");
  before_reading_ = [&](const fs::path& file) {
    if (file.filename() == "b.jpg") fs::rename(file, root() / "moved.jpg");
    if (file.filename() == "c.jpg") write_file(file, "still being writt");
  };
  const PictureReport report = run();
  EXPECT_EQ(report.images, 1U);
  EXPECT_EQ(report.broken.size(), 2U);
  before_reading_ = {};
  put("c.jpg", "2");
  put("d.jpg", "2");
  run();
  expect_vectors({{"a.jpg", 0}, {"moved.jpg", 1}, {"c.jpg", 2}, {"d.jpg", 2}});
}

// Else the vector of what it holds now would be found for its old content, wherever that lies.
TEST_F(IndexPictures, WhatChangesMeanwhileHasNoVectorOfItsOldContent) {
  build();
  put("a.jpg", "0");
  put("b.jpg", "1");
  before_reading_ = [&](const fs::path& file) {
    if (file.filename() == "a.jpg") write_file(file, "3");
  };
  EXPECT_EQ(run().images, 1U);
  EXPECT_EQ(read_picture_records(index())->files.front().facts, PictureFacts{});  // nor its date
  before_reading_ = {};
  put("c.jpg", "0");
  run();
  expect_vectors({{"a.jpg", 3}, {"b.jpg", 1}, {"c.jpg", 0}});
}

TEST_F(IndexPictures, NamesThatAreNoUtf8AreKept) {
  build();
  const std::string file = "caf\xe9/\xff.jpg", id = path_text(file);
  put(file, "1");
  put("b.jpg", "2");
  run();
  const Index mine = Index::open(index());
  const auto at = mine.find(id);
  ASSERT_TRUE(at.has_value());
  EXPECT_EQ(mine.picture(*at), (fs::canonical(root()) / file).string());
  EXPECT_TRUE(is_utf8(read_file(index() / kPictureRecordsFile)));
  EXPECT_TRUE(is_utf8(read_file(index() / "index.json")));
  EXPECT_EQ(run().kept, 2U);
  for (const std::string& folder : {std::string("caf\xe9"), path_text("caf\xe9")}) {
    EXPECT_EQ(matching(mine, {std::nullopt, std::nullopt, folder}).listed(),
              std::vector<std::size_t>{*at});
  }
  // The only folder, too.
  fs::remove(root() / "b.jpg");
  run();
  EXPECT_EQ(Index::open(index()).picture(0), (fs::canonical(root()) / file).string());
  fs::remove(root() / file);
  put("b.jpg", "2");
  EXPECT_EQ(run().removed, 1U);
}

TEST_F(IndexPictures, AnotherModelReadsAllAnew) {
  put("one.jpg", "0");
  run();
  write_file(folder / "net.onnx", "another network");
  const PictureReport report = run();
  EXPECT_EQ(report.added, 1U);
  EXPECT_THAT(encoded_, ElementsAre("one.jpg"));
}

TEST_F(IndexPictures, AnEmptyFolderTakesNothingAway) {
  put("one.jpg", "0");
  run();
  fs::remove(root() / "one.jpg");
  EXPECT_THAT([&] { run(); }, ThrowsMessage<InputError>(HasSubstr("no picture below it")));
  EXPECT_EQ(Index::open(index()).size(), 1U);
  put("bad.jpg", "zzz");
  EXPECT_THAT([&] { run(); }, ThrowsMessage<InputError>(HasSubstr("no picture")));
  EXPECT_EQ(Index::open(index()).size(), 1U);
}

TEST_F(IndexPictures, OtherWaysToChangeItAreRefused) {
  put("one.jpg", "0");
  put("two.jpg", "1");
  run();
  EXPECT_THAT([&] { remove_from_index(index(), {"one.jpg"}); },
              ThrowsMessage<InputError>(HasSubstr("--pictures")));
  // A folder that is something else stays.
  create_folder(folder / "else");
  write_file(folder / "else/file", "x");
  const PictureModel model = PictureModel::open(folder / "run", {folder / "net.onnx"});
  EXPECT_THROW(index_pictures(model, {root()}, FakePictureReader(), folder / "else"), InputError);
}

TEST_F(IndexPictures, BrokenRecordsAreNamed) {
  put("one.jpg", "0");
  run();
  const fs::path file = index() / kPictureRecordsFile;
  const std::string whole = read_file(file);
  const std::size_t second = whole.find('\n') + 1;
  for (const std::string& text :
       {std::string("[]\n"), std::string("{}\n"), whole.substr(0, second) + "{\"file\": 3}\n",
        whole + "nonsense\n", whole.substr(0, second),
        whole.substr(0, second) + R"({"file":"","size":1,"modified":1,"content":""})" + "\n",
        whole.substr(0, second) + R"({"file":"a","size":-1,"modified":1,"content":""})" + "\n",
        whole.substr(0, second) + R"({"file":"a","size":1,"modified":"1","content":""})" + "\n",
        whole.substr(0, second) + R"({"file":"a","size":1,"modified":1})" + "\n"}) {
    write_file(file, text);
    EXPECT_THAT([&] { run(); }, ThrowsMessage<InputError>(HasSubstr("pictures.jsonl"))) << text;
  }
}

TEST_F(IndexPictures, ABundleIsAllThatIsNeeded) {
  build();
  put("one.jpg", "2");
  write_bundle(PictureModel::open(folder / "run", {folder / "net.onnx"}),
               {WeightType::float32, "CC-BY-4.0", std::nullopt}, folder / "bundle");
  fs::rename(folder / "run", folder / "gone");
  fs::rename(folder / "net.onnx", folder / "gone.onnx");
  const PictureModel bundle = PictureModel::open(folder / "bundle", {});
  EXPECT_TRUE(bundle.is_bundle());
  EXPECT_THAT(read_file(folder / "bundle/README.md"), HasSubstr("CC-BY-4.0"));
  index_pictures(bundle, {root()}, reader(1000), index());
  expect_vectors({{"one.jpg", 2}});

  EXPECT_THAT([&] { PictureModel::open(folder / "bundle", {folder / "gone.onnx"}); },
              ThrowsMessage<InputError>(HasSubstr("beside a bundle")));
  for (const char* encoders :
       {R"(["networks/../../x.onnx"])", R"(["/etc/passwd"])", R"(["networks/none.onnx"])", "[]",
        R"(["networks/net.onnx", "builtin-1"])"}) {
    write_file(folder / "bundle" / kBundleFile,
               std::string(R"({"format": 1, "license": "", "encoders": )") + encoders + "}");
    EXPECT_THAT([&] { PictureModel::open(folder / "bundle", {}); },
                ThrowsMessage<InputError>(HasSubstr("bundle.json")))
        << encoders;
  }
}

TEST_F(IndexPictures, WithoutANetworkNothingSees) {
  EXPECT_THAT([&] { PictureModel::open(folder / "run", {}); },
              ThrowsMessage<InputError>(HasSubstr("--network")));
}

}  // namespace
}  // namespace hinny
