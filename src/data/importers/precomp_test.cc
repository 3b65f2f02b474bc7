#include "data/importers/precomp.h"

#include <limits>

#include "data/features.h"
#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct PrecompTest : ImportTest {
  PrecompOptions options{.captions_per_image = 2};

  PrecompTest() {
    put("train_caps.txt", "a dog\nthe dog\na cat\n\n");
    write_npy(source / "train_ims.npy", std::vector<float>{1, 2, 3, 4}, {2, 2});
    put("dev_caps.txt", "a bus\nthe bus\n");
    write_npy(source / "dev_ims.npy", std::vector<float>{5, 6, 5, 6}, {2, 2});  // once per caption
  }
  Dataset read() {
    return import([&](ImportWriter& writer) { import_precomp(source, options, writer); });
  }
  std::string error() {
    return error_of([&](ImportWriter& writer) { import_precomp(source, options, writer); });
  }
};

TEST_F(PrecompTest, JoinsCaptionsAndFeatures) {
  const Dataset dataset = read();
  EXPECT_THAT(images_of(dataset), ElementsAre("train-0 train ", "train-1 train ", "val-0 val "));
  EXPECT_THAT(captions_of(dataset),
              ElementsAre("train-0 en human-original: a dog", "train-0 en human-original: the dog",
                          "train-1 en human-original: a cat", "val-0 en human-original: a bus",
                          "val-0 en human-original: the bus"));
  EXPECT_EQ(summary.skipped.at("empty caption").count, 1);
  EXPECT_THAT(summary.feature_shape, ElementsAre(3, 2));
  std::vector<float> rows(6);
  Features::open(dataset, "precomp").gather(std::vector<int>{0, 1, 2}, rows);
  EXPECT_THAT(rows, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(PrecompTest, IdsPerImageOrPerCaption) {
  put("train_ids.txt", "11\n12\n");
  put("dev_ids.txt", "13\n13\n");
  put("train_caps.txt.old", "a dog\n");
  EXPECT_THAT(images_of(read()), ElementsAre("11 train ", "12 train ", "13 val "));
  EXPECT_THAT(summary.left_alone, ElementsAre("train_caps.txt.old"));
  put("dev_ids.txt", "11\n11\n");
  EXPECT_THAT(error(), HasSubstr("image '11' is there twice"));
  options.use_ids = false;
  EXPECT_THAT(images_of(read()), ElementsAre("train-0 train ", "train-1 train ", "val-0 val "));
  options.use_ids = true;
  put("dev_ids.txt", "13\n13\n13\n");
  EXPECT_THAT(error(), HasSubstr("dev_ids.txt: 3 lines (expected 1 images or 2 captions)"));
}

// Flickr30K's numbers say nothing to other collections of the same pictures.
TEST_F(PrecompTest, NamesOfTheNumbersMakeTheIdsOfOtherImporters) {
  put("train_ids.txt", "0\n7\n");
  put("dev_ids.txt", "12\n12\n");
  for (const char* names :
       {R"({"0": "1000092795.jpg", "7": "10002456.jpg", "12": "1000268201.jpg", "99": "x.jpg"})",
        R"({"images": [{"imgid": 0, "filename": "1000092795.jpg", "sentences": []},
            {"imgid": 7, "filename": "10002456.jpg"}, {"imgid": 12, "filename": "1000268201.jpg"}]})"}) {
    options.names = read_image_names(put("names.json", names));
    EXPECT_THAT(images_of(read()),
                ElementsAre("1000092795 train 1000092795.jpg", "10002456 train 10002456.jpg",
                            "1000268201 val 1000268201.jpg"));
  }
  put("dev_ids.txt", "13\n");
  EXPECT_THAT(error(), HasSubstr("dev_ids.txt: no name of image '13'"));
  std::filesystem::remove(source / "dev_ids.txt");
  EXPECT_THAT(error(), HasSubstr("dev_ids.txt: no such file (expected the images' numbers"));
}

TEST_F(PrecompTest, OtherFilesOfNamesAreRefused) {
  const auto refusal = [&](const std::string& content) -> std::string {
    try {
      read_image_names(put("names.json", content));
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "";
  };
  for (const char* wrong : {"[]", "{\"0\": 1}", "{\"0\": {}}", "0 a.jpg\n", "{\"0\": \"a.jpg\""}) {
    EXPECT_THAT(refusal(wrong), HasSubstr("names.json: no names of images")) << wrong;
  }
  EXPECT_THAT(refusal(R"({"images": [{"imgid": 0, "filename": "a.jpg", "sentences": []},
                          {"imgid": 0, "filename": "b.jpg"}]})"),
              HasSubstr("images[1]: number 0 for the second time"));
}

TEST_F(PrecompTest, TestallStandsForTest) {
  for (const char* split : {"test", "testall"}) {
    put(split + std::string("_caps.txt"), split + std::string(" one\ntwo\n"));
    write_npy(source / (split + std::string("_ims.npy")), std::vector<float>{7, 8}, {1, 2});
  }
  const Dataset dataset = read();
  EXPECT_EQ(dataset.split("test").size(), 1U);
  EXPECT_EQ(captions_of(dataset)[5], "test-0 en human-original: testall one");
}

TEST_F(PrecompTest, RegionsAndHalfPrecision) {
  std::filesystem::remove(source / "dev_caps.txt");
  write_npy(source / "train_ims.npy", std::vector<float>(2 * 3 * 4, 0.5F), {2, 3, 4});
  options.features.float16 = true;
  read();
  EXPECT_THAT(summary.feature_shape, ElementsAre(2, 3, 4));
  EXPECT_EQ(NpyArray::open(out / "features/precomp.npy").type(), NpyType::float16);
}

TEST_F(PrecompTest, WrongFeaturesAreRefused) {
  const auto dev = source / "dev_ims.npy";
  write_npy(dev, std::vector<float>{5, 6, 5, 7}, {2, 2});
  EXPECT_THAT(error(), HasSubstr("dev_ims.npy: row 1 differs from row 0"));
  write_npy(dev, std::vector<float>(6), {3, 2});
  EXPECT_THAT(error(), HasSubstr("dev_ims.npy: 3 rows"));
  write_npy(dev, std::vector<float>(3), {1, 3});
  EXPECT_THAT(error(), HasSubstr("dev_ims.npy: rows of 3 (expected 2"));
  write_npy(dev, std::vector<float>{1, std::numeric_limits<float>::quiet_NaN()}, {1, 2});
  EXPECT_THAT(error(), HasSubstr("dev_ims.npy: row 0 holds nan"));
  options.features.float16 = true;
  write_npy(dev, std::vector<float>{1, 70000}, {1, 2});
  EXPECT_THAT(error(), HasSubstr("row 0 holds 70000"));
  put("dev_caps.txt", "one\ntwo\nthree\n");
  EXPECT_THAT(error(), HasSubstr("dev_caps.txt: 3 lines (expected a multiple of 2"));
  options.features.name = "../x";
  EXPECT_THAT(error(), HasSubstr("feature name '../x'"));
}

}  // namespace
}  // namespace hinny
