#include "index/asking/spoken_filters.h"

#include <gtest/gtest.h>

#include "index/asking/found_json.h"
#include "index/asking/spoken_times.h"
#include "text/plain_words.h"

namespace hinny {
namespace {

// Sunday, the 29th of November 2026.
const std::int64_t kNow = parse_period("2026-11-29 12:00:00")->begin;
const std::vector<std::string> kCameras = {"", "NIKON D750", "Apple iPhone 12", "Canon EOS 5D"};

HeardSentence heard_in(std::string_view sentence) {
  Surroundings around;
  around.now = kNow;
  around.cameras = [] { return kCameras; };
  around.folders = [] {
    return std::vector<std::string>{"Holidays", "Holidays/Sea", "Lake Garda 2019"};
  };
  around.is_town = [](std::string_view name) {
    const std::string plain = plain_text(name);
    return plain == "lissabon" || plain == "new york" || plain == "bath" || plain == "la";
  };
  around.longest_town = 2;
  around.is_word = [](std::string_view word) { return word == "apple" || word == "bath"; };
  return hear(sentence, around);
}

// "the rest | from to", "the rest | camera", "the rest | folder"; "as it is" where nothing was
// heard.
std::string said_of(std::string_view sentence) {
  const HeardSentence result = heard_in(sentence);
  if (result.heard.empty()) {
    EXPECT_EQ(result.rest, sentence);
    return "as it is";
  }
  std::string text = result.rest;
  for (const Heard& heard : result.heard) {
    text += " | ";
    if (heard.taken) text += first_day(*heard.taken) + " " + last_day(*heard.taken);
    text += heard.town + heard.camera + heard.folder;
  }
  return text;
}

TEST(SpokenFilters, TimesAreHeard) {
  EXPECT_EQ(said_of("dogs at the lake, last summer"), "dogs at the lake | 2026-06-01 2026-08-31");
  EXPECT_EQ(said_of("last winter in the mountains"), "in the mountains | 2025-12-01 2026-02-28");
  EXPECT_EQ(said_of("a boat in 2019"), "a boat | 2019-01-01 2019-12-31");
  EXPECT_EQ(said_of("a boat from the summer of 2019 with friends"),
            "a boat with friends | 2019-06-01 2019-08-31");
  EXPECT_EQ(said_of("a cake June 2021"), "a cake | 2021-06-01 2021-06-30");
  EXPECT_EQ(said_of("a cake in June"), "a cake | 2026-06-01 2026-06-30");
  EXPECT_EQ(said_of("a cake in December"), "a cake | 2025-12-01 2025-12-31");    // has not begun
  EXPECT_EQ(said_of("a cake last November"), "a cake | 2025-11-01 2025-11-30");  // is not over
  EXPECT_EQ(said_of("a cake this week"), "a cake | 2026-11-23 2026-11-29");
  EXPECT_EQ(said_of("a cake last week"), "a cake | 2026-11-16 2026-11-22");
  EXPECT_EQ(said_of("a cake last month"), "a cake | 2026-10-01 2026-10-31");
  EXPECT_EQ(said_of("a cake yesterday"), "a cake | 2026-11-28 2026-11-28");
  EXPECT_EQ(said_of("a cake taken 2020"), "a cake | 2020-01-01 2020-12-31");
}

TEST(SpokenFilters, InOtherLanguages) {
  EXPECT_EQ(said_of("Hunde am See im letzten Sommer"), "Hunde am See | 2026-06-01 2026-08-31");
  EXPECT_EQ(said_of("ein Kuchen im Mai 2020"), "ein Kuchen | 2020-05-01 2020-05-31");
  EXPECT_EQ(said_of("ein Kuchen aus dem Jahr 2020"), "ein Kuchen | 2020-01-01 2020-12-31");
  EXPECT_EQ(said_of("des chiens l\u2019été dernier"), "des chiens | 2026-06-01 2026-08-31");
  EXPECT_EQ(said_of("un gâteau en août 2020"), "un gâteau | 2020-08-01 2020-08-31");
  EXPECT_EQ(said_of("un gâteau aujourd'hui"), "un gâteau | 2026-11-29 2026-11-29");
  EXPECT_EQ(said_of("cachorros no verão passado"), "cachorros | 2026-06-01 2026-08-31");
  EXPECT_EQ(said_of("um bolo em março de 2020"), "um bolo | 2020-03-01 2020-03-31");
  EXPECT_EQ(said_of("perros el verano pasado"), "perros | 2026-06-01 2026-08-31");
  EXPECT_EQ(said_of("psi loni v létě"), "psi | 2025-06-01 2025-08-31");
  EXPECT_EQ(said_of("dort v květnu 2020"), "dort | 2020-05-01 2020-05-31");
  EXPECT_EQ(said_of("كلاب الصيف الماضي"), "كلاب | 2026-06-01 2026-08-31");
  EXPECT_EQ(said_of("كلب في عام 2020"), "كلب | 2020-01-01 2020-12-31");
  EXPECT_EQ(said_of("去年夏天的狗"), "狗 | 2025-06-01 2025-08-31");
  EXPECT_EQ(said_of("2020年5月的狗"), "狗 | 2020-05-01 2020-05-31");
  EXPECT_EQ(said_of("昨天的狗"), "狗 | 2026-11-28 2026-11-28");
}

// Decomposed letters and capitals are the same.
TEST(SpokenFilters, HoweverLettersAreTyped) {
  EXPECT_EQ(said_of("A CAKE LAST SUMMER"), "A CAKE | 2026-06-01 2026-08-31");
  EXPECT_EQ(said_of("un ga\u0302teau en aou\u0302t 2020"),
            "un ga\u0302teau | 2020-08-01 2020-08-31");
}

TEST(SpokenFilters, WhatMayBeSeenIsNotHeard) {
  for (const char* sentence :
       {"a field in summer", "a winter landscape", "a car with the number 2019", "may I come in",
        "the last dog", "a march of soldiers", "flowers of May", "a child with an apple",
        "a dog with a ball", "a man on a bike", "1999 balloons", "a folder on a desk", "", "   ",
        "\xff\xfe", "fleurs de mai"}) {
    EXPECT_EQ(said_of(sentence), "as it is") << sentence;
  }
}

TEST(SpokenFilters, CamerasAreHeard) {
  EXPECT_EQ(said_of("dogs with the Nikon"), "dogs | nikon");
  EXPECT_EQ(said_of("dogs taken with my Apple iPhone"), "dogs | apple iphone");
  EXPECT_EQ(said_of("dogs taken with an apple"), "dogs | apple");  // so it says
  EXPECT_EQ(said_of("Hunde mit der Nikon aufgenommen am See"), "Hunde am See | nikon");
  EXPECT_EQ(said_of("dogs with a D750"), "dogs | d750");
  EXPECT_EQ(said_of("dogs taken with the Leica"), "as it is");
  EXPECT_EQ(said_of("dogs at the lake, last summer, taken with the Nikon"),
            "dogs at the lake | 2026-06-01 2026-08-31 | nikon");
}

TEST(SpokenFilters, FoldersAreHeard) {
  EXPECT_EQ(said_of("dogs in the folder Sea"), "dogs | Holidays/Sea");
  EXPECT_EQ(said_of("dogs in folder \"holidays\""), "dogs | Holidays");
  EXPECT_EQ(said_of("Hunde im Ordner Lake Garda 2019"), "Hunde | Lake Garda 2019");
  EXPECT_EQ(said_of("dogs in the folder Elsewhere"), "as it is");
}

TEST(SpokenFilters, TownsAreHeard) {
  EXPECT_EQ(said_of("trams in Lissabon"), "trams | Lissabon");
  EXPECT_EQ(said_of("trams taken in lissabon in 2019"), "trams | 2019-01-01 2019-12-31 | lissabon");
  EXPECT_EQ(said_of("Straßenbahnen aus Lissabon, mit der Nikon"),
            "Straßenbahnen | nikon | Lissabon");
  EXPECT_EQ(said_of("une rue à new york la nuit"), "une rue la nuit | new york");
  EXPECT_EQ(said_of("a dog in Bath"), "a dog | Bath");
  // What may be seen, short names that stand for much, and towns without a word before them.
  EXPECT_EQ(said_of("a dog in bath"), "as it is");
  EXPECT_EQ(said_of("a dog in la"), "as it is");
  EXPECT_EQ(said_of("Lissabon trams"), "as it is");
  EXPECT_EQ(said_of("in Lissabon"), "in Lissabon | Lissabon");
}

// A question of nothing else keeps its words: something has to be looked for.
TEST(SpokenFilters, AloneTheyStayInTheSentence) {
  EXPECT_EQ(said_of("last summer"), "last summer | 2026-06-01 2026-08-31");
  EXPECT_EQ(heard_in("last summer").heard.front().text, "last summer");
}

TEST(SpokenFilters, ALanguageHearsItsOwnWords) {
  Surroundings around;
  around.now = kNow;
  around.speaks = [](std::string_view language) { return language == "de"; };
  EXPECT_TRUE(hear("der Hund ist hier", around).heard.empty());
  EXPECT_TRUE(hear("今天的狗", around).heard.empty());
  EXPECT_EQ(hear("der Hund von gestern", around).rest, "der Hund");
  around.speaks = [](std::string_view language) { return language == "fr"; };
  EXPECT_EQ(hear("le chien d'hier", around).rest, "le chien");
}

TEST(SpokenFilters, WithoutATimeNoneIsHeard) {
  Surroundings around;
  EXPECT_TRUE(hear("dogs last summer", around).heard.empty());
}

TEST(SpokenTimes, OfALeapYearAndOverTheNewYear) {
  const auto text = [](const Period& period) { return first_day(period) + " " + last_day(period); };
  EXPECT_EQ(text(season_in(2023, 3)), "2023-12-01 2024-02-29");
  const std::int64_t january = parse_period("2026-01-01")->begin;
  EXPECT_EQ(text(month_of(january, true)), "2025-12-01 2025-12-31");
  EXPECT_EQ(text(week_of(january, false)), "2025-12-29 2026-01-04");
  EXPECT_EQ(text(season_before(january, 3, false)), "2025-12-01 2026-02-28");
  EXPECT_EQ(text(season_before(january, 3, true)), "2024-12-01 2025-02-28");
  EXPECT_EQ(text(day_of(january, 1)), "2025-12-31 2025-12-31");
  EXPECT_EQ(text(day_of(-1, 0)), "1969-12-31 1969-12-31");
}

}  // namespace
}  // namespace hinny
