// What pictures of strangers do to the programs that decode them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/read_file.h"
#include "tests/drawn_bundle.h"
#include "vision/damaged_bytes_fixture.h"
#include "vision/picture_files_fixture.h"
#include "vision/picture_stream.h"
#include "vision/raw_files_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class DecodingProgram : public DrawnBundle {
 protected:
  Outcome index(const fs::path& program) const {
    return run_program(program.c_str(),
                       {"index", *made_ / "bundle", "--pictures", root_, "--out", mine_, "--json"});
  }
  const fs::path programs_ = fs::path(HINNY_PROGRAM).parent_path();
};

// HINNY_DAMAGE: with so many files of each kind.
TEST_F(DecodingProgram, AFolderOfDamagedPicturesIsIndexed) {
  const std::map<std::string, std::string> kinds = {
      {"jpg", small_jpeg_file()}, {"heic", heic_file()}, {"avif", avif_file()},
      {"jxl", small_jxl_file()},  {"tif", tiff_file()},  {"dng", dng_file()}};
  Random random(31);
  const int files = damaged_files(12);
  for (const auto& [ending, whole] : kinds) {
    for (int i = 0; i < files; ++i) {
      std::ofstream(fmt::format("{0}/{2}-{1}.{2}", root_, i, ending), std::ios::binary)
          << damaged(whole, i, random);
    }
  }
  const Outcome done = index(HINNY_PROGRAM);
  ASSERT_EQ(done.code, 0) << done.err;
  const json report = json::parse(done.out);
  const std::size_t named = report["broken"].size();
  EXPECT_GT(named, 0U);
  EXPECT_EQ(report["images"].get<std::size_t>() + named,
            60 + kinds.size() * static_cast<std::size_t>(files))
      << done.out.substr(0, 2000);
  EXPECT_THAT(done.out, Not(HasSubstr("its decoder")));
}

// A hinny-picture that crashes by each picture while the file `crash` is there.
class CrashingDecoder : public DecodingProgram {
 protected:
  void SetUp() override {
    DecodingProgram::SetUp();
    fs::copy(programs_ / "hinny-vision", scratch_ / "hinny-vision");
    const picture_stream::Answer ready{.first = picture_stream::kVersion};
    write_file(scratch_ / "ready", {reinterpret_cast<const char*>(&ready), sizeof ready});
    write_file(
        scratch_ / picture_stream::kProgram,
        fmt::format("#!/bin/sh\nif [ -e {0}/crash ]; then cat {0}/ready >&0; dd bs=64 "
                    "count=1 <&0 >&2; kill -SEGV $$; fi\nexec {1}/{2}\n",
                    fs::path(scratch_).string(), programs_.string(), picture_stream::kProgram));
    fs::permissions(scratch_ / picture_stream::kProgram, fs::perms::owner_all);
  }
  Outcome run(const std::vector<std::string>& words) const {
    return run_program((scratch_ / "hinny-vision").c_str(), words);
  }
  void crash(bool now) const {
    now ? write_file(scratch_ / "crash", "") : static_cast<void>(fs::remove(scratch_ / "crash"));
  }
  json indexed() const {
    const Outcome done = index(scratch_ / "hinny-vision");
    EXPECT_EQ(done.code, 0) << done.err;
    return json::parse(done.out, nullptr, false);
  }
};

TEST_F(CrashingDecoder, APictureThatCrashesItIsNamedAndLeftOut) {
  EXPECT_EQ(indexed()["added"], 60);
  const std::string other = fs::path(root_) / "other.jpg";
  write_file(other, small_jpeg_file());
  crash(true);
  json report = indexed();
  EXPECT_EQ(report["images"], 60);
  EXPECT_THAT(report.dump(), HasSubstr("other.jpg: its decoder crashed (signal 11)"));
  crash(false);  // it is known, and not tried again until it changes
  report = indexed();
  EXPECT_EQ(report["images"], 60);
  EXPECT_THAT(report.dump(), HasSubstr("other.jpg: its decoder crashed (signal 11)"));
  write_file(other, small_jpeg_file() + "changed");
  EXPECT_EQ(indexed()["images"], 61);
}

TEST_F(CrashingDecoder, AQuestionsPictureThatCrashesItIsRefused) {
  EXPECT_EQ(indexed()["added"], 60);
  const std::string picture = fs::directory_iterator(root_)->path();
  const std::vector<std::string> words = {"search", mine_, "--image", picture, "-k", "1"};
  EXPECT_EQ(run(words).code, 0);
  crash(true);
  const Outcome refused = run(words);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr(": its decoder crashed (signal 11)\n"));
}

}  // namespace
}  // namespace hinny
