#include "index/tree/picture_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::ThrowsMessage;

class PictureTreeTest : public testing::Test {
 protected:
  void put(const std::string& file, const std::string& content = "x") const {
    create_folder((root_ / file).parent_path());
    write_file(root_ / file, content);
  }
  std::vector<std::string> names(const PictureTree& tree) const {
    std::vector<std::string> files;
    for (const TreePicture& picture : tree.pictures) files.push_back(picture.file);
    return files;
  }
  const Scratch root_;
};

TEST_F(PictureTreeTest, FindsPicturesInAllFoldersByName) {
  for (const char* file :
       {"b.jpg", "a/one.JPEG", "a/b/c/deep.png", "a/ä ö.webp", "notes.txt", "a/phone.HEIC",
        "old.tif", "a/raw.CR2", "new.jxl", "x.psd", ".hidden.jpg", "a/.thumbnails/x.jpg", "jpg"}) {
    put(file, "12345");
  }
  const PictureTree tree = find_pictures(root_);
  EXPECT_THAT(names(tree), ElementsAre("a/b/c/deep.png", "a/one.JPEG", "a/phone.HEIC", "a/raw.CR2",
                                       "a/ä ö.webp", "b.jpg", "new.jxl", "old.tif"));
  EXPECT_EQ(tree.pictures.front().size, 5U);
  EXPECT_GT(tree.pictures.front().modified.seconds, 1'500'000'000);
  EXPECT_EQ(tree.not_read.other_pictures, 1U);
  EXPECT_TRUE(tree.left_out.empty());
}

// A name is any bytes.
TEST_F(PictureTreeTest, TakesNamesThatAreNoUtf8) {
  put("caf\xe9/\xff.jpg");
  const std::string longest = fmt::format("{:x>251}.jpg", "");
  std::ofstream(root_ / longest) << "x";
  put("new\nline.png");
  EXPECT_THAT(names(find_pictures(root_)),
              ElementsAre("caf\xe9/\xff.jpg", "new\nline.png", longest));
  EXPECT_THAT(names(find_pictures(root_ / "caf\xe9")), ElementsAre("\xff.jpg"));
}

// What would never end to read.
TEST_F(PictureTreeTest, LeavesPipesAndDevicesAlone) {
  put("ok.jpg");
  ASSERT_EQ(::mkfifo((root_ / "pipe.jpg").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", root_ / "device.jpg");
  EXPECT_THAT(names(find_pictures(root_)), ElementsAre("ok.jpg"));
}

// Each folder once, before it is read.
TEST_F(PictureTreeTest, SaysWhichFoldersThereAre) {
  put("a/b/one.jpg");
  put("a/.hidden/two.jpg");
  fs::create_directory_symlink(root_, root_ / "a/circle");
  std::vector<std::string> folders;
  find_pictures(root_, [&](const fs::path& folder) {
    folders.push_back(folder.lexically_relative(fs::canonical(root_)));
    if (folder.filename() == "b") put("a/b/late.jpg");
  });
  EXPECT_THAT(folders, ElementsAre(".", "a", "a/b"));
  EXPECT_EQ(find_pictures(root_).pictures.size(), 2U);
}

TEST_F(PictureTreeTest, FollowsLinksAndEndsInCircles) {
  put("a/one.jpg");
  const Scratch elsewhere;
  write_file(elsewhere / "two.jpg", "y");
  fs::create_directory_symlink(elsewhere, root_ / "linked");
  fs::create_directory_symlink(root_, root_ / "a/circle");
  fs::create_symlink(root_ / "a/one.jpg", root_ / "copy.jpg");
  fs::create_symlink(root_ / "nowhere", root_ / "lost.jpg");
  const PictureTree tree = find_pictures(root_);
  EXPECT_THAT(names(tree), ElementsAre("a/one.jpg", "copy.jpg", "linked/two.jpg"));
  ASSERT_EQ(tree.left_out.size(), 1U);
  EXPECT_THAT(tree.left_out.front().path, HasSubstr("lost.jpg"));
}

// However links are called, and wherever they stand.
TEST_F(PictureTreeTest, AFolderBelowTheRootKeepsItsName) {
  put("2024/trip/one.jpg");
  put("2024/trip/day/two.jpg");
  fs::create_directory_symlink(root_ / "2024/trip", root_ / "AAA");
  fs::create_directory_symlink("2024/trip/day", root_ / "favourites");
  fs::create_directory_symlink("..", root_ / "2024/trip/aa");
  const Scratch elsewhere;
  create_folder(elsewhere / "x");
  write_file(elsewhere / "x/three.jpg", "y");
  fs::create_directory_symlink(root_ / "2024", elsewhere / "back");
  fs::create_directory_symlink(elsewhere, root_ / "2023");
  EXPECT_THAT(names(find_pictures(root_)),
              ElementsAre("2023/x/three.jpg", "2024/trip/day/two.jpg", "2024/trip/one.jpg"));
}

// A link is no way around what is left out; who links to a hidden folder wants it.
TEST_F(PictureTreeTest, LinksLeadToNothingThatIsLeftOut) {
  put("@eaDir/a.jpg/thumb.jpg");
  put("a.jpg");
  put(".store/b.jpg");
  fs::create_directory_symlink("@eaDir", root_ / "one");
  fs::create_directory_symlink("@eaDir/a.jpg", root_ / "two");
  fs::create_directory_symlink(".store", root_ / "three");
  EXPECT_THAT(names(find_pictures(root_)), ElementsAre("a.jpg", "three/b.jpg"));
}

TEST_F(PictureTreeTest, ReadsOrCountsEveryEnding) {
  for (const char* file :
       {"a.jfif", "a.JIF", "a.jpe", "a.MPO", "a.pjpeg", "a.Jpg", "b.MOV", "b.mp4", "c.NEF", "c.dng",
        "c.cr3", "d.GIF", "d.bmp", "e.txt", "e", ".hidden.jpg", ".x"}) {
    put(file);
  }
  const PictureTree tree = find_pictures(root_);
  EXPECT_THAT(names(tree), ElementsAre("a.JIF", "a.Jpg", "a.MPO", "a.jfif", "a.jpe", "a.pjpeg",
                                       "c.NEF", "c.cr3", "c.dng", "d.GIF"));
  EXPECT_EQ(tree.not_read.films, 2U);
  EXPECT_EQ(tree.not_read.other_pictures, 1U);
  EXPECT_EQ(tree.not_read.others, 2U);
  ASSERT_EQ(tree.ignored.size(), 1U);
  EXPECT_EQ(tree.ignored.front().by, "hidden");
  EXPECT_EQ(tree.ignored.front().files, 1U);
}

// Of one photograph, as cameras write it.
TEST_F(PictureTreeTest, ARawFileBelongsToTheJpegBesideIt) {
  for (const char* file : {"a/1.CR2", "a/1.JPG", "a/1.dng", "a/2.cr3", "a/2.HIF", "a/3.nef",
                           "b/3.jpg", "a/4.RAF", "a/4.png", "a/5.arw", "a/5.heic", "a/5.jpg",
                           "a/6.jpg", "a/.7.jpg", "a/7.orf", "a/8.jpg/x.rw2", "a/8.pef"}) {
    put(file);
  }
  const PictureTree tree = find_pictures(root_);
  std::map<std::string, std::vector<std::string>> raw;
  for (const TreePicture& picture : tree.pictures) raw[picture.file] = picture.raw;
  const std::vector<std::string> none;
  EXPECT_THAT(raw, ElementsAre(Pair("a/1.JPG", ElementsAre("1.CR2", "1.dng")),
                               Pair("a/2.HIF", ElementsAre("2.cr3")), Pair("a/3.nef", none),
                               Pair("a/4.RAF", none), Pair("a/4.png", none), Pair("a/5.heic", none),
                               Pair("a/5.jpg", ElementsAre("5.arw")), Pair("a/6.jpg", none),
                               Pair("a/7.orf", none), Pair("a/8.jpg/x.rw2", none),
                               Pair("a/8.pef", none), Pair("b/3.jpg", none)));
  // Without the JPEG it stands for itself.
  raw.clear();
  for (const auto& one : find_pictures(root_, {}, {"*.jpg", "*.JPG"}).pictures) {
    raw[one.file] = one.raw;
  }
  EXPECT_TRUE(raw.contains("a/1.CR2") && raw.contains("a/1.dng"));
  EXPECT_THAT(raw["a/5.heic"], ElementsAre("5.arw"));
}

TEST_F(PictureTreeTest, LeavesOutWhatProgramsAndPeopleSay) {
  for (const char* file : {"a.jpg", "@eaDir/a.jpg/SYNO.jpg", "#recycle/b.jpg", "x/@eaDir/c.jpg",
                           "phone/.nomedia", "phone/d.jpg", "phone/sub/e.jpg", "scans/f.png",
                           "scans/f.jpg", "scans/deep/g.png", "old/h.jpg", "x/old/i.jpg"}) {
    put(file);
  }
  put(".hinnyignore", "# mine\n/old/\n");
  put("scans/.hinnyignore", "*.png\n!/deep/g.png\n");
  const PictureTree tree = find_pictures(root_);
  EXPECT_THAT(names(tree), ElementsAre("a.jpg", "scans/deep/g.png", "scans/f.jpg", "x/old/i.jpg"));
  EXPECT_TRUE(tree.left_out.empty());
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  for (const auto& one : tree.ignored) counts[one.rule] = {one.folders, one.files};
  EXPECT_THAT(counts, ElementsAre(Pair("", Pair(1U, 0U)), Pair("*.png", Pair(0U, 1U)),
                                  Pair("/old/", Pair(1U, 0U)), Pair("@eaDir/", Pair(2U, 0U)),
                                  Pair("\\#recycle/", Pair(1U, 0U))));
  EXPECT_THAT(names(find_pictures(root_, {}, {"*.png", "x/"})),
              ElementsAre("a.jpg", "scans/f.jpg"));
  // The folder that was asked for is not left out for what lies in it.
  EXPECT_THAT(names(find_pictures(root_ / "phone")), ElementsAre("d.jpg", "sub/e.jpg"));
  EXPECT_THAT(names(find_pictures(root_ / "@eaDir")), ElementsAre("a.jpg/SYNO.jpg"));
}

// A rule of one's own goes before what is usual.
TEST_F(PictureTreeTest, WhatIsUsualCanBeTakenInAgain) {
  for (const char* file : {"Thumbs/a.jpg", "phone/.nomedia", "phone/b.jpg"}) put(file);
  put(".hinnyignore", "!Thumbs/\n!/phone/\n");
  EXPECT_THAT(names(find_pictures(root_)), ElementsAre("Thumbs/a.jpg", "phone/b.jpg"));
  EXPECT_THAT(names(find_pictures(root_, {}, {"Thumbs"})), ElementsAre("phone/b.jpg"));
}

// Then nobody knows what is wanted: nothing of the folder is taken, or taken away.
TEST_F(PictureTreeTest, RulesThatCannotBeReadAreSaid) {
  put("a.jpg");
  put("x/b.jpg");
  create_folder(root_ / "x/.hinnyignore");
  const PictureTree tree = find_pictures(root_);
  EXPECT_THAT(names(tree), ElementsAre("a.jpg"));
  ASSERT_EQ(tree.left_out.size(), 1U);
  EXPECT_THAT(tree.left_out.front().path, HasSubstr("x"));
}

// Beyond what 64 bits of nanoseconds hold.
TEST_F(PictureTreeTest, FilesOfAnyYearHaveATime) {
  put("a.jpg");
  for (const std::int64_t seconds : {10'413'792'000L, -10'413'792'000L, -1L}) {
    const timespec times[2] = {{seconds, 5}, {seconds, 5}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (root_ / "a.jpg").c_str(), times, 0), 0);
    struct stat status {};
    ASSERT_EQ(::stat((root_ / "a.jpg").c_str(), &status), 0);  // some file systems keep less
    EXPECT_EQ(find_pictures(root_).pictures.front().modified.seconds, status.st_mtim.tv_sec);
  }
}

TEST_F(PictureTreeTest, SaysWhatItCannotRead) {
  put("ok.jpg");
  fs::create_symlink(root_ / "b", root_ / "a");
  fs::create_symlink(root_ / "a", root_ / "b");
  fs::create_symlink(root_ / "b", root_ / "circle.jpg");
  const PictureTree tree = find_pictures(root_);
  EXPECT_THAT(names(tree), ElementsAre("ok.jpg"));
  ASSERT_EQ(tree.left_out.size(), 1U);
  EXPECT_THAT(tree.left_out.front().path, HasSubstr("circle.jpg"));
  EXPECT_THAT([&] { find_pictures(root_ / "none"); },
              ThrowsMessage<InputError>(HasSubstr("folder of pictures")));
  EXPECT_THAT([&] { find_pictures(root_ / "ok.jpg"); },
              ThrowsMessage<InputError>(HasSubstr("no folder")));
}

// One that may be listed, too: it tells nothing of what is in it.
TEST_F(PictureTreeTest, SaysWhichFoldersItMayNotEnter) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may enter every folder";
  put("ok.jpg");
  put("locked/one.jpg");
  put("locked/deep/two.jpg");
  fs::create_symlink(root_ / "locked" / "deep", root_ / "way");
  for (const fs::perms some : {fs::perms::none, fs::perms::owner_read}) {
    fs::permissions(root_ / "locked", some);
    const PictureTree tree = find_pictures(root_);
    fs::permissions(root_ / "locked", fs::perms::owner_all);
    EXPECT_THAT(names(tree), ElementsAre("ok.jpg"));
    EXPECT_EQ(tree.left_out.size(), 2U);
    const Unseen unseen(tree);
    for (const char* file : {"locked/one.jpg", "locked/deep/two.jpg", "way/two.jpg"}) {
      EXPECT_TRUE(unseen.holds(file)) << file;
    }
    EXPECT_FALSE(unseen.holds("lock"));
    EXPECT_FALSE(unseen.holds("gone.jpg"));
  }
}

TEST_F(PictureTreeTest, BehindALinkThatLeadsNowhereIsNothing) {
  put("ok.jpg");
  fs::create_symlink(root_ / "gone", root_ / "away.jpg");
  const PictureTree tree = find_pictures(root_);
  ASSERT_EQ(tree.left_out.size(), 1U);
  EXPECT_FALSE(Unseen(tree).holds("away.jpg"));
}

}  // namespace
}  // namespace hinny
