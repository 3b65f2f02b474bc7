#include "model/translation_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::HasSubstr;

class TranslationConfigTest : public testing::Test {
 protected:
  std::string complaint() const {
    try {
      read_translation_config(file_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  // The file with `from` replaced.
  std::string complaint_after(const std::string& from, const std::string& to) const {
    write_translation_config(file_, config_);
    std::string text = read_file(file_);
    text.replace(text.find(from), from.size(), to);
    write_file(file_, text);
    return complaint();
  }

  Scratch scratch_;
  std::filesystem::path file_ = scratch_ / "config.json";
  TranslationConfig config_{
      "mmt", {"de", "en"}, {"en-de", "de-en"}, {5300, 256, 512, 2, 2048}, 5'500'000'000, 0};
};

TEST_F(TranslationConfigTest, IsReadAsItWasWritten) {
  write_translation_config(file_, config_);
  EXPECT_EQ(read_translation_config(file_), config_);
  EXPECT_TRUE(is_translation_config(file_));
  write_file(file_, R"({"format": 1, "system": "bag"})");
  EXPECT_FALSE(is_translation_config(file_));
}

TEST_F(TranslationConfigTest, FirstModelsHadOneLayer) {
  EXPECT_EQ(complaint_after("\"decoder_layers\": 2,", ""), "");
  EXPECT_EQ(read_translation_config(file_).net.decoder_layers, 1U);
}

TEST_F(TranslationConfigTest, FaultsAreNamed) {
  EXPECT_THAT(complaint_after("\"format\": 1", "\"format\": 2"), HasSubstr("format is 2"));
  EXPECT_THAT(complaint_after("\"hidden\": 512", "\"hidden\": 511"),
              HasSubstr("net.hidden is odd (expected an even number)"));
  EXPECT_THAT(complaint_after("\"embedding\"", "\"embeding\""),
              HasSubstr("net has a key 'embeding' (did you mean 'embedding'?)"));
  EXPECT_THAT(complaint_after("\"region_size\": 2048", "\"region_size\": 65537"),
              HasSubstr("net.region_size is 65537"));
  EXPECT_THAT(complaint_after("\"directions\"", "\"direction\""), HasSubstr("lacks 'directions'"));
}

}  // namespace
}  // namespace hinny
