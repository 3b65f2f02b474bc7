#include "index/index_pictures.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <functional>
#include <map>
#include <set>

#include "base/day.h"
#include "base/error.h"
#include "base/files.h"
#include "base/path_text.h"
#include "index/change_index.h"
#include "index/collection.h"
#include "index/filter.h"
#include "index/index.h"
#include "index/index_fixture.h"
#include "index/picture_records.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// A "picture" is a text file of the name of one of the fixture's images ("0" to "4"); its features
// are that image's. Others are broken.
class IndexPictures : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    write_file(folder / "net.onnx", "network");
    write_file(folder / "net.onnx.json", "{}");
    create_folder(root());
  }
  fs::path root() const { return folder / "pictures"; }
  fs::path index() const { return folder / "mine"; }
  void put(const std::string& file, const std::string& content) const {
    create_folder((root() / file).parent_path());
    write_file(root() / file, content);
  }

  PictureReport run(std::size_t most = 1000) {
    encoded_.clear();
    const PictureModel model = PictureModel::open(folder / "run", {folder / "net.onnx"});
    PicturesInput input{root(), WeightType::float32};
    input.exclude = exclude_;
    return index_pictures(model, input, reader(most), index());
  }

  PictureReader reader(std::size_t most) {
    const auto encode = [this, most](std::span<const fs::path> files, const TakeEncoded& take) {
      for (std::size_t i = 0; i < files.size(); ++i) {
        if (i == most) throw Interrupted("stopped");
        if (before_reading_) before_reading_(files[i]);
        if (!fs::exists(files[i])) {
          take(i, {}, "no such file");
          continue;
        }
        const std::string content = read_file(files[i]);
        encoded_.push_back(files[i].lexically_relative(root()).string());
        const bool newer = content.size() == 2 && content[1] == '+' && version_ != "old";
        if ((content.size() == 1 || newer) && content[0] >= '0' && content[0] <= '4') {
          take(i, std::span(rows).subspan(static_cast<std::size_t>(content[0] - '0') * 7, 7), "");
        } else {
          take(i, {}, "no picture");
        }
      }
    };
    // "0" was taken on the first of June 2024, "1" on the second; of the others nothing is known.
    const auto taken_at = [this](const fs::path& file) -> std::optional<Taken> {
      const std::string content = read_file(file);
      if (content == "2" && version_ == "new") {
        return Taken{parse_period("2024-06-03")->begin, TakenFrom::xmp};
      }
      if (content != "0" && content != "1") return std::nullopt;
      return Taken{parse_period(content == "0" ? "2024-06-01" : "2024-06-02")->begin,
                   TakenFrom::exif};
    };
    return {encode, taken_at, version_};
  }

  // Each file's vector is that of the image which it shows.
  void expect_vectors(const std::map<std::string, int>& shown) const {
    const Index mine = Index::open(index()), whole = Index::open(folder / "index");
    ASSERT_EQ(mine.size(), shown.size());
    for (const auto& [file, image] : shown) {
      const auto at = mine.find(file);
      ASSERT_TRUE(at.has_value()) << file;
      for (const std::string& space : mine.contents().spaces) {
        EXPECT_EQ(mine.vector(*at, space), whole.vector(static_cast<std::size_t>(image), space))
            << file;
      }
      EXPECT_EQ(fs::path(mine.picture(*at)), fs::canonical(root()) / file);
    }
  }

  std::vector<std::string> encoded_;
  std::optional<std::vector<std::string>> exclude_;
  std::string version_;  // of the reader; "old" reads no picture of "0+"
  std::function<void(const fs::path& file)> before_reading_;
};

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
    EXPECT_EQ(matching(mine, {std::nullopt, std::nullopt, folder}), std::vector<std::size_t>{*at});
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
  EXPECT_THROW(index_pictures(model, {root()}, {}, folder / "else"), InputError);
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
        whole.substr(0, second) + R"({"file":"","size":1,"modified":1,"content":""})" + "\n"}) {
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

// Of pictures that are asked for by time and folder, the best are found as among all.
TEST_F(IndexPictures, FiltersChooseBeforeTheSearch) {
  put("summer/one.jpg", "0");
  put("summer/two.jpg", "1");
  put("summerhouse.jpg", "2");
  run();
  Collection collection(index());
  const auto found = [&](const Filter& filter) {
    Question question;
    question.filter = filter;
    question.k = 1;
    std::vector<std::string> all;
    // What is found first, then without it, ...: each k is exact.
    for (question.k = 1; question.k <= 3; ++question.k) {
      const auto answer = collection.ask(std::vector<std::string>{"a dog"}, question).front();
      if (answer.found.size() == all.size()) break;
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(answer.found[i].image, all[i]);
      all.push_back(answer.found.back().image);
    }
    return all;
  };
  const auto day = [](const char* text) { return parse_period(text)->begin; };
  const auto all = found({});
  EXPECT_EQ(all.size(), 3U);
  EXPECT_THAT(found({day("2024-06-02"), day("2024-06-03"), ""}), ElementsAre("summer/two.jpg"));
  EXPECT_THAT(found({std::nullopt, day("2024-06-02"), ""}), ElementsAre("summer/one.jpg"));
  EXPECT_THAT(found({day("2030"), std::nullopt, ""}), ElementsAre());
  std::vector<std::string> in_summer = all;
  std::erase(in_summer, "summerhouse.jpg");
  EXPECT_EQ(found({std::nullopt, std::nullopt, "summer"}), in_summer);
  EXPECT_EQ(found({std::nullopt, std::nullopt, (root() / "summer/").string()}), in_summer);
  EXPECT_THAT(found({std::nullopt, std::nullopt, "winter"}), ElementsAre());
  // The file's own time, where the camera says nothing.
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(root() / "summerhouse.jpg", now - std::chrono::hours(24 * 365 * 20));
  run();
  EXPECT_TRUE(collection.reload());
  EXPECT_THAT(found({std::nullopt, day("2015"), ""}), ElementsAre("summerhouse.jpg"));

  build();  // of a dataset
  EXPECT_THAT(
      [&] {
        Question question;
        question.filter.since = 0;
        Collection(folder / "index").ask(std::vector<std::string>{"a dog"}, question);
      },
      ThrowsMessage<RequestError>(HasSubstr("does not know when")));
}

// What an older reader could not read, or not date, is tried again by another, once; the rest
// stays.
TEST_F(IndexPictures, AnotherReaderTriesAgainWhatWasBroken) {
  build();
  version_ = "old";
  put("a.jpg", "0");
  put("b.jpg", "1+");
  put("c.jpg", "2");
  put("d.jpg", "zzz");
  EXPECT_EQ(run().broken.size(), 2U);
  EXPECT_EQ(run().broken.size(), 2U);
  EXPECT_THAT(encoded_, ElementsAre());
  version_ = "new";
  const PictureReport report = run();
  EXPECT_THAT(encoded_, ElementsAre("b.jpg", "d.jpg"));
  EXPECT_EQ(report.images, 3U);
  expect_vectors({{"a.jpg", 0}, {"b.jpg", 1}, {"c.jpg", 2}});
  const Index mine = Index::open(index());
  EXPECT_EQ(time_text(mine.times()[2]), "2024-06-03 00:00:00");
  EXPECT_EQ(mine.times_from()[0], TakenFrom::exif);
  EXPECT_EQ(mine.times_from()[1], TakenFrom::file);
  EXPECT_EQ(mine.times_from()[2], TakenFrom::xmp);
  const auto written = fs::last_write_time(index() / kPictureRecordsFile);
  EXPECT_EQ(run().broken.size(), 1U);
  EXPECT_THAT(encoded_, ElementsAre());
  EXPECT_EQ(fs::last_write_time(index() / kPictureRecordsFile), written);
}

// An index of before there were versions is one of another version.
TEST_F(IndexPictures, AnIndexOfAnEarlierHinnyIsTriedAgain) {
  version_ = "old";
  put("a.jpg", "0");
  put("b.jpg", "1+");
  put("c.jpg", "2");
  run();
  const fs::path file = index() / kPictureRecordsFile;
  std::string text = read_file(file);
  const auto cut = [&](const std::string& what) {
    for (std::size_t at = 0; (at = text.find(what)) != std::string::npos;) {
      text.erase(at, what.size());
    }
  };
  cut(R"(,"reader":"old")");
  cut(R"(,"taken_from":"exif")");
  write_file(file, text);
  const Collection collection(index());
  EXPECT_EQ(Index::open(index()).times_from().front(), TakenFrom::exif);
  version_ = "new";
  EXPECT_EQ(run().images, 3U);
  EXPECT_THAT(encoded_, ElementsAre("b.jpg"));
}

// Where nothing but times and reasons changed, the vectors' file is the same one; whoever has the
// index open sees that it is another.
TEST_F(IndexPictures, WhoHasItOpenSeesNewTimes) {
  version_ = "old";
  put("c.jpg", "2");
  put("d.jpg", "zzz");
  run();
  Collection collection(index());
  const auto time = [&] { return collection.index()->times().front(); };
  const auto before = time();
  version_ = "new";
  run();
  EXPECT_THAT(encoded_, ElementsAre("d.jpg"));
  EXPECT_TRUE(collection.reload());
  EXPECT_NE(time(), before);
}

TEST_F(IndexPictures, KeepsVectorsOfAFolderThatIsAway) {
  build();
  put("one.jpg", "0");
  put("nas/two.jpg", "1");
  put("nas/deep/three.jpg", "2");
  put("gone.jpg", "3");
  run();
  const std::string whole = read_file(index() / kVectorsFile);
  fs::create_directory(folder / "store");
  fs::rename(root() / "nas", folder / "store/nas");
  create_folder(root() / "nas");  // where it is mounted
  fs::remove(root() / "gone.jpg");
  PictureReport report = run();
  EXPECT_EQ(report.images, 1U);
  EXPECT_EQ(report.removed, 3U);
  EXPECT_EQ(report.away, 2U);  // not what was taken out of a folder that is there
  expect_vectors({{"one.jpg", 0}});
  // It stays so, whatever else changes.
  put("four.jpg", "4");
  EXPECT_EQ(run().away, 2U);
  expect_vectors({{"one.jpg", 0}, {"four.jpg", 4}});
  EXPECT_EQ(run().kept, 2U);
  fs::remove(root() / "nas");
  fs::rename(folder / "store/nas", root() / "nas");
  report = run();
  EXPECT_EQ(report.returned, 2U);
  EXPECT_EQ(report.encoded, 0U);
  EXPECT_EQ(report.away, 0U);
  EXPECT_FALSE(fs::exists(index() / "away"));
  expect_vectors({{"one.jpg", 0}, {"four.jpg", 4}, {"nas/two.jpg", 1}, {"nas/deep/three.jpg", 2}});
}

TEST_F(IndexPictures, WhatIsAwayForLongIsForgotten) {
  put("one.jpg", "0");
  put("nas/two.jpg", "1");
  run();
  fs::rename(root() / "nas", folder / "nas");
  EXPECT_EQ(run().away, 1U);
  const fs::path file = index() / "away" / kPictureRecordsFile;
  std::string text = read_file(file);
  const std::string left = R"("left":")";
  text.replace(text.find(left) + left.size(), 10, "2020-01-01");
  write_file(file, text);
  EXPECT_EQ(run().away, 0U);
  EXPECT_FALSE(fs::exists(index() / "away"));
  fs::rename(folder / "nas", root() / "nas");
  EXPECT_EQ(run().encoded, 1U);
}

// It is a help, no more: what cannot be read is encoded again.
TEST_F(IndexPictures, BrokenVectorsOfWhatIsAwayAreNoHarm) {
  put("one.jpg", "0");
  put("nas/two.jpg", "1");
  run();
  fs::rename(root() / "nas", folder / "nas");
  run();
  write_file(index() / "away" / kVectorsFile, "nonsense");
  fs::rename(folder / "nas", root() / "nas");
  const PictureReport report = run();
  EXPECT_EQ(report.images, 2U);
  EXPECT_EQ(report.encoded, 1U);
}

TEST_F(IndexPictures, WhatIsLeftOutIsRememberedAndGoes) {
  put("one.jpg", "0");
  put("scans/two.jpg", "1");
  put("Thumbs/three.jpg", "2");
  EXPECT_EQ(run().images, 2U);
  exclude_ = {"scans/"};
  PictureReport report = run();
  EXPECT_EQ(report.images, 1U);
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(report.away, 0U);
  EXPECT_EQ(report.ignored.size(), 2U);
  exclude_.reset();
  EXPECT_EQ(run().images, 1U);
  put(".hinnyignore", "!scans\n");  // what was given on the command line goes before
  EXPECT_EQ(run().images, 1U);
  exclude_ = {""};
  report = run();
  EXPECT_EQ(report.images, 2U);
  EXPECT_EQ(report.ignored.size(), 1U);
  exclude_.reset();
  EXPECT_EQ(run().images, 2U);
}

TEST_F(IndexPictures, ComposedAndDecomposedNamesAreTheSame) {
  const std::string one = "M\u00e4dchen", two = "Ma\u0308dchen";
  put(one + "/a.jpg", "0");
  put("E\u0301te\u0301/b.jpg", "1");
  put("c.jpg", "2");
  run();
  const Index mine = Index::open(index());
  const auto in = [&](const std::string& folder) {
    std::vector<std::string> found;
    for (const std::size_t i : matching(mine, {{}, {}, folder})) {
      found.push_back(mine.contents().images[i]);
    }
    return found;
  };
  for (const std::string& name : {one, two, (root() / two).string()}) {
    EXPECT_THAT(in(name), ElementsAre(one + "/a.jpg")) << name;
  }
  EXPECT_THAT(in("\u00c9t\u00e9"), ElementsAre("E\u0301te\u0301/b.jpg"));
  EXPECT_THAT(in("Madchen"), ElementsAre());
  EXPECT_EQ(mine.find(two + "/a.jpg"), mine.find(one + "/a.jpg"));
  EXPECT_TRUE(mine.find("\u00c9t\u00e9/b.jpg").has_value());
  EXPECT_FALSE(mine.find("Madchen/a.jpg").has_value());
  // Where both are there, each has its own.
  put(two + "/a.jpg", "3");
  run();
  const Index both = Index::open(index());
  EXPECT_NE(both.find(two + "/a.jpg"), both.find(one + "/a.jpg"));
  EXPECT_EQ(matching(both, {{}, {}, two}), std::vector<std::size_t>{*both.find(two + "/a.jpg")});
}

TEST_F(IndexPictures, AFolderIsFoundByALinkToIt) {
  put("2024/trip/a.jpg", "0");
  put("b.jpg", "1");
  fs::create_directory_symlink("2024/trip", root() / "favourites");
  fs::create_directory_symlink(root(), folder / "album");
  run();
  const Index mine = Index::open(index());
  for (const std::string& name :
       {std::string("favourites"), std::string("2024/trip"), (folder / "album/2024").string()}) {
    EXPECT_EQ(matching(mine, {{}, {}, name}).size(), 1U) << name;
  }
  EXPECT_EQ(matching(mine, {{}, {}, (folder / "album").string()}).size(), 2U);
}

TEST_F(IndexPictures, SaysWhyAFilterLeavesNothing) {
  put("Holidays/2024/one.jpg", "0");
  put("two.jpg", "1");
  run();
  const Index mine = Index::open(index());
  const auto why = [&](const Filter& filter) { return why_nothing(mine, filter); };
  const auto year = [](const char* text) { return parse_period(text)->begin; };
  EXPECT_EQ(why({}), "");
  EXPECT_EQ(why({{}, {}, "Holidays"}), "");
  EXPECT_EQ(why({{}, {}, "Holidys"}),
            "no folder 'Holidys' in the index (did you mean 'Holidays'?)");
  EXPECT_THAT(why({{}, {}, "two.jpg"}), HasSubstr("no folder"));
  EXPECT_THAT(why({year("2090"), {}, ""}), HasSubstr("since 2090-01-01"));
  EXPECT_THAT(why({{}, year("1990"), ""}), HasSubstr("before 1990-01-01"));
  EXPECT_THAT(why({year("2024-06-02"), {}, "Holidays"}), HasSubstr("of that folder"));
}

// Years that 64 bits of nanoseconds do not hold.
TEST_F(IndexPictures, FilesOfAnyYearAreKeptApart) {
  put("c.jpg", "2");
  run();
  std::set<std::string> seen;
  for (const std::int64_t seconds : {10'413'792'000L, 10'413'792'060L, -2'000'000'000L}) {
    const timespec times[2] = {{seconds, 0}, {seconds, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (root() / "c.jpg").c_str(), times, 0), 0);
    struct stat status {};
    ASSERT_EQ(::stat((root() / "c.jpg").c_str(), &status), 0);
    if (status.st_mtim.tv_sec != seconds) GTEST_SKIP() << "the file system keeps fewer years";
    EXPECT_EQ(run().kept, 1U);
    EXPECT_EQ(run().kept, 1U);
    const Index mine = Index::open(index());
    EXPECT_EQ(mine.times().front(), wall_clock(seconds));
    seen.insert(read_file(index() / kPictureRecordsFile));
  }
  EXPECT_EQ(seen.size(), 3U);
}

TEST_F(IndexPictures, WithoutANetworkNothingSees) {
  EXPECT_THAT([&] { PictureModel::open(folder / "run", {}); },
              ThrowsMessage<InputError>(HasSubstr("--network")));
}

}  // namespace
}  // namespace hinny
