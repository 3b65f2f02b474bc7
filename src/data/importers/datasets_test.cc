#include "data/importers/datasets.h"

#include "base/npy.h"
#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using Captions = std::vector<std::pair<std::string, std::string>>;  // image, "language text"

struct DatasetsTest : ImportTest {
  // Images "id split", captions of them.
  std::filesystem::path dataset(const std::string& name,
                                const std::vector<std::pair<std::string, std::string>>& images,
                                const Captions& captions) {
    DatasetWriter writer(source / name);
    for (const auto& [id, split] : images) writer.image({id, split, ""});
    for (const auto& [id, text] : captions) {
      writer.caption(id, text.substr(0, 2), text.substr(3), Source::human_original);
    }
    writer.commit();
    return source / name;
  }
  Dataset join(const std::vector<std::filesystem::path>& folders, const JoinOptions& options = {}) {
    std::filesystem::remove_all(out);
    return import([&](ImportWriter& writer) { import_datasets(folders, options, writer); }, {},
                  true);
  }
  std::string error(const std::vector<std::filesystem::path>& folders, const JoinOptions& options) {
    return error_of([&](ImportWriter& writer) { import_datasets(folders, options, writer); });
  }

  std::filesystem::path english =
      dataset("english", {{"1", "train"}, {"2", "test"}}, {{"1", "en a dog"}, {"2", "en a cat"}});
  std::filesystem::path german = dataset("german", {{"1", "train"}, {"2", "val"}, {"3", "train"}},
                                         {{"1", "de ein Hund"},
                                          {"1", "en A dog ."},
                                          {"2", "de eine Katze"},
                                          {"3", "de Haus"},
                                          {"3", "de Haus"}});
};

TEST_F(DatasetsTest, CaptionsOfTheSameImagesComeTogether) {
  const Dataset joined = join({english, german});
  EXPECT_THAT(images_of(joined), ElementsAre("1 train ", "2 test ", "3 train "));
  EXPECT_THAT(captions_of(joined),
              ElementsAre("1 en human-original: a dog", "2 en human-original: a cat",
                          "1 de human-original: ein Hund", "2 de human-original: eine Katze",
                          "3 de human-original: Haus", "3 de human-original: Haus"));
  EXPECT_THAT(summary.skipped.at("a caption that an earlier dataset has").places,
              ElementsAre(HasSubstr("german/captions.jsonl: image '1'")));
  EXPECT_THAT(
      summary.notes.at("an image in another split of a later dataset; the first one's holds")
          .places,
      ElementsAre(HasSubstr("german: '2' is in val, not test")));
}

TEST_F(DatasetsTest, OnlyImagesOfTheFirst) {
  JoinOptions options;
  options.first_images = true;
  EXPECT_THAT(images_of(join({english, german}, options)), ElementsAre("1 train ", "2 test "));
  EXPECT_EQ(summary.skipped.at("an image that the first dataset lacks").count, 1);
}

TEST_F(DatasetsTest, SplitsFromAFile) {
  JoinOptions options;
  options.splits = ImageSplits::read(put("splits.txt", "1 val\n2 train\n"));
  EXPECT_THAT(error({english, german}, options), HasSubstr("german: image '3' is not in "));
  options.split = "test";
  EXPECT_THAT(images_of(join({english, german}, options)),
              ElementsAre("1 val ", "2 train ", "3 test "));
  EXPECT_TRUE(summary.notes.empty());
}

TEST_F(DatasetsTest, FeaturesOfTheFirstThatHasSome) {
  for (const auto& folder : {english, german}) {
    create_folder(folder / "features");
    write_file(folder / "features/ids.txt", "2\n1\n");
    write_npy(folder / "features/toy.npy", std::vector<float>{1, 2}, {2, 1});
  }
  std::filesystem::rename(english / "features/ids.txt", english / "features/elsewhere");
  std::filesystem::create_symlink("elsewhere", english / "features/ids.txt");
  write_npy(german / "features/other.npy", std::vector<float>{1, 2}, {2, 1});
  join({english, german});
  EXPECT_EQ(std::filesystem::hard_link_count(out / "features/toy.npy"), 2U);
  EXPECT_TRUE(std::filesystem::is_regular_file(out / "features/ids.txt"));
  EXPECT_FALSE(std::filesystem::is_symlink(out / "features/ids.txt"));
  EXPECT_FALSE(std::filesystem::exists(out / "features/other.npy"));
  EXPECT_EQ(summary.notes.at("features left out: an earlier dataset has some").count, 2);
}

// 300 images in English, every second in Japanese, every third in Chinese: 50 in all three.
struct DrawTest : DatasetsTest {
  std::filesystem::path half(const std::string& name, int begin, int end, int step) {
    std::vector<std::pair<std::string, std::string>> images;
    Captions captions;
    for (int i = begin; i != end; i += step) {
      const std::string id = std::to_string(i);
      images.emplace_back(id, "val2014");
      captions.emplace_back(id, "en " + id);
      if (i % 2 == 0) captions.emplace_back(id, "ja " + id);
      if (i % 3 == 0) captions.emplace_back(id, "zh " + id);
    }
    return dataset(name, images, captions);
  }
  JoinOptions options(std::uint64_t seed) {
    JoinOptions chosen;
    chosen.drawn = DrawnSplits{10, 20, {"en", "jpn", "zh-CN"}, seed};
    return chosen;
  }
  static std::set<std::string> ids(const Dataset& dataset, const std::string& split) {
    std::set<std::string> found;
    for (const int i : dataset.split(split)) {
      found.insert(dataset.images()[static_cast<std::size_t>(i)].id);
    }
    return found;
  }
  std::filesystem::path whole = half("whole", 0, 300, 1);
};

TEST_F(DrawTest, OnlyImagesWithAllLanguagesAreDrawn) {
  const Dataset drawn = join({whole}, options(1));
  EXPECT_THAT(ids(drawn, "val"), SizeIs(10));
  EXPECT_THAT(ids(drawn, "test"), SizeIs(20));
  EXPECT_THAT(ids(drawn, "train"), SizeIs(270));
  for (const char* split : {"val", "test"}) {
    for (const std::string& id : ids(drawn, split)) EXPECT_EQ(std::stoi(id) % 6, 0) << id;
  }
}

TEST_F(DrawTest, TheSeedDecidesAndNotTheOrder) {
  const Dataset one = join({whole}, options(1));
  const auto val = ids(one, "val"), test = ids(one, "test");
  const Dataset backwards = join({half("b", 299, 149, -1), half("c", 0, 150, 1)}, options(1));
  EXPECT_EQ(ids(backwards, "val"), val);
  EXPECT_EQ(ids(backwards, "test"), test);
  EXPECT_NE(ids(join({whole}, options(2)), "test"), test);
}

TEST_F(DrawTest, TooFewImagesOrNoSuchLanguageAreRefused) {
  JoinOptions many = options(1);
  many.drawn->test = 41;
  EXPECT_THAT(error({whole}, many), HasSubstr("50 images have captions in en, jpn, zh-CN (expected "
                                              "51, 10 for val and 41 for test)"));
  many.drawn->languages = {"en", "cs"};
  EXPECT_THAT(error({whole}, many), HasSubstr("--having: no caption in 'cs'"));
}

}  // namespace
}  // namespace hinny
