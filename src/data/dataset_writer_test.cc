#include <gtest/gtest.h>

#include "base/error.h"
#include "base/read_file.h"
#include "data/dataset.h"
#include "tests/scratch.h"

namespace hinny {
namespace {
namespace fs = std::filesystem;

struct DatasetWriterTest : testing::Test {
  Scratch folder;
};

TEST_F(DatasetWriterTest, WritesKeysInOrderAndUtf8Unescaped) {
  DatasetWriter writer(folder);
  writer.image({"1", "train", "1_a.jpg"});
  writer.caption("1", "zh", "\"狗\"\t在\\跑", Source::human_original);
  writer.image({"ü", "test", ""});
  writer.caption("ü", "de", "Ein Hund.", Source::machine_translation);
  writer.commit();
  EXPECT_EQ(read_file(folder / "images.jsonl"),
            "{\"image\":\"1\",\"split\":\"train\",\"file\":\"1_a.jpg\"}\n"
            "{\"image\":\"ü\",\"split\":\"test\"}\n");
  EXPECT_EQ(read_file(folder / "captions.jsonl"),
            "{\"image\":\"1\",\"lang\":\"zh\",\"text\":\"\\\"狗\\\"\\t在\\\\跑\","
            "\"source\":\"human-original\"}\n"
            "{\"image\":\"ü\",\"lang\":\"de\",\"text\":\"Ein Hund.\","
            "\"source\":\"machine-translation\"}\n");
}

TEST_F(DatasetWriterTest, NothingAppearsOrChangesWithoutCommit) {
  {
    DatasetWriter writer(folder);
    writer.image({"old", "train", ""});
    writer.commit();
  }
  const std::string before = read_file(folder / "images.jsonl");
  {
    DatasetWriter writer(folder);
    writer.image({"new", "train", ""});
  }
  EXPECT_EQ(read_file(folder / "images.jsonl"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);  // no temporary file is left
}

TEST_F(DatasetWriterTest, RefusesWhatTheReaderWouldRefuse) {
  DatasetWriter writer(folder);
  EXPECT_THROW(writer.image({"", "train", ""}), InputError);
  EXPECT_THROW(writer.image({"1", "", ""}), InputError);
  EXPECT_THROW(writer.caption("1", "en", "", Source::mmt), InputError);
  EXPECT_THROW(writer.caption("1", "en", "\xC3", Source::mmt), InputError);
}

}  // namespace
}  // namespace hinny
