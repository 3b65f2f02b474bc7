#include "index/pictures/picture_contents.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "base/error.h"
#include "index/folder/picture_reader_fixture.h"

namespace hinny {
namespace {

// Ctrl-C is looked for every thousand files or so.
TEST(PictureContents, OfManyFilesAreReadOnceEach) {
  constexpr std::size_t kFiles = 2100;
  std::vector<PictureRecord> records(kFiles);
  std::vector<PictureRecord*> files;
  for (std::size_t i = 0; i < kFiles; ++i) {
    records[i].file = std::to_string(i) + ".jpg";
    records[i].content = "known";
    files.push_back(&records[i]);
  }
  std::atomic<std::size_t> read = 0;
  FakePictureReader reader;
  reader.facts = [&](const std::filesystem::path& file) {
    ++read;
    if (file == "pictures/7.jpg") throw InputError(file.string(), "damaged", "a picture");
    PictureFacts facts;
    facts.width = 1 + std::stoi(file.stem());
    return facts;
  };
  Progress progress("pictures", kFiles);
  read_contents("pictures", files, reader, progress);
  EXPECT_EQ(read, kFiles);
  for (std::size_t i = 0; i < kFiles; ++i) {
    EXPECT_EQ(records[i].broken.empty(), i != 7);
    if (i == 7) continue;
    EXPECT_EQ(static_cast<std::size_t>(records[i].facts.width), i + 1);
  }
}

}  // namespace
}  // namespace hinny
