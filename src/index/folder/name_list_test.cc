#include "index/folder/name_list.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "base/read_file.h"
#include "index/folder/index_entries.h"
#include "index/folder/index_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::Optional;
using testing::ThrowsMessage;

const std::vector<std::string> kIds = {"b", "", "a", "\xc3\xa9", "b", "ab"};
const std::vector<std::string> kFilesOfIds = {"x/b.jpg", "", "\xff.jpg", "", "", "y"};

struct WrittenNames {
  WrittenNames() {
    write_names(static_cast<const std::filesystem::path&>(folder), NameList(kIds),
                NameList(kFilesOfIds), NameList(std::vector<std::string>(kIds.size())));
  }
  NameTable read() const {
    return read_names(static_cast<const std::filesystem::path&>(folder), nullptr);
  }
  Scratch folder;
};

TEST(Names, AreWhatWasWrittenInTheirOrder) {
  const WrittenNames written;
  const NameTable names = written.read();
  EXPECT_THAT(names.images.strings(), ElementsAreArray(kIds));
  EXPECT_THAT(names.files.strings(), ElementsAreArray(kFilesOfIds));
  EXPECT_THAT(names.digests.strings(), testing::Each(""));
  EXPECT_TRUE(names.images == NameList(kIds));
  EXPECT_FALSE(names.images == names.files);
}

// Of equal names the first, whether the order is that of the file or was made here.
TEST(Names, AreFound) {
  const WrittenNames written;
  const NameTable names = written.read();
  for (const NameOrder& order : {names.order, NameOrder(NameList(kIds))}) {
    for (const std::string& id : kIds) {
      const auto first = std::ranges::find(kIds, id) - kIds.begin();
      EXPECT_THAT(order.find(names.images, id), Optional(first)) << id;
    }
    for (const char* other : {"A", "aa", "abc", "bb", "\xff"}) {
      EXPECT_EQ(order.find(names.images, other), std::nullopt) << other;
    }
  }
  EXPECT_EQ(NameOrder(NameList()).find(NameList(), "a"), std::nullopt);
}

// Whoever has the list, the file stays open.
TEST(Names, OutliveWhoReadThem) {
  std::optional<WrittenNames> written(std::in_place);
  std::optional<NameTable> names(written->read());
  const NameList images = names->images;
  names.reset();
  written.reset();
  EXPECT_THAT(images.strings(), ElementsAreArray(kIds));
  NameList more = images;
  more.push_back("c");
  EXPECT_EQ(more.size(), kIds.size() + 1);
  EXPECT_EQ(more[2], "a");
  EXPECT_EQ(more[6], "c");
}

class StoredNames : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    build();
    without_checksums();
  }
  std::filesystem::path index() const { return folder / "index"; }
  // Changes numbers of the table in place.
  template <typename Number>
  void set(const char* tensor, std::size_t place, Number number) const {
    const SafetensorsFile file = SafetensorsFile::open(index() / kNamesFile);
    const auto at =
        static_cast<std::size_t>(file.at(tensor).bytes.data() - file.file_bytes().data());
    std::string bytes = read_file(index() / kNamesFile);
    std::memcpy(&bytes[at + place * sizeof number], &number, sizeof number);
    write_file(index() / kNamesFile, bytes);
  }
  void write(const std::vector<std::string>& ids, const std::vector<std::string>& files,
             std::size_t digests) const {
    write_names(index(), NameList(ids), NameList(files),
                NameList(std::vector<std::string>(digests)));
  }
};

TEST_F(StoredNames, ThatDoNotFitAreRefusedWithASentence) {
  const std::vector<std::string> ids = {"p0", "p1", "p2", "p3", "p4"}, none(5);
  const auto read_all = [](const Index& index) {
    for (std::size_t i = 0; i < index.size(); ++i) {
      index.id(i);
      index.picture(i);
    }
    index.find("p3");
    stored_entries(index);
  };
  struct Fault {
    const char* said;
    std::function<void()> make;
  };
  const std::vector<Fault> faults = {
      {"names.safetensors: image 1 has a name from byte 2 to 1",
       [&] { set<std::int64_t>("images.ends", 1, 1); }},
      {"image 4 has a name from byte 8 to 11", [&] { set<std::int64_t>("images.ends", 4, 11); }},
      {"image 2 has a name from byte", [&] { set<std::int64_t>("digests.ends", 2, -1); }},
      {"'images.order' names image 5 (expected images below 5)",
       [&] { set<std::int32_t>("images.order", 2, 5); }},
      {"image 2 has an id that is no UTF-8", [&] { set<char>("images", 4, '\xff'); }},
      {"image 1 is '../p1.jpg'",
       [&] {
         write(ids, {"", "../p1.jpg", "", "", ""}, 5);
       }},
      {"image 1 is '/p1.jpg'",
       [&] {
         write(ids, {"", "/p1.jpg", "", "", ""}, 5);
       }},
      {"image 1 is 'a/..'",
       [&] {
         write(ids, {"", "a/..", "", "", ""}, 5);
       }},
      {"tensor 'files.ends' is [4]",
       [&] {
         write(ids, {4, ""}, 5);
       }},
      {"tensor 'digests.ends' is [6]", [&] { write(ids, none, 6); }},
      {"vectors.npy: shape [10, 6] (expected float32 [8, 6])",
       [&] {
         write({"p0", "p1", "p2", "p3"}, {4, ""}, 4);
       }},
      {"names.safetensors", [&] { std::filesystem::resize_file(index() / kNamesFile, 100); }},
      {"names.safetensors: no such file", [&] { std::filesystem::remove(index() / kNamesFile); }},
  };
  for (const Fault& fault : faults) {
    build();
    without_checksums();
    ASSERT_NO_THROW(read_all(Index::open(index())));
    fault.make();
    EXPECT_THAT([&] { read_all(Index::open(index())); },
                ThrowsMessage<InputError>(HasSubstr(fault.said)));
  }
}

TEST_F(StoredNames, MayHaveDotsInThem) {
  write({"p0", "p1", "p2", "p3", "p4"}, {"a..b.jpg", "...", "..c/d", "", ""}, 5);
  const Index mine = Index::open(index());
  EXPECT_EQ(mine.file(2), "..c/d");
}

// They are read, and compared, where they are asked for and nowhere else.
TEST_F(StoredNames, ThatChangedAreNoticedWhenTheyAreRead) {
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(fmt::format("{:030000}", i));
  write(ids, std::vector<std::string>(5), 5);
  write_checksums(index());
  ASSERT_NO_THROW(stored_entries(Index::open(index())));
  set<char>("images", 4 * 30'000 + 20'000, 'x');
  const Index mine = Index::open(index());
  EXPECT_EQ(mine.films().count, 0U);
  EXPECT_EQ(mine.id(2), ids[2]);
  EXPECT_THAT(mine.find(ids[1]), Optional(1U));
  EXPECT_THAT([&] { mine.id(4); },
              ThrowsMessage<InputError>(HasSubstr("names.safetensors: damaged")));
}

}  // namespace
}  // namespace hinny
