#include "vision/xmp_facts.h"

#include <gtest/gtest.h>

#include <string>

#include "base/atomic_file.h"
#include "tests/scratch.h"
#include "vision/picture_facts.h"

namespace hinny {
namespace {

std::string xmp_of(const std::string& latitude, const std::string& longitude) {
  return "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
         "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
         "xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:GPSLatitude='" +
         latitude + "'><exif:GPSLongitude>" + longitude +
         "</exif:GPSLongitude></rdf:Description></rdf:RDF></x:xmpmeta>";
}

std::string place_in(const std::string& latitude, const std::string& longitude) {
  const auto place = xmp_facts(xmp_of(latitude, longitude)).place;
  return place ? coordinates_text(*place) : "none";
}

TEST(XmpFacts, SayWhere) {
  EXPECT_EQ(place_in("47,22.614N", "8,32.502E"), "47.376900,8.541700");
  EXPECT_EQ(place_in("33,51,54.6S", "151,12,36.36W"), "-33.865167,-151.210100");
  EXPECT_EQ(place_in("47N", "8E"), "47.000000,8.000000");
}

TEST(XmpFacts, SayNothingOfWhatCannotBe) {
  for (const auto& [latitude, longitude] :
       std::vector<std::pair<const char*, const char*>>{{"", "8,32.502E"},
                                                        {"47,22.614", "8,32.502E"},
                                                        {"47,22.614E", "8,32.502E"},
                                                        {"91,0N", "8,32.502E"},
                                                        {"47,60.1N", "8,32.502E"},
                                                        {"47,1,1,1N", "8,32.502E"},
                                                        {"-47,1N", "8,32E"},
                                                        {"nan,1N", "8,32E"},
                                                        {"0,0N", "0,0E"},
                                                        {"47,N", "8,32E"},
                                                        {"47, 22N", "8,32E"}}) {
    EXPECT_EQ(place_in(latitude, longitude), "none") << latitude << " " << longitude;
  }
}

// Beside a picture whose camera said nothing, by either name.
TEST(XmpFacts, OfASidecarAreThePictures) {
  for (const char* name : {"a.jpg.xmp", "a.xmp", "a.XMP"}) {
    const Scratch folder;
    write_file(folder / "a.jpg", "\xff\xd8");
    EXPECT_FALSE(picture_facts(folder / "a.jpg").place);
    write_file(folder / name, xmp_of("47,22.614N", "8,32.502E"));
    ASSERT_TRUE(picture_facts(folder / "a.jpg").place) << name;
    EXPECT_EQ(coordinates_text(*picture_facts(folder / "a.jpg").place), "47.376900,8.541700");
  }
}

}  // namespace
}  // namespace hinny
