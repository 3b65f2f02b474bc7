#include "index/tree/gazetteer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "index/tree/gazetteer_fixture.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

class Gazetteers : public ::testing::Test {
 protected:
  Gazetteer with(const std::string& text) const {
    write_file(file_, text);
    return Gazetteer(file_);
  }
  std::string refusal(const std::string& text) const {
    try {
      with(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  static std::string name(const Gazetteer& gazetteer, double latitude, double longitude) {
    const Town* town = gazetteer.at({latitude, longitude});
    return town == nullptr ? "" : town->name;
  }

  Scratch folder_;
  std::filesystem::path file_ = folder_ / "cities500.txt";
};

TEST_F(Gazetteers, NameTheTownWhereAPlaceLies) {
  const Gazetteer towns = with(town_line("Lisbon", "PT", 38.7167, -9.1333, 517802) +
                               town_line("Almada", "PT", 38.679, -9.1569, 174030) +
                               town_line("Odivelas", "PT", 38.7927, -9.1838, 5000));
  EXPECT_EQ(name(towns, 38.7167, -9.1333), "Lisbon, PT");
  EXPECT_EQ(name(towns, 38.679, -9.1569), "Almada, PT");  // though Lisbon reaches as far
  EXPECT_EQ(name(towns, 38.76, -9.16), "Lisbon, PT");     // nearer to a small one
  EXPECT_EQ(name(towns, 38.85, -9.19), "Odivelas, PT");
  EXPECT_EQ(name(towns, 39.3, -9.1333), "");
  EXPECT_EQ(name(towns, -38.7167, 170.8667), "");
}

TEST_F(Gazetteers, LookAcrossTheDateLineAndRoundThePole) {
  const Gazetteer towns =
      with(town_line("East", "XX", 10, 179.95, 100) + town_line("Station", "AQ", -89.9, 0, 100));
  EXPECT_EQ(name(towns, 10, -179.95), "East, XX");
  EXPECT_EQ(name(towns, -89.9, 180), "Station, AQ");
  EXPECT_EQ(name(towns, -90, 12), "Station, AQ");
}

TEST_F(Gazetteers, KnowOtherNamesAndLeaveOutWhatIsNoTown) {
  const Gazetteer towns =
      with(town_line("Zürich", "CH", 47.37, 8.54, 1, "Zurich", "Zurigo,Zürich,,Zurigo") +
           town_line("Gone", "CH", 47.3, 8.5, 9, "", "", "PPLW") +
           town_line("Lake", "CH", 47.3, 8.5, 9, "", "", "LK", "H"));
  const Town* town = towns.at({47.3, 8.5});
  ASSERT_NE(town, nullptr);
  EXPECT_EQ(town->name, "Zürich, CH");
  EXPECT_THAT(town->also, ::testing::ElementsAre("Zurich", "Zurigo"));
}

TEST_F(Gazetteers, AreRefusedInAnotherForm) {
  const std::string good = town_line("A", "XX", 1, 2, 3);
  EXPECT_THAT(refusal("A,1,2\n"), ::testing::HasSubstr("cities500.txt:1: a line of another form"));
  EXPECT_THAT(refusal(good + "x\t" + good), ::testing::HasSubstr("cities500.txt:2: "));
  EXPECT_THAT(refusal(good + town_line("B", "XX", 91, 2, 3)),
              ::testing::HasSubstr("cities500.txt:2: coordinates '91'"));
  EXPECT_THAT(refusal("PK\x03\x04more\n"), ::testing::HasSubstr("a zip archive (expected"));
  EXPECT_THAT(refusal(""), ::testing::HasSubstr("no town in it"));
  EXPECT_THAT(refusal(town_line("Lake", "CH", 47.3, 8.5, 9, "", "", "LK", "H")),
              ::testing::HasSubstr("no town in it"));
}

}  // namespace
}  // namespace hinny
