#include "index/bundle/bundle.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "index/bundle/bundle_archive.h"
#include "index/bundle/bundle_card.h"
#include "index/bundle/bundle_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

class Bundle : public BundleFixture {
 protected:
  void expect_refused(const std::string& text, const std::string& why) const {
    write_file(folder / "bundle.json", text);
    EXPECT_THAT([&] { read_bundle_record(folder / "bundle.json"); },
                ThrowsMessage<InputError>(HasSubstr(why)))
        << text;
  }
};

TEST_F(Bundle, IsAModelThatSees) {
  remember();
  const PictureModel whole = PictureModel::open(bundle(), {});
  EXPECT_TRUE(whole.is_bundle());
  EXPECT_THAT(whole.encoders(), ElementsAre((folder / "bundle/networks/net.onnx").string()));
  EXPECT_EQ(whole.record().license, "CC-BY-4.0");
  EXPECT_EQ(whole.record().files.size(), 6U);
  EXPECT_TRUE(fs::exists(folder / "bundle" / kHubsFile));
  EXPECT_THAT([&] { PictureModel::open(folder / "bundle", {folder / "net.onnx"}); },
              ThrowsMessage<InputError>(HasSubstr("has its own")));
}

TEST_F(Bundle, IsTheSameMadeFromABundleOrAnArchive) {
  write_file(folder / "run/README.md", "# The training\n\n## Recall\n\ngood\n");
  const BundleInput asked{std::nullopt, "CC-BY-4.0", std::nullopt};
  write_bundle(run(), asked, folder / "one.tar.gz");
  write_bundle(PictureModel::open(bundle(), {}), {}, folder / "two.tar.gz");
  EXPECT_EQ(read_file(folder / "one.tar.gz"), read_file(folder / "two.tar.gz"));
  with_model_folder(folder / "one.tar.gz", [&](const fs::path& unpacked) {
    EXPECT_EQ(PictureModel::open(unpacked, {}).hash(), PictureModel::open(bundle(), {}).hash());
    write_bundle(PictureModel::open(unpacked, {}), {}, folder / "again");
  });
  EXPECT_EQ(files_of(folder / "again"), files_of(folder / "bundle"));
  EXPECT_THAT(read_file(folder / "again/README.md"), HasSubstr("# The training\n\n## Recall"));
}

TEST_F(Bundle, TakesAnotherLicenseAndOtherWeights) {
  write_bundle(PictureModel::open(bundle(), {}), {WeightType::float32, std::nullopt, "MIT"},
               folder / "other");
  const PictureModel other = PictureModel::open(folder / "other", {});
  EXPECT_EQ(other.record().license, "CC-BY-4.0");
  EXPECT_EQ(other.record().network_license, "MIT");
  EXPECT_GT(fs::file_size(folder / "other" / kWeightsFile),
            fs::file_size(folder / "bundle" / kWeightsFile));
  EXPECT_THAT(
      [&] {
        write_bundle(run(), {{}, "CC BY 4.0", {}}, folder / "third");
      },
      ThrowsMessage<InputError>(HasSubstr("CC BY 4.0")));
  EXPECT_FALSE(fs::exists(folder / "third"));
}

TEST_F(Bundle, HasACardThatSaysIt) {
  write_file(folder / "run/metrics.jsonl",
             R"({"step":1,"validation":30.5,"languages":{"de":30,"en":31}})"
             "\n"
             R"({"step":2,"validation":50.5,"languages":{"de":50,"en":51}})"
             "\n"
             R"({"step":3,"validation":40.5,"languages":{"de":40,"en":41}})"
             "\n");
  const std::string card = read_file(bundle() / kCardFile);
  for (const char* said :
       {"Languages: de, en", "License: CC-BY-4.0; of the network: not stated", "Features: f\n",
        "net.onnx, 7 bytes", "sees 224 x 224", "50 parameters", "| de | 50.0 |", "split `val`"}) {
    EXPECT_THAT(card, HasSubstr(said));
  }
  // What was measured afterwards counts more.
  write_file(folder / "run/test.json",
             R"({"split":"test","images":9,"languages":{"en":{"mean_recall":44.5}}})");
  EXPECT_THAT(
      read_file(bundle() / kCardFile),
      AllOf(HasSubstr("| en | 44.5 |"), HasSubstr("`test`, 9 pictures"), Not(HasSubstr("| de"))));
}

TEST_F(Bundle, RecallThatCannotBeReadIsLeftOut) {
  for (const char* text : {"", "[]", "{\"languages\":3}", "{\"languages\":{\"en\":1}}",
                           "{\"split\":3,\"languages\":{\"en\":{\"mean_recall\":4}}}",
                           "{\"split\":\"a\\nb\",\"languages\":{\"en\":{\"mean_recall\":4}}}",
                           "{\"split\":\"test\",\"languages\":{\"en\":{\"mean_recall\":101}}}"}) {
    write_file(folder / "run/test.json", text);
    EXPECT_FALSE(recorded_recall(folder / "run").has_value()) << text;
  }
  EXPECT_FALSE(PictureModel::open(bundle(), {}).record().recall.has_value());
}

TEST_F(Bundle, OfAnEarlierVersionIsRead) {
  bundle();
  write_file(folder / "bundle/bundle.json",
             R"({"format":1,"encoders":["networks/net.onnx"],"license":"CC BY 4.0"})");
  const PictureModel old = PictureModel::open(folder / "bundle", {});
  EXPECT_EQ(old.record().license, "CC BY 4.0");
  write_bundle(old, {}, folder / "new.tar.gz");
  with_model_folder(folder / "new.tar.gz", [](const fs::path& unpacked) {
    EXPECT_EQ(PictureModel::open(unpacked, {}).record().files.size(), 5U);
  });
}

TEST_F(Bundle, RecordIsReadStrictly) {
  BundleRecord record = PictureModel::open(bundle(), {}).record();
  record.recall = {"test", 10, {{"de", 40.5}}};
  record.network_license = "MIT";
  write_bundle_record(folder / "bundle.json", record);
  EXPECT_EQ(read_bundle_record(folder / "bundle.json"), record);
  const json good = json::parse(read_file(folder / "bundle.json"));
  const auto with = [&](const char* key, const json& value) {
    json changed = good;
    changed[key] = value;
    return changed.dump();
  };
  expect_refused("", "broken JSON");
  expect_refused("[1]", "an object");
  expect_refused(with("more", 1), "'more'");
  expect_refused(with("format", 3), "format");
  expect_refused(with("license", "two\nlines"), "license");
  expect_refused(with("license", std::string(300, 'x')), "license");
  expect_refused(with("files", json::object()), "files");
  expect_refused(with("files", {{"config.json", "12"}}), "hash");
  expect_refused(with("encoders", "builtin-1"), "encoders");
  expect_refused(with("recall", {{"split", "x"}, {"images", 1}, {"average", {{"de", 1000}}}}),
                 "recall");
  expect_refused(with("search_parameters", -1), "search_parameters");
}

TEST_F(Bundle, RecordIsOfItsModelAndFiles) {
  bundle();
  const fs::path file = folder / "bundle" / kBundleFile;
  const json good = json::parse(read_file(file));
  const auto error = [&](const char* key, const json& value) {
    json changed = good;
    changed[key] = value;
    write_file(file, changed.dump());
    try {
      PictureModel::open(folder / "bundle", {});
    } catch (const InputError& problem) {
      return std::string(problem.what());
    }
    return std::string();
  };
  EXPECT_THAT(error("languages", {"de"}), HasSubstr("languages de"));
  EXPECT_THAT(error("features", "g"), HasSubstr("features g"));
  EXPECT_THAT(error("search_parameters", 51), HasSubstr("51"));
  EXPECT_THAT(error("encoders", json::array()), HasSubstr("encoders are 0"));
  for (const char* name : {"networks/none.onnx", "../net.onnx", "networks/../../net.onnx",
                           "/etc/passwd", "net.onnx", "networks/net.onnx.json"}) {
    EXPECT_THAT(error("encoders", {name}), HasSubstr(name));
  }
  write_file(file, good.dump());
  const BundleRecord record = PictureModel::open(folder / "bundle", {}).record();
  check_files(folder / "bundle", record);
  write_file(folder / "bundle/networks/net.onnx", "other");
  EXPECT_THAT([&] { check_files(folder / "bundle", record); },
              ThrowsMessage<InputError>(HasSubstr("is not the file")));
}

TEST_F(Bundle, AnArchivesErrorsNameTheArchive) {
  write_bundle(run(), {}, folder / "b.tar.gz");
  const std::string archive = folder / "b.tar.gz";
  std::string place;
  const auto fail = [&](const fs::path& unpacked) {
    place = unpacked;
    throw InputError(unpacked / "config.json", "odd", "even");
  };
  EXPECT_THAT([&] { with_model_folder(archive, fail); },
              ThrowsMessage<InputError>(archive + "/config.json: odd (expected even)"));
  EXPECT_FALSE(fs::exists(place));
  write_archive(archive, {{"bundle.json", "{"}});
  EXPECT_THAT([&] { with_model_folder(archive, [](const fs::path&) {}); },
              ThrowsMessage<InputError>(HasSubstr(archive + "/bundle.json:1")));
  // A folder is taken as it is.
  with_model_folder(folder / "run", [&](const fs::path& same) { EXPECT_EQ(same, folder / "run"); });
}

TEST(Licenses, AreExpressionsOfSpdx) {
  for (const char* good : {"MIT", "CC-BY-4.0", "GPL-3.0-or-later WITH Classpath-exception-2.0",
                           "(MIT OR Apache-2.0) AND CC0-1.0", "GPL-2.0+", "LicenseRef-research"}) {
    EXPECT_THAT(why_no_license(good), IsEmpty()) << good;
  }
  for (const char* bad : {"CC BY 4.0", "MIT OR", "OR", "MIT, Apache-2.0", "MIT AND OR BSD", "M\nT",
                          "\x1b[31m", "", "()"}) {
    EXPECT_THAT(why_no_license(bad), Not(IsEmpty())) << bad;
  }
  EXPECT_TRUE(is_known_license("MIT OR LicenseRef-x"));
  EXPECT_FALSE(is_known_license("CC0"));
}

}  // namespace
}  // namespace hinny
