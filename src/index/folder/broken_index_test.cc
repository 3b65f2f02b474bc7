// An index whose files are cut off or altered anywhere is refused or answers, and does no harm.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "base/read_file.h"
#include "index/asking/ask.h"
#include "index/asking/sentences.h"
#include "index/folder/index_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

enum class Kind { with_checksums, without, of_codes };  // the last without checksums, too

class BrokenIndex : public IndexFixture, public testing::WithParamInterface<Kind> {
 protected:
  bool checked() const { return GetParam() == Kind::with_checksums; }
  void SetUp() override {
    IndexFixture::SetUp();
    if (GetParam() == Kind::of_codes) codes = 2;
    build();
    if (!checked()) without_checksums();
    for (const auto& item : fs::recursive_directory_iterator(folder / "index")) {
      if (item.is_regular_file()) files.push_back(item.path());
    }
  }

  // Everything that an index is opened for. Returns false when it is refused.
  bool use() const {
    try {
      const Index index = Index::open(folder / "index");
      TextEncoder encoder(index.model());
      Question question;
      question.parts = {said("ein hund läuft am strand")};
      ask(index, encoder, question);
      question.parts = {like("p0")};
      question.near_copies = true;  // reads what a scan of many reads
      ask(index, encoder, question);
      StoredSentences(index).nearest(index, 0, 3);
      return true;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
      return false;
    }
  }

  std::vector<fs::path> files;
};

std::string name_of_kind(const testing::TestParamInfo<Kind>& info) {
  if (info.param == Kind::of_codes) return "codes";
  return info.param == Kind::without ? "without" : "with";
}

INSTANTIATE_TEST_SUITE_P(Checksums, BrokenIndex,
                         testing::Values(Kind::with_checksums, Kind::without, Kind::of_codes),
                         name_of_kind);

TEST_P(BrokenIndex, CutOffAtEveryByte) {
  ASSERT_TRUE(use());
  for (const fs::path& file : files) {
    const std::string whole = read_file(file);
    std::size_t accepted = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      std::ofstream(file, std::ios::binary) << std::string_view(whole).substr(0, size);
      if (use()) ++accepted;
    }
    // Without checksums only the end of a last line may be missing.
    EXPECT_LE(accepted, checked() ? 0U : 2U) << file;
    std::ofstream(file, std::ios::binary) << whole;
  }
  EXPECT_TRUE(use());
}

TEST_P(BrokenIndex, WithBitsFlippedAnywhere) {
  Random random(8);
  for (const fs::path& file : files) {
    const std::string whole = read_file(file);
    for (int i = 0; i < 400; ++i) {
      std::string altered = whole;
      const std::size_t flips = 1 + random.below(4);
      for (std::size_t flip = 0; flip < flips; ++flip) {
        altered[random.below(whole.size())] ^= static_cast<char>(1U << random.below(8));
      }
      std::ofstream(file, std::ios::binary) << altered;
      const bool answered = use();
      if (!checked() || altered == whole) continue;
      ChecksumReport report;
      verify_checksums(folder / "index", report);
      EXPECT_FALSE(report.problems.empty()) << file;
      // Of the checksums those of files that no question reads may have changed.
      if (file.filename() != kChecksumsFile) {
        EXPECT_FALSE(answered) << file;
      }
    }
    std::ofstream(file, std::ios::binary) << whole;
  }
  EXPECT_TRUE(use());
}

// The hash catches most of that in encoder/; a model alone has none.
TEST_P(BrokenIndex, AModelWithBitsFlippedAnywhere) {
  Random random(9);
  const fs::path model_folder = folder / "index/encoder";
  const auto sizes = [&] {  // of a sentence's vector in each language
    const Model model = Model::open(model_folder);
    TextEncoder encoder(model);
    std::set<std::size_t> sizes;
    for (const std::string& language : model.config().languages) {
      sizes.insert(encoder.encode("a dog runs on the strand", language).vector.size());
    }
    return sizes;
  };
  const std::set<std::size_t> as_written = sizes();
  for (const char* name : {"config.json", "model.safetensors", "vocabulary.tsv"}) {
    const std::string whole = read_file(model_folder / name);
    int refused = 0;
    for (int i = 0; i < 1000; ++i) {
      std::string altered = whole;
      altered[random.below(whole.size())] ^= static_cast<char>(1U << random.below(8));
      std::ofstream(model_folder / name, std::ios::binary) << altered;
      try {
        EXPECT_EQ(sizes(), as_written) << name;
      } catch (const InputError& error) {
        EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
        ++refused;
      }
    }
    EXPECT_GT(refused, 0) << name;
    std::ofstream(model_folder / name, std::ios::binary) << whole;
  }
  EXPECT_EQ(sizes(), as_written);
}

}  // namespace
}  // namespace hinny
