#include "index/picture_tree.h"

#include <gmock/gmock.h>
#include <unistd.h>

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
  for (const char* file : {"b.jpg", "a/one.JPEG", "a/b/c/deep.png", "a/ä ö.webp", "notes.txt",
                           "a/raw.HEIC", "old.tif", ".hidden.jpg", "a/.thumbnails/x.jpg", "jpg"}) {
    put(file, "12345");
  }
  const PictureTree tree = find_pictures(root_);
  EXPECT_THAT(names(tree), ElementsAre("a/b/c/deep.png", "a/one.JPEG", "a/ä ö.webp", "b.jpg"));
  EXPECT_EQ(tree.pictures.front().size, 5U);
  EXPECT_GT(tree.pictures.front().modified, 1'500'000'000'000'000'000);
  EXPECT_EQ(tree.other_formats, 2U);
  EXPECT_TRUE(tree.left_out.empty());
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
  put("broken \xff name.jpg");
  const PictureTree tree = find_pictures(root_);
  EXPECT_THAT(names(tree), ElementsAre("ok.jpg"));
  ASSERT_EQ(tree.left_out.size(), 1U);
  EXPECT_THAT(tree.left_out.front().why, HasSubstr("UTF-8"));
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
