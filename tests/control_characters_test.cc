// Names of files, ids and questions that hold what a terminal obeys: none reaches it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/path_text.h"
#include "base/utf8.h"
#include "tests/drawn_bundle.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

// A title, a new line, a bell, a "control sequence" in both forms, an override, delete, Latin-1.
const std::string kOdd = "a\x1b]0;t\ab\nc\u009b31m\u202e\x7f\r\t\xe9";

bool is_obeyed(const std::string& text) {
  if (!is_utf8(text)) return true;
  for (const char* raw : {"\u009b", "\u202e"}) {
    if (text.find(raw) != std::string::npos) return true;
  }
  return std::ranges::any_of(text, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20U && c != '\n') || c == '\x7f';
  });
}

class ControlCharacters : public DrawnBundle {
 protected:
  // What was printed, of which nothing may be obeyed.
  static Outcome plain(const std::vector<std::string>& words) {
    Outcome outcome = run_hinny(words);
    EXPECT_FALSE(is_obeyed(outcome.out)) << words[0] << ": " << outcome.out;
    EXPECT_FALSE(is_obeyed(outcome.err)) << words[0] << ": " << outcome.err;
    return outcome;
  }
  static long lines(const std::string& text) { return std::ranges::count(text, '\n'); }
};

TEST_F(ControlCharacters, OfFilesStayOnTheirLine) {
  const std::string bundle = *made_ / "bundle";
  const fs::path folder = scratch_ / ("pictures" + kOdd);
  fs::create_directories(folder);
  fs::copy(fs::recursive_directory_iterator(root_)->path(), folder / (kOdd + ".png"));
  write_file(folder / ("broken" + kOdd + ".jpg"), "no picture");
  const std::string index = scratch_ / ("index" + kOdd);
  const Outcome made = plain({"index", bundle, "--pictures", folder, "--out", index});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(made.err, HasSubstr(R"(left out: brokena\x1b]0;t\x07b\nc\u009b31m\u202e\u007f\r\t)"));
  EXPECT_EQ(lines(made.out), 1);
  const Outcome found = plain({"search", index, "a bird", "-k", "3"});
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(lines(found.out), 1);
  const Outcome as_json = plain({"search", index, "a bird", "-k", "3", "--json"});
  EXPECT_EQ(path_from_text(json::parse(as_json.out)["results"][0]["file"].get<std::string>()),
            folder / (kOdd + ".png"));
  EXPECT_EQ(plain({"inspect", index}).code, 0);
  EXPECT_TRUE(json::accept(plain({"inspect", index, "--json"}).out));
  const Outcome again = plain({"index", bundle, "--pictures", folder, "--out", index, "--json"});
  EXPECT_EQ(json::parse(again.out)["broken"].size(), 1U);
}

TEST_F(ControlCharacters, OfWhatIsAskedStayInTheMessage) {
  const std::string bundle = *made_ / "bundle";
  ASSERT_EQ(run_hinny({"index", bundle, "--pictures", root_, "--out", mine_}).code, 0);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"ver" + kOdd},
           {"search", mine_, "a bird", "--" + kOdd},
           {"search", mine_, "a bird", "-k", kOdd},
           {"search", mine_, "a bird", "--lang", kOdd},
           {"search", mine_, "a bird", "--since", kOdd},
           {"search", mine_, "--like", kOdd},
           {"search", scratch_ / kOdd, "a bird"},
           {"index", bundle, "--pictures", scratch_ / kOdd, "--out", scratch_ / "x"},
           {"index", scratch_ / kOdd, "--pictures", root_, "--out", scratch_ / "x"},
           {"bundle", *made_ / "run", "--out", scratch_ / "y", "--license", kOdd},
           {"encode", bundle, "--lang", kOdd},
           {"export", scratch_ / kOdd, "--out", scratch_ / "z"},
           {"inspect", scratch_ / kOdd},
           {"features", scratch_ / kOdd},
           {"import", "jsonl", scratch_ / kOdd, "--out", scratch_ / "d"},
           {"train", kOdd, "--data", *made_ / "drawn", "--out", scratch_ / "r"},
           {"eval", scratch_ / kOdd, "--data", *made_ / "drawn"}}) {
    const Outcome refused = plain(words);
    EXPECT_THAT(refused.err, testing::StartsWith("error: ")) << words[0];
    EXPECT_EQ(lines(refused.err), 1) << words[0] << ": " << refused.err;
    EXPECT_EQ(refused.code, 2) << words[0] << ": " << refused.err;
  }
}

}  // namespace
}  // namespace hinny
