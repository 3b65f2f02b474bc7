#include "index/picture_tree.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
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
        "old.tif", "a/raw.CR2", "x.gif", ".hidden.jpg", "a/.thumbnails/x.jpg", "jpg"}) {
    put(file, "12345");
  }
  const PictureTree tree = find_pictures(root_);
  EXPECT_THAT(names(tree), ElementsAre("a/b/c/deep.png", "a/one.JPEG", "a/phone.HEIC", "a/ä ö.webp",
                                       "b.jpg", "old.tif"));
  EXPECT_EQ(tree.pictures.front().size, 5U);
  EXPECT_GT(tree.pictures.front().modified, 1'500'000'000'000'000'000);
  EXPECT_EQ(tree.other_formats, 2U);
  EXPECT_TRUE(tree.left_out.empty());
}

// A name is any bytes.
TEST_F(PictureTreeTest, TakesNamesThatAreNoUtf8) {
  put("caf\xe9/\xff.jpg");
  std::ofstream(root_ / (std::string(251, 'x') + ".jpg")) << "x";
  put("new\nline.png");
  EXPECT_THAT(names(find_pictures(root_)),
              ElementsAre("caf\xe9/\xff.jpg", "new\nline.png", std::string(251, 'x') + ".jpg"));
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

TEST_F(PictureTreeTest, SaysWhichFoldersItMayNotEnter) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may enter every folder";
  put("ok.jpg");
  put("locked/one.jpg");
  fs::permissions(root_ / "locked", fs::perms::none);
  const PictureTree tree = find_pictures(root_);
  fs::permissions(root_ / "locked", fs::perms::owner_all);
  EXPECT_THAT(names(tree), ElementsAre("ok.jpg"));
  ASSERT_EQ(tree.left_out.size(), 1U);
  EXPECT_THAT(tree.left_out.front().path, HasSubstr("locked"));
}

}  // namespace
}  // namespace hinny
