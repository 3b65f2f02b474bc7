#include "base/checksums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/folders.h"
#include "base/mapped_file.h"
#include "base/read_file.h"
#include "base/temporary_folder.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class ChecksumsTest : public testing::Test {
 protected:
  void SetUp() override {
    create_folder(folder / "inside");
    put("small", "seven b");
    put("empty", "");
    put("large", std::string(3 * kChecksumBlock + 5, 'x'));
    put("inside/other", "other");
    write_checksums(folder);
  }

  void put(const fs::path& name, const std::string& bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
  std::vector<std::string> problems() const {
    ChecksumReport report;
    verify_checksums(folder, report);
    return report.problems;
  }

  TemporaryFolder temporary;
  fs::path folder = temporary.path();
};

TEST_F(ChecksumsTest, AllIsAsItWasWritten) {
  ChecksumReport report;
  verify_checksums(folder, report);
  EXPECT_THAT(report.problems, ElementsAre());
  EXPECT_EQ(report.files, 4U);
  EXPECT_EQ(report.bytes, 7 + 3 * kChecksumBlock + 5 + 5);
}

TEST_F(ChecksumsTest, EveryFlippedBitIsNoticed) {
  for (const char* name : {"small", "inside/other", kChecksumsFile}) {
    const std::string whole = read_file(folder / name);
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
      std::string flipped = whole;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
      put(name, flipped);
      EXPECT_FALSE(problems().empty()) << name << ", bit " << bit;
    }
    put(name, whole);
  }
  EXPECT_TRUE(problems().empty());
}

TEST_F(ChecksumsTest, SaysWhatIsAnotherSizeOrMissingOrNew) {
  put("small", "seven");
  fs::remove(folder / "inside/other");
  put("stranger", "?");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("other"), HasSubstr("small: damaged: 5 bytes (exp"),
                                      HasSubstr("stranger: nobody wrote it there")));
}

TEST_F(ChecksumsTest, AMappedFileIsComparedWhereItIsRead) {
  std::string bytes = read_file(folder / "large");
  bytes[2 * kChecksumBlock + 7] = 'y';
  put("large", bytes);
  const MappedFile mapped(folder / "large");
  const Checksums checksums(folder);
  const auto file = checksums.checked("large", mapped.bytes());
  file->check(mapped.bytes().first(2 * kChecksumBlock));
  file->check(mapped.bytes().last(5));
  try {
    file->check(mapped.bytes().subspan(2 * kChecksumBlock - 1, 2));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("large: damaged: bytes 32768 to 49151 are not what was"));
  }
  EXPECT_THROW(file->check_all(), InputError);
  EXPECT_THROW(checksums.check("large"), InputError);
}

TEST_F(ChecksumsTest, AFolderWithItsOwnAnswersForItself) {
  write_checksums(folder / "inside");
  write_checksums(folder);
  ChecksumReport report;
  verify_checksums(folder, report);
  EXPECT_EQ(report.files, 4U);
  EXPECT_TRUE(report.problems.empty());
  put("inside/other", "Other");
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("other: damaged")));
}

// Else a change of a folder would bless what the disk has changed in files that stay.
TEST_F(ChecksumsTest, AHardLinkKeepsTheHashesOfWhatWasWritten) {
  const TemporaryFolder later;
  fs::create_hard_link(folder / "small", later.path() / "small");
  std::ofstream(later.path() / "new") << "new";
  put("small", "seven c");
  write_checksums(later.path(), folder);
  ChecksumReport report;
  verify_checksums(later.path(), report);
  EXPECT_THAT(report.problems, ElementsAre(HasSubstr("small: damaged: bytes 0 to 6")));
}

TEST_F(ChecksumsTest, AFolderWithoutThemIsNotCompared) {
  put("small", "seven c");
  EXPECT_THROW(check_if_listed(folder, "small"), InputError);
  fs::remove(folder / kChecksumsFile);
  check_if_listed(folder, "small");
}

}  // namespace
}  // namespace hinny
