// For tests: a model of two languages with a space each, five images, and the index of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/checksums.h"
#include "base/content_hash.h"
#include "base/npy.h"
#include "base/path_text.h"
#include "base/read_file.h"
#include "data/picture_set_fixture.h"
#include "encoder/model_fixture.h"
#include "index/asking/question.h"
#include "index/folder/build_index.h"
#include "index/folder/graphs_fixture.h"
#include "index/folder/index.h"
#include "tests/scratch.h"

namespace hinny {

// Parts of questions.
inline Question::Part said(std::string text, float weight = 1, std::string language = "") {
  return {Sentence{std::move(language), std::move(text)}, weight};
}
inline Question::Part like(std::string image, float weight = 1) {
  return {Question::Indexed{std::move(image)}, weight};
}

// The bytes of all files below a folder, by their names from there.
inline std::map<std::string, std::string> files_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& item : std::filesystem::recursive_directory_iterator(folder)) {
    if (item.is_regular_file()) {
      files[item.path().lexically_relative(folder).string()] = read_file(item.path());
    }
  }
  return files;
}

// As versions before kFormatWithNames wrote an index.
inline void with_names_in_contents(const std::filesystem::path& index) {
  const NameTable names = read_names(index, nullptr);
  auto json = nlohmann::ordered_json::parse(read_file(index / kContentsFile));
  json["format"] = kFormatWithNames - 1;
  json.erase("films");
  json["images"] = names.images.strings();
  std::vector<std::string> files = names.files.strings();
  for (std::string& file : files) file = path_text(file);
  json["files"] = files;
  json["digests"] = names.digests.strings();
  write_file(index / kContentsFile, json.dump(1));
  std::filesystem::remove(index / kNamesFile);
}

// A model, a dataset of five images with features, and the index of them.
class IndexFixture : public testing::Test {
 protected:
  void SetUp() override {
    fixture.config["image"]["second"] = fixture.config["image"]["image"];
    fixture.config["text"]["de"]["space"] = "second";
    fixture.config["image"]["second"]["layers"][3]["prefix"] = "image.other";
    fixture.add("image.other.weight", {6, 19});
    fixture.add("image.other.bias", {6});
    fixture.write(folder / "run");
    write_picture_set(folder / "data", 5);
    Random random(9);
    rows.resize(5 * 7);
    for (float& number : rows) number = static_cast<float>(random.uniform(-1, 3));
    write_npy(folder / "data/features/f.npy", rows, {5, 7});
  }

  void build(const std::vector<int>& images = {0, 1, 2, 3, 4}, const char* name = "index") const {
    const Dataset dataset = Dataset::load(folder / "data");
    IndexInput input{images, "test", {}, WeightType::float32, 100};
    input.codes = codes;
    build_index(Model::open(folder / "run"), dataset, Features::open(dataset, "f"), input,
                folder / name);
  }

  // The run remembers made-up hubs.
  HubBank remember() const {
    HubBank bank{6, 0.1, 2, {}};  // strong enough to change the order of five images
    Random random(4);
    for (const char* space : {"image", "second"}) {
      for (std::vector<float>* side : {&bank.spaces[space].captions, &bank.spaces[space].images}) {
        for (int i = 0; i < 12; ++i) side->push_back(static_cast<float>(random.uniform(-1, 1)));
      }
    }
    write_hubs(folder / "run" / kHubsFile, bank);
    return bank;
  }

  // As earlier versions wrote it: what tests change in it then comes to the readers of the files.
  void without_checksums(const char* name = "index") const {
    std::filesystem::remove(folder / name / kChecksumsFile);
  }

  ModelFixture fixture;
  std::vector<float> rows;
  std::optional<int> codes{};  // of indexes that are built
  const Scratch folder;
};

}  // namespace hinny
