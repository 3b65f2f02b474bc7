// What is known of pictures from one run to the next.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <set>

#include "base/atomic_file.h"
#include "base/folders.h"
#include "base/read_file.h"
#include "index/asking/collection.h"
#include "index/pictures/index_pictures_fixture.h"
#include "index/tree/picture_records.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

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
  EXPECT_EQ(time_text(mine.folder_facts().times[2]), "2024-06-03 00:00:00");
  EXPECT_EQ(mine.folder_facts().from[0], TakenFrom::exif);
  EXPECT_EQ(mine.folder_facts().from[1], TakenFrom::file);
  EXPECT_EQ(mine.folder_facts().from[2], TakenFrom::xmp);
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
  fs::remove(index() / kChecksumsFile);
  const Collection collection(index());
  EXPECT_EQ(Index::open(index()).folder_facts().from.front(), TakenFrom::exif);
  version_ = "new";
  EXPECT_EQ(run().images, 3U);
  EXPECT_THAT(encoded_, ElementsAre("b.jpg"));
}

// What an earlier version did not look for is found when it is updated, and nothing encoded anew.
TEST_F(IndexPictures, CamerasAreAddedToAnEarlierIndex) {
  version_ = "old";
  put("a.jpg", "0");
  put("b.jpg", "1");
  run();
  EXPECT_THAT(Index::open(index()).folder_facts().cameras.names, ElementsAre(""));
  version_ = "new";
  encoded_.clear();
  run();
  EXPECT_THAT(encoded_, ElementsAre());
  const Index mine = Index::open(index());
  EXPECT_THAT(mine.folder_facts().cameras.names, ElementsAre("", "NIKON D750", "Apple iPhone 12"));
  EXPECT_EQ(mine.folder_facts().places.front(), (Coordinates{47.3769, 8.5417}));
  EXPECT_FALSE(mine.folder_facts().places.back());
  // As they were written, they are read again.
  const auto records = read_picture_records(index());
  EXPECT_EQ(records->files.front().facts.lens, "35.0 mm f/1.8");
  EXPECT_EQ(records->files.back().facts.camera, "Apple iPhone 12");
  EXPECT_EQ(records->files.back().facts.exposure, "1/250 s");
  EXPECT_EQ(records->files.back().facts.height, 1920);
}

// What Index says of it.
std::vector<std::string> raw_beside_in(const fs::path& index, std::size_t image) {
  return Index::open(index).folder_facts().raw_beside(image);
}

// A raw file that comes or goes beside a picture changes what is said of that, and nothing else.
TEST_F(IndexPictures, RawFilesComeAndGo) {
  build();
  put("a.jpg", "0");
  put("b.dng", "1");
  put("c.jpg", "2");
  run();
  put("a.CR2", "3");
  PictureReport report = run();
  EXPECT_THAT(encoded_, ElementsAre());
  EXPECT_EQ(report.images, 3U);
  EXPECT_EQ(report.raw, 1U);
  EXPECT_THAT(raw_beside_in(index(), 0), ElementsAre("a.CR2"));
  EXPECT_THAT(raw_beside_in(index(), 1), ElementsAre());
  put("b.jpg", "4");  // beside what stood for itself
  report = run();
  EXPECT_THAT(encoded_, ElementsAre("b.jpg"));
  EXPECT_EQ(report.images, 3U);
  EXPECT_EQ(report.removed, 1U);
  EXPECT_THAT(raw_beside_in(index(), 1), ElementsAre("b.dng"));
  fs::remove(root() / "a.jpg");
  report = run();
  EXPECT_THAT(encoded_, ElementsAre("a.CR2"));
  expect_vectors({{"a.CR2", 3}, {"b.jpg", 4}, {"c.jpg", 2}});
  fs::remove(root() / "b.dng");
  run();
  EXPECT_THAT(raw_beside_in(index(), 1), ElementsAre());
}

// Nobody knows what is in it now.
TEST_F(IndexPictures, PicturesOfAFolderThatCannotBeReadStay) {
  build();
  put("deep/a.jpg", "0");
  put("deep/a.CR2", "3");
  put("b.jpg", "1");
  run();
  create_folder(root() / "deep" / ".hinnyignore");  // which says what of it is wanted
  const PictureReport report = run();
  EXPECT_EQ(report.left_out.size(), 1U);
  EXPECT_EQ(report.kept, 2U);
  EXPECT_EQ(report.raw, 1U);
  expect_vectors({{"b.jpg", 1}, {"deep/a.jpg", 0}});
}

// Where nothing but times and reasons changed, the vectors' file is the same one; whoever has the
// index open sees that it is another.
TEST_F(IndexPictures, WhoHasItOpenSeesNewTimes) {
  version_ = "old";
  put("c.jpg", "2");
  put("d.jpg", "zzz");
  run();
  Collection collection(index());
  const auto time = [&] { return collection.index()->folder_facts().times.front(); };
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
  write_checksums(index() / "away");
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
    EXPECT_EQ(mine.folder_facts().times.front(), local_time(seconds));
    seen.insert(read_file(index() / kPictureRecordsFile));
  }
  EXPECT_EQ(seen.size(), 3U);
}

// Its rows stand by name, so that one more moves those behind it.
TEST_F(IndexPictures, AGraphTakesInWhatIsNew) {
  put("b.jpg", "0");
  put("c.jpg", "1");
  put("d.jpg", "2");
  run();
  add_graphs(index());
  put("a.jpg", "3");
  EXPECT_EQ(run().added, 1U);
  build();
  expect_vectors({{"a.jpg", 3}, {"b.jpg", 0}, {"c.jpg", 1}, {"d.jpg", 2}});
  const Index by_scan = Index::open(index()), by_graph = Index::open(index(), Method::graph);
  ASSERT_EQ(by_graph.contents().graphs.size(), 2U);
  for (std::size_t image = 0; image < 4; ++image) {
    const Query query{
        by_scan.contents().model, "second", by_scan.vector(image, "second"), false, {}};
    const auto wanted = by_scan.search(query, 4), found = by_graph.search(query, 4);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(found[i].image, wanted[i].image);
  }
}

// They stay as they are until others are asked for.
TEST_F(IndexPictures, CodesAreThoseThatWereAskedForLast) {
  put("b.jpg", "0");
  put("c.jpg", "1");
  run();
  const auto int8 = files_of(index());
  codes_ = 2;
  run();
  EXPECT_THAT(encoded_, ElementsAre());  // the vectors are there
  EXPECT_EQ(Index::open(index()).contents().codes, 2);
  codes_ = std::nullopt;
  put("d.jpg", "2");
  run();
  EXPECT_EQ(Index::open(index()).contents().codes, 2);
  fs::remove(root() / "d.jpg");
  codes_ = kInt8;
  run();
  EXPECT_TRUE(files_of(index()) == int8);
}

TEST_F(IndexPictures, AGraphThatIsNotWantedIsTakenAway) {
  put("b.jpg", "0");
  put("c.jpg", "1");
  run();
  add_graphs(index());
  ASSERT_FALSE(Index::open(index()).contents().graphs.empty());
  run();
  EXPECT_FALSE(Index::open(index()).contents().graphs.empty());
  graphs_ = Graphs::none;
  run();
  EXPECT_TRUE(Index::open(index()).contents().graphs.empty());
  build();
  expect_vectors({{"b.jpg", 0}, {"c.jpg", 1}});
}

}  // namespace
}  // namespace hinny
