#include "index/folder/change_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/error.h"
#include "index/asking/sentences.h"
#include "index/folder/index_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class ChangeTest : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    build({0, 1, 2});
  }
  // What the dataset has now.
  template <typename Change>
  IndexChange change_to(Change change, const std::vector<int>& images) const {
    const Dataset dataset = Dataset::load(folder / "data");
    const Features features = Features::open(dataset, "f");
    return change(folder / "index", {dataset, features, images});
  }
  void alter(std::size_t image) {
    rows[image * 7] += 1;
    write_npy(folder / "data/features/f.npy", rows, {5, 7});
  }
  // The index as if it had just been built from these images.
  void expect_like_new(const std::vector<int>& images) const {
    const Index changed = Index::open(folder / "index");
    build(images, "fresh");
    const Index fresh = Index::open(folder / "fresh");
    EXPECT_TRUE(changed.contents().images == fresh.contents().images);
    EXPECT_TRUE(changed.contents().files == fresh.contents().files);
    EXPECT_TRUE(changed.contents().digests == fresh.contents().digests);
    for (const std::string& space : fresh.contents().spaces) {
      for (std::size_t i = 0; i < fresh.size(); ++i) {
        const auto one = changed.vector(i, space);
        const auto other = fresh.vector(i, space);
        for (std::size_t d = 0; d < one.size(); ++d) EXPECT_NEAR(one[d], other[d], 1e-6);
      }
      TextEncoder encoder(fresh.model());
      const std::string language = space == "second" ? "de" : "en";
      const Query query = fresh.query(encoder.encode("am strand", language), language);
      const auto one = changed.search(query, fresh.size()),
                 other = fresh.search(query, fresh.size());
      for (std::size_t i = 0; i < fresh.size(); ++i) EXPECT_EQ(one[i].image, other[i].image);
    }
  }
};

TEST_F(ChangeTest, HubsAreKnownOfWhatIsNewToo) {
  remember();
  build({0, 1, 2});
  alter(1);
  change_to(add_to_index, {1, 2, 3, 4});
  EXPECT_TRUE(Index::open(folder / "index").contents().hubs);
  expect_like_new({0, 1, 2, 3, 4});
}

TEST_F(ChangeTest, CodesStayAsTheyWereChosen) {
  remember();
  for (const int bits : kCodeBits) {
    codes = bits;
    build({0, 1, 2});
    alter(1);
    change_to(add_to_index, {1, 2, 3, 4});
    EXPECT_EQ(Index::open(folder / "index").contents().codes, bits);
    expect_like_new({0, 1, 2, 3, 4});
    remove_from_index(folder / "index", {"p1"});
    EXPECT_EQ(Index::open(folder / "index").contents().codes, bits);
    const auto scan = read_file(folder / "index" / kScanFile);
    change_to(update_index, {0, 2, 3, 4});
    EXPECT_TRUE(scan == read_file(folder / "index" / kScanFile));
  }
}

TEST_F(ChangeTest, AddingPutsNewImagesBehindAndReplacesChangedOnes) {
  alter(1);
  const IndexChange change = change_to(add_to_index, {1, 2, 3, 4});
  EXPECT_EQ(change.added, 2U);
  EXPECT_EQ(change.changed, 1U);
  EXPECT_EQ(change.kept, 2U);
  EXPECT_EQ(change.removed, 0U);
  expect_like_new({0, 1, 2, 3, 4});
}

TEST_F(ChangeTest, UpdatingLeavesJustTheseImages) {
  alter(2);
  const IndexChange change = change_to(update_index, {4, 2, 0});
  EXPECT_EQ(change.added, 1U);
  EXPECT_EQ(change.changed, 1U);
  EXPECT_EQ(change.removed, 1U);
  EXPECT_EQ(change.kept, 1U);
  expect_like_new({4, 2, 0});
}

TEST_F(ChangeTest, AnIndexOfAnEarlierVersionBecomesOneOfToday) {
  const std::filesystem::path index = folder / "index";
  with_names_in_contents(index);
  write_checksums(index);
  const Index old = Index::open(index);
  EXPECT_THAT(old.contents().images.strings(), ElementsAre("p0", "p1", "p2"));
  EXPECT_EQ(old.find("p2"), 2U);
  EXPECT_EQ(old.find("p3"), std::nullopt);
  EXPECT_EQ(change_to(update_index, {0, 1, 2}).kept, 3U);
  EXPECT_FALSE(std::filesystem::exists(index / kNamesFile)) << "nothing changed";
  EXPECT_EQ(change_to(add_to_index, {4}).added, 1U);
  EXPECT_TRUE(std::filesystem::exists(index / kNamesFile));
  expect_like_new({0, 1, 2, 4});
}

TEST_F(ChangeTest, NothingIsWrittenWhenNothingChanged) {
  const auto before = std::filesystem::last_write_time(folder / "index");
  const IndexChange change = change_to(update_index, {0, 1, 2});
  EXPECT_EQ(change.kept, 3U);
  EXPECT_EQ(std::filesystem::last_write_time(folder / "index"), before);
}

TEST_F(ChangeTest, RemovingTakesJustThoseAway) {
  EXPECT_EQ(remove_from_index(folder / "index", {"p1"}).removed, 1U);
  expect_like_new({0, 2});
  EXPECT_THAT(
      [&] {
        remove_from_index(folder / "index", {"p0", "p9"});
      },
      ThrowsMessage<InputError>(HasSubstr("holds no image 'p9'")));
  EXPECT_THAT(
      [&] {
        remove_from_index(folder / "index", {"p0", "p2"});
      },
      ThrowsMessage<InputError>(HasSubstr("would hold no image any more")));
  expect_like_new({0, 2});
}

TEST_F(ChangeTest, SentencesStayAndPicturesOfAnotherFolderGetACommonOne) {
  const Index changed = Index::open(folder / "index");
  EXPECT_FALSE(StoredSentences(changed).nearest(changed, 0, 3).empty());
  std::filesystem::create_directories(folder / "more");
  std::filesystem::copy(folder / "data", folder / "more/data",
                        std::filesystem::copy_options::recursive);
  const Dataset dataset = Dataset::load(folder / "more/data");
  const Features features = Features::open(dataset, "f");
  add_to_index(folder / "index", {dataset, features, {4}});
  const Index index = Index::open(folder / "index");
  EXPECT_EQ(index.picture(0), (folder / "data/images/p0.jpg").string());
  EXPECT_EQ(index.picture(3), (folder / "more/data/images/p4.jpg").string());
  EXPECT_FALSE(StoredSentences(index).nearest(index, 3, 3).empty());
}

// Readers see one version or the other, never a mixture or an error.
TEST_F(ChangeTest, AReaderAlwaysFindsAWholeIndex) {
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int i = 0; i < 30; ++i) {
      change_to(update_index, i % 2 == 0 ? std::vector<int>{3, 4} : std::vector<int>{0, 1, 2});
    }
    done = true;
  });
  int reads = 0;
  while (!done) {
    const Index index = Index::open(folder / "index");
    EXPECT_TRUE(index.size() == 2 || index.size() == 3);
    EXPECT_EQ(index.id(0), index.size() == 2 ? "p3" : "p0");
    ++reads;
  }
  writer.join();
  EXPECT_GT(reads, 0);
}

}  // namespace
}  // namespace hinny
