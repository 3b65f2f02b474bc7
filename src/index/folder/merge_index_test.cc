#include "index/folder/merge_index.h"

#include <gmock/gmock.h>

#include <map>
#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/read_file.h"
#include "data/part.h"
#include "index/folder/change_index.h"
#include "index/folder/index_fixture.h"
#include "index/folder/picture_reader_fixture.h"
#include "index/pictures/index_pictures.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

// More images than are computed together, and a row of features whose place must not matter.
class MergeTest : public IndexFixture {
 protected:
  static constexpr int kImages = 301;

  void SetUp() override {
    IndexFixture::SetUp();
    write_picture_set(folder / "data", kImages);
    Random random(3);
    rows.resize(kImages * std::size_t{7});
    for (float& number : rows) number = static_cast<float>(random.uniform(-1, 3));
    write_npy(folder / "data/features/f.npy", rows, {kImages, 7});
    remember();
    all_.resize(kImages);
    for (int i = 0; i < kImages; ++i) all_[static_cast<std::size_t>(i)] = i;
  }

  fs::path make(const std::string& name, std::optional<Part> part) const {
    const Dataset dataset = Dataset::load(folder / "data");
    const Features features = Features::open(dataset, "f");
    IndexInput input{all_, "test", {}, WeightType::int8, 20};
    input.part = part;
    input.codes = codes;
    if (fs::exists(folder / "run" / kRerankerFolder)) input.regions = &features;
    build_index(Model::open(folder / "run"), dataset, features, input, folder / name);
    return folder / name;
  }
  std::vector<fs::path> make_parts(std::size_t total) const {
    std::vector<fs::path> parts;
    for (std::size_t i = total; i >= 1; --i) {  // in no order
      parts.push_back(make("part." + std::to_string(i), Part{i, total}));
    }
    return parts;
  }
  void refuses(const std::vector<fs::path>& parts, const std::string& why) const {
    const bool before = fs::exists(folder / "all");
    EXPECT_THAT([&] { merge_index(parts, Graphs::where_worth, folder / "all"); },
                ThrowsMessage<InputError>(HasSubstr(why)));
    EXPECT_EQ(fs::exists(folder / "all"), before);
  }

  std::vector<int> all_;
};

TEST_F(MergeTest, IsByteForByteTheIndexMadeAtOnce) {
  const auto whole = files_of(make("whole", std::nullopt));
  ASSERT_TRUE(whole.contains("sentences.npy"));
  for (const std::size_t total : {1U, 2U, 3U, 4U, 5U}) {
    const MergeReport report = merge_index(make_parts(total), Graphs::where_worth, folder / "all");
    EXPECT_EQ(report.images, static_cast<std::size_t>(kImages));
    EXPECT_EQ(report.parts, total);
    const auto merged = files_of(folder / "all");
    ASSERT_EQ(merged.size(), whole.size()) << total;
    for (const auto& [name, bytes] : whole) EXPECT_TRUE(merged.at(name) == bytes) << name << total;
  }
}

TEST_F(MergeTest, OfCodesIsTheIndexMadeAtOnceToo) {
  for (const int bits : kCodeBits) {
    codes = bits;
    const auto whole = files_of(make("whole", std::nullopt));
    EXPECT_EQ(Index::open(folder / "whole").contents().codes, bits);
    for (const std::size_t total : {2U, 5U}) {
      merge_index(make_parts(total), Graphs::where_worth, folder / "all");
      EXPECT_TRUE(files_of(folder / "all") == whole) << bits << ' ' << total;
    }
  }
  std::vector<fs::path> parts = make_parts(2);
  codes = kInt8;
  parts[0] = make("part.2", Part{2, 2});
  refuses(parts, "has codes of other bits than");
}

// Regions, in float16, and what is corrected by them come from the parts, too.
TEST_F(MergeTest, TheRerankerIsJoinedAsWell) {
  ModelFixture late(5);
  late.attend();
  late.config.erase("attention");
  late.config["late"] = {{"sharpness", 5}, {"weight", 0.8}};
  late.write(folder / "run" / kRerankerFolder);
  const auto dim = late.config["dim"].get<std::size_t>();
  HubBank bank{dim, 0.1, 2, {}};
  Random random(4);
  HubBank::Space& space = bank.spaces["image"];
  space.lengths = {2, 1, 4};
  space.regions = 7;
  for (std::size_t i = 0; i < 7 * dim; ++i) {
    space.captions.push_back(static_cast<float>(random.uniform(-1, 1)));
    space.images.push_back(static_cast<float>(random.uniform(-1, 1)));
  }
  write_hubs(folder / "run" / kRerankerFolder / kHubsFile, bank);
  const auto whole = files_of(make("whole", std::nullopt));
  ASSERT_TRUE(whole.contains("look/regions.npy"));
  ASSERT_TRUE(Index::open(folder / "whole").reranker()->contents().hubs);
  for (const std::size_t total : {2U, 5U}) {
    merge_index(make_parts(total), Graphs::where_worth, folder / "all");
    EXPECT_TRUE(files_of(folder / "all") == whole) << total;
  }
  std::vector<fs::path> parts = make_parts(2);
  fs::remove_all(parts[0] / kRerankerFolder);
  refuses({parts[0], parts[1]}, "has not the same re-ranking model");
}

TEST_F(MergeTest, MorePartsThanImages) {
  all_.resize(3);
  const auto whole = files_of(make("whole", std::nullopt));
  EXPECT_EQ(merge_index(make_parts(5), Graphs::where_worth, folder / "all").images, 3U);
  EXPECT_TRUE(files_of(folder / "all") == whole);
}

TEST_F(MergeTest, APartIsAnIndexOfItsImages) {
  make("whole", std::nullopt);
  const Index whole = Index::open(folder / "whole");
  const Index second = Index::open(make("part", Part{2, 3}));
  EXPECT_EQ(second.size(), 100U);
  EXPECT_EQ(second.id(0), "p100");
  EXPECT_EQ(second.vector(7, "image"), whole.vector(107, "image"));
  const Index none = Index::open(make("none", Part{1, 310}));
  EXPECT_EQ(none.size(), 0U);
  const Query query{none.contents().model, "image", whole.vector(0, "image"), false, {}};
  EXPECT_TRUE(none.search(query, 3).empty());
}

TEST_F(MergeTest, RefusesWhatIsNotAllOfOneWhole) {
  std::vector<fs::path> parts = make_parts(4);  // 4, 3, 2, 1
  refuses({parts[0], parts[2]}, "missing of 4 parts: 1, 3");
  refuses({parts[0], parts[1], parts[2], parts[3], parts[1]}, "is part 3/4 (expected each once");
  refuses({parts[0], make("other", Part{1, 2})}, "is part 1/2 (expected one of 4");
  refuses({parts[0], make("whole", std::nullopt)}, "whole: is no part");
  all_.pop_back();
  refuses({parts[0], make("fewer", Part{1, 4})}, "fewer: is a part of something else");
  all_.push_back(kImages - 1);
  const std::string contents = read_file(parts[3] / kContentsFile);
  for (const char* what : {"split", "features"}) {
    auto other = nlohmann::ordered_json::parse(contents);
    other[what] = "other";
    write_file(parts[3] / kContentsFile, other.dump());
    write_checksums(parts[3]);
    refuses(parts, "was made from another split or other features than");
  }
  write_file(parts[3] / kContentsFile, contents);
  write_checksums(parts[3]);

  fixture.tensors["image.out.bias"].numbers[0] += 1;
  fixture.write(folder / "run");
  parts[3] = make("again", Part{1, 4});
  refuses(parts, "made by another model than");
}

TEST_F(MergeTest, RefusesAPartThatWasChangedAndAPlaceThatIsTaken) {
  const std::vector<fs::path> parts = make_parts(2);
  EXPECT_THAT([&] { merge_index(parts, Graphs::where_worth, parts[1]); },
              ThrowsMessage<InputError>(HasSubstr("is one of the parts")));
  remove_from_index(parts[0], {"p299"});
  refuses(parts, "part.2: is no part");
}

// A run that was killed leaves what was there, and the same command makes the same part.
TEST_F(MergeTest, APartIsMadeAgain) {
  std::vector<fs::path> parts = make_parts(3);
  const auto before = files_of(parts[1]);
  make("part.2", Part{2, 3});
  EXPECT_EQ(files_of(parts[1]), before);
  fs::remove_all(parts[1]);
  refuses(parts, "is no part");
  make("part.2", Part{2, 3});
  EXPECT_EQ(files_of(parts[1]), before);
}

// Folders of pictures: a file holds the number of an image of the fixture; others are broken.
class MergePictures : public MergeTest {
 protected:
  static constexpr int kPictures = 150;
  void SetUp() override {
    MergeTest::SetUp();
    write_file(folder / "net.onnx", "network");
    write_file(folder / "net.onnx.json", "{}");
    create_folder(folder / "pictures/deeper");
    for (int i = 0; i < kPictures; ++i) {  // with copies, in two folders
      const std::string name = (i % 3 == 0 ? "deeper/" : "") + std::to_string(i) + ".jpg";
      write_file(folder / "pictures" / name, i % 10 == 4 ? "broken" : std::to_string(i % 100));
    }
  }

  FakePictureReader reader(std::size_t most) const {
    FakePictureReader reader;
    reader.read_files = [this, most](std::span<const fs::path> files, const TakeFeatures& take) {
      for (std::size_t i = 0; i < files.size(); ++i) {
        if (i == most) throw Interrupted("stopped");
        const std::string text = read_file(files[i]);
        if (text == "broken") {
          take(i, {}, "no picture");
        } else {
          take(i, std::span(rows).subspan(std::stoul(text) * 7, 7), "");
        }
      }
    };
    return reader;
  }
  fs::path pictures(const std::string& name, std::optional<Part> part,
                    std::size_t most = 1000) const {
    PicturesInput input{folder / "pictures", WeightType::int8};
    input.part = part;
    index_pictures(PictureModel::open(folder / "run", {folder / "net.onnx"}), input, reader(most),
                   folder / name);
    return folder / name;
  }
};

TEST_F(MergePictures, AreByteForByteTheIndexMadeAtOnce) {
  const auto whole = files_of(pictures("whole", std::nullopt));
  for (const std::size_t total : {1U, 2U, 3U, 5U}) {
    std::vector<fs::path> parts;
    for (std::size_t i = 1; i <= total; ++i) {
      parts.push_back(pictures("p." + std::to_string(i), Part{i, total}));
    }
    EXPECT_EQ(merge_index(parts, Graphs::where_worth, folder / "all").images, 135U);
    EXPECT_TRUE(files_of(folder / "all") == whole) << total;
  }
  // It goes on as the index of the folder.
  fs::remove(folder / "pictures/1.jpg");
  EXPECT_TRUE(files_of(pictures("all", std::nullopt)) == files_of(pictures("fresh", std::nullopt)));
}

TEST_F(MergePictures, MorePartsThanPictures) {
  for (int i = 2; i < kPictures; ++i) {
    for (const char* where : {"", "deeper/"}) {
      fs::remove(folder / "pictures" / (where + std::to_string(i) + ".jpg"));
    }
  }
  const auto whole = files_of(pictures("whole", std::nullopt));
  std::vector<fs::path> parts;
  for (std::size_t i = 1; i <= 4; ++i) {
    parts.push_back(pictures("p." + std::to_string(i), Part{i, 4}));
  }
  EXPECT_EQ(merge_index(parts, Graphs::where_worth, folder / "all").images, 2U);
  EXPECT_TRUE(files_of(folder / "all") == whole);
}

TEST_F(MergePictures, AStoppedPartGoesOn) {
  const auto whole = files_of(pictures("whole", std::nullopt));
  const fs::path first = pictures("p.1", Part{1, 2});
  EXPECT_THROW(pictures("p.2", Part{2, 2}, 20), Interrupted);
  EXPECT_THAT(
      [&] {
        merge_index({first, folder / "p.2"}, Graphs::where_worth, folder / "all");
      },
      ThrowsMessage<InputError>(HasSubstr("p.2: is no part")));
  const fs::path second = pictures("p.2", Part{2, 2});
  merge_index({second, first}, Graphs::where_worth, folder / "all");
  EXPECT_TRUE(files_of(folder / "all") == whole);
}

TEST_F(MergePictures, AFolderThatChangedBetweenItsPartsIsNoticed) {
  const fs::path first = pictures("p.1", Part{1, 2});
  write_file(folder / "pictures/new.jpg", "5");
  refuses({first, pictures("p.2", Part{2, 2})}, "is a part of something else");
  // Divided anew, what was encoded stays.
  std::vector<fs::path> parts = {pictures("p.1", Part{1, 2}, 0), pictures("p.2", Part{2, 2}, 0)};
  merge_index(parts, Graphs::where_worth, folder / "all");
  EXPECT_TRUE(files_of(folder / "all") == files_of(pictures("whole", std::nullopt)));
}

}  // namespace
}  // namespace hinny
