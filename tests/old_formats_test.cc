// Models, exports and indexes of earlier versions (tests/old_models) open and say what they said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/npy.h"
#include "base/read_file.h"
#include "tests/parameter_name.h"
#include "tests/program.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

const fs::path kModels = fs::path(__FILE__).parent_path() / "old_models";

std::vector<std::string> folders_with(const std::string& file) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kModels)) {
    if (fs::exists(entry.path() / file)) names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

json json_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out, nullptr, false);
}

// Numbers may differ a little: another processor adds in another order. An object may say more now.
void expect_like(const json& found, const json& expected, const std::string& place) {
  if (expected.is_number() && found.is_number()) {
    EXPECT_NEAR(found.get<double>(), expected.get<double>(), 2e-3) << place;
  } else if (expected.is_structured() && found.type() == expected.type()) {
    if (expected.is_array()) {
      ASSERT_EQ(found.size(), expected.size()) << place;
    }
    for (const auto& [key, value] : expected.items()) {
      const json& other = found.is_array() ? found[std::stoul(key)] : found.value(key, json());
      expect_like(other, value, place + "." + key);
    }
  } else {
    EXPECT_EQ(found, expected) << place;
  }
}

class OldFormats : public testing::TestWithParam<std::string> {
 protected:
  static bool translates() { return GetParam() == "nmt" || GetParam() == "mmt"; }
  json asked(const std::string& language, const std::string& text) const {
    const std::string file = scratch_ / (language + ".npy");
    RunOptions options;
    options.input = text + "\n";
    const Outcome outcome =
        run_hinny({"encode", folder_, "--lang", language, "--out", file}, options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    if (outcome.code != 0) return {};
    const NpyArray vectors = NpyArray::open(file);
    std::vector<float> numbers(static_cast<std::size_t>(vectors.row_size()));
    vectors.row(0, numbers);
    return numbers;
  }

  const std::string folder_ = kModels / GetParam();
  const std::string data_ = kModels / (translates() ? "data-pairs" : "data");
  const json expected_ = json::parse(read_file(fs::path(folder_) / "expected.json"));
  const std::map<std::string, std::string> questions_ = {{"en", "green car there"},
                                                         {"de", "blau Haus"}};
  Scratch scratch_;
};

TEST_P(OldFormats, SayWhatTheySaid) {
  json found = {{"inspect", json_of(run_hinny({"inspect", folder_, "--json"}))}};
  if (expected_.contains("eval")) {
    found["eval"] = json_of(run_hinny({"eval", folder_, "--data", data_, "--json"}));
  }
  for (const auto& [language, text] : questions_) {
    if (expected_.contains("encode")) found["encode"][language] = asked(language, text);
    if (!expected_.contains("search")) continue;
    std::vector<std::string> words = {"search", folder_, text, "--lang",
                                      language, "-k",    "3",  "--json"};
    if (expected_["search"][language].dump().find("\"words\"") != std::string::npos) {
      words.emplace_back("--explain");
    }
    found["search"][language] = json_of(run_hinny(words));
  }
  if (expected_.contains("translate")) {
    RunOptions options;
    options.input = "green car\n";
    found["translate"] =
        run_hinny({"translate", folder_, "--from", "en", "--to", "de"}, options).out;
  }
  expect_like(found, expected_, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Folders, OldFormats, testing::ValuesIn(folders_with("expected.json")),
                         NamedByText());

// The same recipe still makes the same description, to the byte: other versions read it, and it
// counts parameters as before.
class OldFormatsTrained : public OldFormats {};

TEST_P(OldFormatsTrained, AreDescribedAsBefore) {
  const std::string run = scratch_ / "run";
  std::vector<std::string> words = {
      "train", folder_ + "/recipe.toml", "--data", data_, "--out", run, "--set", "train.epochs=2"};
  if (GetParam() == "dictionary") {
    words.insert(words.end(), {"--set", "text.dictionary=" + data_ + "/dictionaries"});
  }
  if (GetParam() == "mmt") words.insert(words.end(), {"--from", kModels / "nmt"});
  const Outcome trained = run_hinny(words);
  ASSERT_EQ(trained.code, 0) << trained.err;
  json old = json::parse(read_file(fs::path(folder_) / "config.json"));
  old.erase("consistency");  // learnt afterwards
  EXPECT_EQ(read_file(fs::path(run) / "config.json"), old.dump(2) + "\n");
}

INSTANTIATE_TEST_SUITE_P(Folders, OldFormatsTrained, testing::ValuesIn(folders_with("recipe.toml")),
                         NamedByText());

TEST(OldFormatsCheckpoint, IsGoneOnFrom) {
  const Scratch scratch;
  const fs::path run = scratch / "run";
  fs::copy(kModels / "smalr", run, fs::copy_options::recursive);
  const Outcome outcome = run_hinny({"train", run / "recipe.toml", "--data", kModels / "data",
                                     "--out", run, "--resume", "--threads", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace hinny
