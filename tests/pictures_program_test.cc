// A folder of pictures that nobody described, as a user makes it searchable.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/atomic_file.h"
#include "base/folders.h"
#include "base/path_text.h"
#include "base/read_file.h"
#include "tests/drawn_bundle.h"
#include "vision/picture_files_fixture.h"
#include "vision/raw_files_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class PicturesProgram : public DrawnBundle {
 protected:
  Outcome index(std::vector<std::string> more = {}) const {
    more.insert(more.begin(),
                {"index", *made_ / "bundle", "--pictures", root_, "--out", mine_, "--json"});
    return run_hinny(more);
  }
  json indexed() const {
    const Outcome done = index();
    EXPECT_EQ(done.code, 0) << done.err;
    return json::parse(done.out, nullptr, false);
  }
  fs::path one_picture() const {
    for (const auto& item : fs::directory_iterator(root_)) {
      if (item.path().filename().string().starts_with("drawn-")) return item.path();
    }
    ADD_FAILURE() << "no drawn picture";
    return {};
  }
  static std::map<std::string, double> scores(const std::string& index) {
    const Outcome found =
        run_hinny({"search", index, "three yellow cups", "--lang", "en", "-k", "100", "--json"});
    EXPECT_EQ(found.code, 0) << found.err;
    std::map<std::string, double> by_file;
    const json answer = json::parse(found.out, nullptr, false);
    for (const json& hit : answer["results"]) {
      by_file[fs::path(hit["file"].get<std::string>()).filename()] = hit["score"];
    }
    return by_file;
  }
};

TEST_F(PicturesProgram, AFolderIsFoundAsADatasetIs) {
  EXPECT_EQ(indexed()["added"], 60);
  const std::string dataset = scratch_ / "dataset";
  ASSERT_EQ(run_hinny({"index", *made_ / "run", "--data", *made_ / "drawn", "--split", "all",
                       "--out", dataset})
                .code,
            0);
  const auto folder = scores(mine_), whole = scores(dataset);
  ASSERT_EQ(folder.size(), 60U);
  // float16 features in the dataset.
  for (const auto& [file, score] : whole) EXPECT_NEAR(folder.at(file), score, 0.01) << file;
  // It can be asked with pictures, too.
  const Outcome like = run_hinny(
      {"search", mine_, "--image", fs::path(root_) / folder.begin()->first, "-k", "1", "--json"});
  ASSERT_EQ(like.code, 0) << like.err;
  EXPECT_EQ(json::parse(like.out)["results"][0]["image"], folder.begin()->first);
}

TEST_F(PicturesProgram, WhatIsNoPictureIsNamedAndTheRestIsFound) {
  write_file(fs::path(root_) / "broken.jpg", "no picture");
  const std::string whole = read_file(one_picture());
  write_file(fs::path(root_) / "cut off.png", whole.substr(0, whole.size() / 10));
  write_file(fs::path(root_) / "no end.png", whole.substr(0, whole.size() - 12));
  write_file(fs::path(root_) / "raw.cr2", "x");
  write_file(fs::path(root_) / "layers.psd", "x");
  write_file(fs::path(root_) / "one.MOV", "x");
  write_file(fs::path(root_) / "two.mp4", "x");
  const json report = json::parse(index({"--film-frames", "0"}).out, nullptr, false);
  EXPECT_EQ(report["images"], 61);
  EXPECT_EQ(report["broken"].size(), 3U);
  ASSERT_EQ(report["incomplete"].size(), 1U);
  EXPECT_THAT(report["incomplete"][0]["path"], HasSubstr("no end.png"));
  EXPECT_EQ(report["incomplete"][0]["why"], "its end is missing; what is there is read");
  EXPECT_EQ(report["other_formats"], 1);
  EXPECT_EQ(report["films"], 2);
  fs::remove(fs::path(root_) / "broken.jpg");
  const Outcome again =
      run_hinny({"index", *made_ / "bundle", "--pictures", root_, "--out", mine_});
  EXPECT_EQ(again.code, 0);
  EXPECT_THAT(again.out, HasSubstr("61 pictures (1 gone, 61 as they were)"));
  EXPECT_THAT(again.err, HasSubstr("cut off.png"));
  EXPECT_THAT(again.err, HasSubstr("not read: 2 films and 1 picture of other formats ("));
}

// Previews of a NAS, and what people do not want; said, counted, remembered.
TEST_F(PicturesProgram, WhatIsLeftOutIsSaid) {
  const std::string drawn = one_picture();
  for (const char* folder : {"@eaDir/x.png", "scans"}) {
    create_folder(fs::path(root_) / folder);
    fs::copy_file(drawn, fs::path(root_) / folder / "a.png");
  }
  const Outcome done = run_hinny(
      {"index", *made_ / "bundle", "--pictures", root_, "--out", mine_, "--exclude", "scans/"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("left out: 1 folder by @eaDir/"));
  EXPECT_THAT(done.err, HasSubstr("left out: 1 folder by scans/ of --exclude"));
  const json again = indexed();
  EXPECT_EQ(again["images"], 60);
  EXPECT_EQ(again["kept"], 60);
  ASSERT_EQ(again["ignored"].size(), 2U);
  EXPECT_EQ(again["ignored"][0]["by"], "--exclude");
  EXPECT_EQ(again["ignored"][1]["rule"], "@eaDir/");
  const Outcome inspected = run_hinny({"inspect", mine_, "--json"});
  EXPECT_EQ(json::parse(inspected.out)["exclude"], json({"scans/"}));
  EXPECT_TRUE(json::parse(inspected.out).contains("reader"));
}

// Options of one mode do nothing in the other: whoever gives them means something else.
TEST_F(PicturesProgram, OptionsWithoutEffectAreRefused) {
  for (const auto& [option, value] : {std::pair("--translator", "x"),
                                      {"--sentences", "5"},
                                      {"--split", "all"},
                                      {"--features", "f"},
                                      {"--weights", "fp32"}}) {
    const Outcome done =
        run_hinny({"index", *made_ / "bundle", "--pictures", root_, "--out", mine_, option, value});
    EXPECT_EQ(done.code, 2) << option;
    EXPECT_THAT(done.err, HasSubstr(option));
  }
  EXPECT_FALSE(fs::exists(mine_));
  for (const char* option : {"--exclude=x", "--json"}) {
    const Outcome done =
        run_hinny({"index", *made_ / "run", "--data", *made_ / "drawn", "--out", mine_, option});
    EXPECT_EQ(done.code, 2) << option;
    EXPECT_THAT(done.err, HasSubstr(" has no effect with --data (expected no "));
  }
}

// Which says what the cause is, and that of the time what it came from.
TEST_F(PicturesProgram, SearchesSayWhyNothingIsFound) {
  fs::copy_file(one_picture(), fs::path(root_) / "IMG-20110304-WA0001.png");
  indexed();
  const Outcome named = run_hinny({"search", mine_, "a cup", "--until", "2011", "--json"});
  const json result = json::parse(named.out)["results"][0];
  EXPECT_EQ(result["taken"], "2011-03-04 00:00:00");
  EXPECT_EQ(result["taken_from"], "name");
  const Outcome folder = run_hinny({"search", mine_, "a cup", "--in", "Holidays"});
  EXPECT_EQ(folder.code, 0);
  EXPECT_THAT(folder.err, HasSubstr("no folder 'Holidays' in the index"));
  const Outcome time = run_hinny({"search", mine_, "a cup", "--since", "2090", "--json"});
  EXPECT_THAT(time.err, HasSubstr("since 2090-01-01"));
  EXPECT_EQ(json::parse(time.out)["results"].size(), 0U);
  const Outcome score = run_hinny({"search", mine_, "a cup", "--min-score", "0.9999"});
  EXPECT_THAT(score.err, HasSubstr("fits that well"));
}

// What phones and scanners write, with the time that stands in it.
TEST_F(PicturesProgram, OtherFormatsAreReadToo) {
  for (const auto& [name, bytes] : {std::pair("phone.HEIC", heic_file()),
                                    {"new.avif", avif_file()},
                                    {"scan.tif", tiff_file()},
                                    {"cut off.heic", heic_file().substr(0, 300)},
                                    {"cut off.tiff", tiff_file().substr(0, 600)}}) {
    write_file(fs::path(root_) / name, bytes);
  }
  const json report = indexed();
  EXPECT_EQ(report["images"], 63);
  EXPECT_EQ(report["broken"].size(), 2U) << report;
  for (const char* name : {"phone.HEIC", "new.avif", "scan.tif"}) {
    const Outcome like = run_hinny({"search", mine_, "--image", fs::path(root_) / name, "--until",
                                    "2023", "-k", "3", "--json"});
    ASSERT_EQ(like.code, 0) << like.err;
    EXPECT_EQ(json::parse(like.out)["results"].size(), 3U) << name;
  }
  const Outcome scans = run_hinny({"search", mine_, "a cup", "--until", "2022", "--json"});
  EXPECT_EQ(json::parse(scans.out)["results"][0]["taken"], "2022-03-04 05:06:07");
  EXPECT_EQ(json::parse(scans.out)["results"][0]["taken_from"], "exif");
}

// A raw picture is found as any other, and with the camera's JPEG beside it once, as that.
TEST_F(PicturesProgram, RawPicturesAreOneWithTheirJpegs) {
  const fs::path root = root_;
  const std::string grey = small_jpeg_file();
  write_file(root / "IMG_1.CR2", dng_file());
  write_file(root / "IMG_1.JPG", grey);
  write_file(root / "IMG_2.DNG", dng_file({.preview = grey}));
  write_file(root / "new.jxl", small_jxl_file());
  json report = indexed();
  EXPECT_EQ(report["images"], 63) << report;
  EXPECT_EQ(report["raw"], 1);
  const auto best = [&](const fs::path& like) {
    const Outcome found = run_hinny({"search", mine_, "--image", like, "-k", "1", "--json"});
    EXPECT_EQ(found.code, 0) << found.err;
    return json::parse(found.out)["results"][0];
  };
  json result = best(root / "IMG_1.JPG");
  EXPECT_EQ(result["raw"], json({"IMG_1.CR2"})) << result;
  result = best(root / "IMG_1.CR2");  // as its sensor saw it
  EXPECT_NE(result["relative_file"], "IMG_1.JPG");
  const Outcome facts = run_hinny({"search", mine_, "a cup", "--camera", "box one", "--near",
                                   "47.37,8.54", "--within", "5km", "--json"});
  const json found = json::parse(facts.out)["results"];
  ASSERT_EQ(found.size(), 1U) << facts.err;
  EXPECT_EQ(found[0]["relative_file"], "IMG_2.DNG");
  EXPECT_EQ(found[0]["taken"], "2021-05-06 07:08:09");
  // Without its JPEG it stands for itself, and with it again it does not.
  fs::rename(root / "IMG_1.JPG", root / "elsewhere.JPG");
  report = indexed();
  EXPECT_EQ(report["images"], 64);
  EXPECT_EQ(report["raw"], 0);
  EXPECT_EQ(best(root / "IMG_1.CR2")["relative_file"], "IMG_1.CR2");
  fs::rename(root / "elsewhere.JPG", root / "IMG_1.JPG");
  report = indexed();
  EXPECT_EQ(report["images"], 63);
  EXPECT_EQ(report["moved"], 1);
  EXPECT_EQ(report["encoded"], 0);
}

// All that a folder may hold: nothing of it stops the rest, and each is counted once.
TEST_F(PicturesProgram, ADifficultFolder) {
  const fs::path root = root_;
  const std::string drawn = one_picture();
  const auto copy_to = [&](const fs::path& name) {
    create_folder((root / name).parent_path());
    fs::copy_file(drawn, root / name);
  };
  copy_to("deep/er/and/deeper/still/copy.png");
  copy_to(std::string(251, 'l') + ".png");
  copy_to(u8"日本語/ä ö ü 😀.PNG");
  copy_to("caf\xe9/\xff.png");
  copy_to("a\nb \"c\" \\d.png");
  copy_to(".hidden/x.png");
  copy_to("elsewhere.jpg");  // a PNG by its content
  write_file(root / "empty.jpg", "");
  write_file(root / "text.jpg", "no picture");
  write_file(root / "cut.png", read_file(drawn).substr(0, 500));
  ASSERT_EQ(::mkfifo((root / "pipe.jpg").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", root / "device.jpg");
  fs::create_symlink(root / "nowhere", root / "lost.jpg");
  fs::create_symlink(drawn, root / "link.png");
  fs::create_directory_symlink(root, root / "deep/circle");
  create_folder(root / "closed");
  fs::copy_file(drawn, root / "closed/in.png");
  fs::permissions(root / "closed", fs::perms::none);
  const bool enters = ::geteuid() == 0;
  const std::size_t copies = enters ? 8 : 7;

  json report = indexed();
  EXPECT_EQ(report["images"], 60 + copies);
  EXPECT_EQ(report["added"], 60);
  EXPECT_EQ(report["copies"], copies);
  EXPECT_EQ(report["encoded"], 60);
  EXPECT_EQ(report["broken"].size(), 3U) << report["broken"];
  EXPECT_EQ(report["left_out"].size(), enters ? 1U : 2U) << report["left_out"];
  report = indexed();
  EXPECT_EQ(report["kept"], 60 + copies);
  EXPECT_EQ(report["encoded"], 0);

  fs::rename(root / "deep", root / "moved \xfe");
  fs::last_write_time(root / "link.png", fs::file_time_type::clock::now());
  fs::remove(root / "elsewhere.jpg");
  report = indexed();
  fs::permissions(root / "closed", fs::perms::owner_all);
  EXPECT_EQ(report["moved"], 1);
  EXPECT_EQ(report["removed"], 1);
  EXPECT_EQ(report["encoded"], 0);
  // What has an odd name is found by it, and by its text.
  for (const std::string& name : {std::string("caf\xe9/\xff.png"), path_text("caf\xe9/\xff.png")}) {
    const Outcome like = run_hinny({"search", mine_, "--like", name, "--json"});
    ASSERT_EQ(like.code, 0) << like.err;
    EXPECT_NEAR(json::parse(like.out)["results"][0]["score"].get<double>(), 1, 1e-3);
  }
  const Outcome in = run_hinny({"search", mine_, "a cup", "--in", "caf\xe9", "--json"});
  const json found = json::parse(in.out);
  ASSERT_EQ(found["results"].size(), 1U) << in.err;
  EXPECT_EQ(path_from_text(found["results"][0]["file"].get<std::string>()),
            (fs::canonical(root) / "caf\xe9/\xff.png").string());
}

TEST_F(PicturesProgram, TimesAndFoldersChoose) {
  create_folder(fs::path(root_) / "old");
  const fs::path old = fs::path(root_) / "old/first.png";
  fs::rename(one_picture(), old);
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(24 * 365 * 20));
  indexed();
  const auto search = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"search", mine_, "three yellow cups", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome found = run_hinny(words);
    EXPECT_EQ(found.code, 0) << found.err;
    return json::parse(found.out, nullptr, false)["results"];
  };
  for (const std::vector<std::string>& one : {std::vector<std::string>{"--until", "2015"},
                                              {"--in", "old"},
                                              {"--in", old.parent_path()}}) {
    const json found = search(one);
    ASSERT_EQ(found.size(), 1U) << one.front();
    EXPECT_EQ(found[0]["image"], "old/first.png");
    EXPECT_EQ(found[0]["taken"].get<std::string>().size(), 19U);
  }
  EXPECT_EQ(search({"--since", "2015", "-k", "100"}).size(), 59U);
  // The newest of all, though it is asked for one.
  const fs::path newest = one_picture();
  fs::last_write_time(newest, fs::file_time_type::clock::now() + std::chrono::hours(24));
  indexed();
  const json found = search({"--sort", "time", "--min-score", "-1", "-k", "1"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]["image"], newest.filename().string());
  const json all = search({"--sort", "time", "-k", "100"});
  ASSERT_EQ(all.size(), 60U);
  EXPECT_EQ(all[0]["image"], newest.filename().string());
  EXPECT_EQ(all[59]["image"], "old/first.png");
  EXPECT_TRUE(search({"--sort", "time", "--min-score", "2"}).empty());
  const Outcome wrong = run_hinny({"search", mine_, "a cup", "--since", "last summer"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("2024-06"));
  const Outcome sorted = run_hinny({"search", mine_, "a cup", "--sort", "size"});
  EXPECT_EQ(sorted.code, 2);
  EXPECT_THAT(sorted.err, HasSubstr("score,time"));
}

TEST_F(PicturesProgram, NearCopiesAreShownAsOne) {
  const std::string first = one_picture().filename();
  fs::copy_file(fs::path(root_) / first, fs::path(root_) / "again.png");
  create_folder(fs::path(root_) / "copies");
  fs::copy_file(fs::path(root_) / first, fs::path(root_) / "copies/and again.png");
  indexed();
  const std::vector<std::string> question = {"search", mine_, "three yellow cups", "--lang", "en",
                                             "-k",     "100", "--near-copies"};
  std::vector<std::string> in_json = question;
  in_json.emplace_back("--json");
  const Outcome found = run_hinny(in_json);
  ASSERT_EQ(found.code, 0) << found.err;
  const json answer = json::parse(found.out, nullptr, false);
  std::size_t pictures = 0, together = 0;
  for (const json& result : answer["results"]) {
    std::set<std::string> images = {result["image"]};
    for (const json& copy : result.value("copies", json::array())) {
      images.insert(copy["image"]);
      EXPECT_TRUE(fs::exists(copy["file"].get<std::string>()));
    }
    pictures += images.size();
    together += images.contains(first) && images.contains("again.png") &&
                images.contains("copies/and again.png");
  }
  EXPECT_EQ(pictures, 62U);
  EXPECT_EQ(together, 1U);
  EXPECT_THAT(run_hinny(question).out, HasSubstr("   copy  "));
}

TEST_F(PicturesProgram, MistakesAreNamed) {
  const auto error = [](const std::vector<std::string>& words) {
    const Outcome done = run_hinny(words);
    EXPECT_EQ(done.code, 2) << done.out;
    return done.err;
  };
  const std::string bundle = *made_ / "bundle", run = *made_ / "run";
  EXPECT_THAT(error({"index", bundle, "--out", mine_}), HasSubstr("--pictures"));
  EXPECT_THAT(error({"index", bundle, "--pictures", scratch_ / "none", "--out", mine_}),
              HasSubstr("folder of pictures"));
  create_folder(scratch_ / "empty");
  EXPECT_THAT(error({"index", bundle, "--pictures", scratch_ / "empty", "--out", mine_}),
              HasSubstr("no picture below it"));
  EXPECT_THAT(error({"index", bundle, "--pictures", root_, "--network", "x.onnx", "--out", mine_}),
              HasSubstr("x.onnx"));
  EXPECT_THAT(error({"bundle", run, "--network", "x.onnx", "--out", scratch_ / "b"}),
              HasSubstr("x.onnx"));
  EXPECT_THAT(error({"bundle", run, "--out", root_}), HasSubstr("bundle"));
  EXPECT_FALSE(fs::exists(mine_));
  EXPECT_FALSE(fs::exists(mine_ + ".part"));
}

}  // namespace
}  // namespace hinny
