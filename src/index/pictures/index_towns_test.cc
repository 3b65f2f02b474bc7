// Names of the places where pictures were taken.
#include <gmock/gmock.h>

#include "index/asking/collection.h"
#include "index/folder/merge_index.h"
#include "index/pictures/index_pictures_fixture.h"
#include "index/tree/gazetteer_fixture.h"
#include "index/tree/picture_records.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

// "0" is a picture of Zurich.
class IndexTowns : public IndexPictures {
 protected:
  void SetUp() override {
    IndexPictures::SetUp();
    version_ = "new";
    put("a.jpg", "0");
    put("b.jpg", "1");
    write_file(list(), town_line("Zürich", "CH", 47.37, 8.54, 341730, "Zurich", "Zurigo") +
                           town_line("Bern", "CH", 46.95, 7.45, 121631));
  }
  fs::path list() const { return folder / "cities500.txt"; }
  std::vector<std::string> towns() const {
    const Index mine = Index::open(index());
    const ImageNames& names = mine.folder_facts().towns;
    std::vector<std::string> all;
    for (std::size_t i = 0; i < mine.size(); ++i) all.push_back(names.of_image(i));
    return all;
  }
  std::vector<std::string> of_town(const std::string& town) const {
    const Collection collection(index());
    Question question;
    question.filter.town = town;
    std::vector<std::string> images;
    const auto answer = collection.ask(std::vector<std::string>{"a dog"}, question).front();
    for (const Found& found : answer.found) images.push_back(found.image);
    return images;
  }
};

TEST_F(IndexTowns, AreThoseOfTheList) {
  run();
  EXPECT_THAT(towns(), ElementsAre("", ""));
  towns_ = list();
  const PictureReport report = run();
  EXPECT_THAT(encoded_, IsEmpty());
  EXPECT_EQ(report.named, 1U);
  EXPECT_THAT(towns(), ElementsAre("Zürich, CH", ""));
  EXPECT_THAT(of_town("zürich"), ElementsAre("a.jpg"));
  EXPECT_THAT(of_town("Zurich CH"), ElementsAre("a.jpg"));
  EXPECT_THAT(of_town("ZURIGO"), ElementsAre("a.jpg"));
  EXPECT_THAT(of_town("Zur"), IsEmpty());
  EXPECT_THAT(of_town("Bern"), IsEmpty());
}

// A question says so in any language that the list has, and gets it back as it said it.
TEST_F(IndexTowns, AreHeard) {
  towns_ = list();
  run();
  const Collection collection(index());
  Question question;
  question.literal = false;
  const auto answer = collection.ask(std::vector<std::string>{"a dog in Zurigo"}, question).front();
  ASSERT_EQ(answer.heard.size(), 1U);
  EXPECT_EQ(answer.heard.front().town, "Zurigo");
  ASSERT_EQ(answer.found.size(), 1U);
  EXPECT_EQ(answer.found.front().image, "a.jpg");
}

TEST_F(IndexTowns, AreRememberedAndTakenAway) {
  towns_ = list();
  run();
  towns_.reset();
  put("c.jpg", "0");
  run();
  EXPECT_THAT(towns(), ElementsAre("Zürich, CH", "", "Zürich, CH"));
  const fs::file_time_type written = fs::last_write_time(index() / kPictureRecordsFile);
  EXPECT_EQ(run().named, 2U);
  EXPECT_EQ(fs::last_write_time(index() / kPictureRecordsFile), written);  // nothing to say anew
  // Another list under the same name, then none.
  write_file(list(), town_line("Turicum", "CH", 47.37, 8.54, 341730));
  run();
  EXPECT_THAT(towns(), ElementsAre("Turicum, CH", "", "Turicum, CH"));
  EXPECT_THAT(of_town("zurich"), IsEmpty());
  fs::remove(list());
  put("d.jpg", "0");
  EXPECT_EQ(run().towns_gone, fs::canonical(folder) / "cities500.txt");
  EXPECT_THAT(towns(), ElementsAre("Turicum, CH", "", "Turicum, CH", ""));
  towns_ = "";
  EXPECT_EQ(run().towns_gone, "");
  EXPECT_THAT(towns(), ElementsAre("", "", "", ""));
}

TEST_F(IndexTowns, OfPartsAreJoined) {
  towns_ = list();
  std::vector<fs::path> parts;
  for (const char* one : {"1/2", "2/2"}) {
    part_ = Part::parse(one);
    parts.push_back(folder / (std::string("part") + one[0]));
    run_into(parts.back());
  }
  merge_index(parts, Graphs::none, index());
  EXPECT_THAT(towns(), ElementsAre("Zürich, CH", ""));
  EXPECT_THAT(of_town("Zurigo"), ElementsAre("a.jpg"));
}

TEST_F(IndexTowns, NeedAList) {
  towns_ = folder / "nowhere.txt";
  EXPECT_THROW(run(), InputError);
  write_file(list(), "no towns\n");
  towns_ = list();
  EXPECT_THROW(run(), InputError);
  EXPECT_FALSE(fs::exists(index()));
}

}  // namespace
}  // namespace hinny
