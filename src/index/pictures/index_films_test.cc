// Films in an index of a folder of pictures.
#include <gmock/gmock.h>

#include <chrono>

#include "index/folder/away.h"
#include "index/pictures/index_pictures.h"
#include "index/pictures/index_pictures_fixture.h"
#include "index/tree/picture_records.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class IndexFilms : public IndexPictures {
 protected:
  void SetUp() override {
    IndexPictures::SetUp();
    build();
  }
  std::string records() const { return read_file(index() / kPictureRecordsFile); }
  std::string vectors() const { return read_file(index() / kVectorsFile); }
};

TEST_F(IndexFilms, AreImagesOfTheirFrames) {
  put("a.jpg", "0");
  put("walks/lake.mp4", "123");
  put("z.jpg", "4");
  const PictureReport report = run();
  EXPECT_EQ(report.added, 3U);
  EXPECT_EQ(report.films, 1U);
  EXPECT_EQ(report.frames, 3U);
  EXPECT_EQ(report.images, 5U);
  EXPECT_EQ(report.encoded, 5U);
  expect_vectors({{"a.jpg", 0},
                  {"walks/lake.mp4#t=0.5", 1},
                  {"walks/lake.mp4#t=5.5", 2},
                  {"walks/lake.mp4#t=10.5", 3},
                  {"z.jpg", 4}});
  const Index mine = Index::open(index());
  EXPECT_EQ(mine.films().count, 1U);
  EXPECT_THAT(mine.films().of, ElementsAre(Index::Films::kNone, 0, 0, 0, Index::Films::kNone));
  EXPECT_EQ(mine.folder_facts().times.size(), 5U);
  EXPECT_EQ(mine.folder_facts().cameras.of.size(), 5U);
  EXPECT_THAT(records(), HasSubstr(R"("frames":"0.5 5.5 10.5")"));
}

TEST_F(IndexFilms, AreNotDecodedAgain) {
  put("a.jpg", "0");
  put("lake.mp4", "12");
  put("bad.mp4", "x");
  run();
  const auto written = fs::last_write_time(index() / "index.json");
  PictureReport report = run();
  EXPECT_THAT(encoded_, IsEmpty());
  EXPECT_EQ(report.kept, 2U);
  EXPECT_EQ(report.broken.size(), 1U);
  EXPECT_EQ(fs::last_write_time(index() / "index.json"), written);

  create_folder(root() / "walks");
  fs::rename(root() / "lake.mp4", root() / "walks/lake.mp4");
  put("copy.mp4", "12");
  put("other.mp4", "34");
  report = run();
  EXPECT_THAT(encoded_, ElementsAre("other.mp4"));
  EXPECT_EQ(report.moved, 1U);
  EXPECT_EQ(report.copies, 1U);
  EXPECT_EQ(report.added, 1U);
  expect_vectors({{"a.jpg", 0},
                  {"copy.mp4#t=0.5", 1},
                  {"copy.mp4#t=5.5", 2},
                  {"other.mp4#t=0.5", 3},
                  {"other.mp4#t=5.5", 4},
                  {"walks/lake.mp4#t=0.5", 1},
                  {"walks/lake.mp4#t=5.5", 2}});
  fs::remove(root() / "other.mp4");
  put("copy.mp4", "1");
  fs::last_write_time(root() / "copy.mp4",
                      fs::file_time_type::clock::now() + std::chrono::hours(1));
  report = run();
  EXPECT_EQ(report.changed, 1U);
  EXPECT_EQ(report.removed, 1U);
  expect_vectors({{"a.jpg", 0},
                  {"copy.mp4#t=0.5", 1},
                  {"walks/lake.mp4#t=0.5", 1},
                  {"walks/lake.mp4#t=5.5", 2}});
}

TEST_F(IndexFilms, HaveAsManyFramesAsAreAskedFor) {
  put("a.jpg", "0");
  put("lake.mp4", "1234");
  film_frames_ = 2;
  EXPECT_EQ(run().frames, 2U);
  film_frames_.reset();  // as it was made
  EXPECT_EQ(run().frames, 2U);
  EXPECT_THAT(encoded_, IsEmpty());
  film_frames_ = 3;
  EXPECT_EQ(run().frames, 3U);
  EXPECT_THAT(encoded_, ElementsAre("lake.mp4"));
  film_frames_ = 0;
  const PictureReport report = run();
  EXPECT_EQ(report.films, 0U);
  EXPECT_EQ(report.removed, 1U);
  EXPECT_EQ(report.not_read.films, 1U);
  EXPECT_FALSE(report.lacks_film_reader);
  film_frames_.reset();
  EXPECT_EQ(run().films, 0U);
  expect_vectors({{"a.jpg", 0}});
}

TEST_F(IndexFilms, WithoutAReaderThoseThatAreThereStay) {
  put("a.jpg", "0");
  put("lake.mp4", "12");
  put("bad.mp4", "x");
  run();
  const std::string before = vectors();
  has_film_reader_ = false;
  version_ = "without";
  put("new.mp4", "3");
  PictureReport report = run();
  EXPECT_TRUE(report.lacks_film_reader);
  EXPECT_EQ(report.not_read.films, 2U);
  EXPECT_EQ(report.films, 1U);
  EXPECT_EQ(vectors(), before);
  has_film_reader_ = true;
  report = run();
  EXPECT_FALSE(report.lacks_film_reader);
  EXPECT_EQ(report.films, 2U);
  fs::remove(root() / "a.jpg");
  for (const char* film : {"lake.mp4", "new.mp4", "bad.mp4"}) fs::remove(root() / film);
  put("only.mp4", "3");
  fs::remove_all(index());
  has_film_reader_ = false;
  EXPECT_THAT([this] { run(); },
              ThrowsMessage<NoPictures>(HasSubstr("1 films that hinny-film would read")));
}

TEST_F(IndexFilms, PicturesThatMoveAreImagesOfTheirFrames) {
  put("a.jpg", "0");
  put("dance.gif", "12");
  put("still.gif", "3");
  has_film_reader_ = false;  // they need none
  PictureReport report = run();
  EXPECT_EQ(report.films, 1U);
  EXPECT_EQ(report.not_read.films, 0U);
  const std::map<std::string, int> all = {
      {"a.jpg", 0}, {"dance.gif#t=0.5", 1}, {"dance.gif#t=5.5", 2}, {"still.gif", 3}};
  expect_vectors(all);
  EXPECT_EQ(Index::open(index()).films().count, 1U);
  run();
  EXPECT_THAT(encoded_, IsEmpty());
  fs::rename(root() / "dance.gif", root() / "later.gif");
  EXPECT_EQ(run().moved, 1U);
  EXPECT_THAT(encoded_, IsEmpty());
  fs::rename(root() / "later.gif", root() / "dance.gif");
  film_frames_ = 1;
  EXPECT_EQ(run().frames, 1U);
  film_frames_ = 0;  // a picture like others
  EXPECT_EQ(run().films, 0U);
  EXPECT_THAT(encoded_, ElementsAre("dance.gif")) << "no scene is its first picture";
  expect_vectors({{"a.jpg", 0}, {"dance.gif", 1}, {"still.gif", 3}});
  film_frames_ = 12;
  run();
  expect_vectors(all);
}

// Earlier versions read the first picture alone.
TEST_F(IndexFilms, PicturesOfAnEarlierVersionMoveFromNowOn) {
  put("dance.gif", "12");
  put("still.gif", "3");
  version_ = "old";
  run();
  expect_vectors({{"dance.gif", 1}, {"still.gif", 3}});
  version_ = "new";
  run();
  EXPECT_THAT(encoded_, ElementsAre("dance.gif"));
  expect_vectors({{"dance.gif#t=0.5", 1}, {"dance.gif#t=5.5", 2}, {"still.gif", 3}});
}

TEST_F(IndexFilms, GoOnWhereTheyWereStopped) {
  put("a.jpg", "0");
  put("b.mp4", "12");
  put("c.mp4", "34");
  put("d.mp4", "4");
  EXPECT_THROW(run(1), Interrupted);
  const PictureReport report = run();
  EXPECT_THAT(encoded_, ElementsAre("c.mp4", "d.mp4"));
  EXPECT_EQ(report.frames, 5U);
  expect_vectors({{"a.jpg", 0},
                  {"b.mp4#t=0.5", 1},
                  {"b.mp4#t=5.5", 2},
                  {"c.mp4#t=0.5", 3},
                  {"c.mp4#t=5.5", 4},
                  {"d.mp4#t=0.5", 4}});
}

TEST_F(IndexFilms, OfAnotherNumberOfFramesBeginAnew) {
  put("a.jpg", "0");
  put("b.mp4", "12");
  put("c.mp4", "34");
  EXPECT_THROW(run(1), Interrupted);
  film_frames_ = 1;
  EXPECT_EQ(run().frames, 2U);
  EXPECT_THAT(encoded_, ElementsAre("b.mp4", "c.mp4"));
}

TEST_F(IndexFilms, AreKeptWhileTheirFolderIsAway) {
  put("a.jpg", "0");
  put("disk/b.mp4", "12");
  put("disk/c.jpg", "3");
  put("disk/d.mp4", "43");
  run();
  fs::rename(root() / "disk", folder / "unplugged");
  PictureReport report = run();
  EXPECT_EQ(report.away, 3U);
  EXPECT_EQ(report.images, 1U);
  report = run();
  EXPECT_EQ(report.away, 3U);
  fs::rename(folder / "unplugged", root() / "disk");
  report = run();
  EXPECT_THAT(encoded_, IsEmpty());
  EXPECT_EQ(report.returned, 3U);
  expect_vectors({{"a.jpg", 0},
                  {"disk/b.mp4#t=0.5", 1},
                  {"disk/b.mp4#t=5.5", 2},
                  {"disk/c.jpg", 3},
                  {"disk/d.mp4#t=0.5", 4},
                  {"disk/d.mp4#t=5.5", 3}});
}

// As phones take them: a second of film with each photograph.
TEST_F(IndexFilms, ThatArePhotographsInMotionAreLeftAlone) {
  put("IMG_1.HEIC", "0");
  put("IMG_1.MOV", "1");
  put("IMG_2.MOV", "2");
  put("poster.jpg", "3");
  put("poster.mp4", "4");
  fs::resize_file(root() / "poster.mp4", 30U << 20U);
  const PictureReport report = run();
  ASSERT_EQ(report.ignored.size(), 1U);
  EXPECT_EQ(report.ignored.front().by, "motion");
  EXPECT_EQ(report.ignored.front().files, 1U);
  EXPECT_THAT(report.ignored.front().example, HasSubstr("IMG_1.MOV"));
  EXPECT_EQ(report.films, 1U);
  ASSERT_EQ(report.broken.size(), 1U);  // but it was read
  EXPECT_EQ(report.broken.front().path, "poster.mp4");
}

// Indexes of versions that knew no films.
TEST_F(IndexFilms, ComeIntoAnIndexThatHasNone) {
  put("a.jpg", "0");
  run();
  std::string text = records();
  const std::string known = R"(,"film_frames":30)";
  const std::size_t at = text.find(known);
  ASSERT_NE(at, std::string::npos);
  write_file(index() / kPictureRecordsFile, text.erase(at, known.size()));
  std::filesystem::remove(index() / kChecksumsFile);
  put("lake.mp4", "1");
  EXPECT_EQ(run().films, 1U);
  EXPECT_THAT(encoded_, ElementsAre("lake.mp4"));
}

}  // namespace
}  // namespace hinny
