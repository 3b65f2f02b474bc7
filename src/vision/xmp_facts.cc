#include "vision/xmp_facts.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "base/read_file.h"
#include "vision/written_time.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr char kBetween = ' ';  // a namespace and a name
constexpr std::string_view kTaken[] = {
    "http://ns.adobe.com/exif/1.0/ DateTimeOriginal",
    "http://cipa.jp/exif/1.0/ DateTimeOriginal",
    "http://ns.adobe.com/photoshop/1.0/ DateCreated",
    "http://ns.adobe.com/exif/1.0/ DateTimeDigitized",
    "http://cipa.jp/exif/1.0/ DateTimeDigitized",
};
constexpr std::string_view kCreated = "http://ns.adobe.com/xap/1.0/ CreateDate";
constexpr std::string_view kLatitude = "http://ns.adobe.com/exif/1.0/ GPSLatitude";
constexpr std::string_view kLongitude = "http://ns.adobe.com/exif/1.0/ GPSLongitude";
constexpr std::size_t kMostText = 256;  // of a time or a place

bool is_read(std::string_view name) {
  return name == kCreated || name == kLatitude || name == kLongitude ||
         std::ranges::count(kTaken, name) > 0;
}

// "47,22.614N" and "47,22,36.84N" -> degrees, negative by the second of these letters. nullopt for
// anything else.
std::optional<double> degrees_of(std::string_view text, std::string_view letters) {
  if (text.empty() || letters.find(text.back()) == std::string_view::npos) return std::nullopt;
  const double sign = text.back() == letters[0] ? 1 : -1;
  text.remove_suffix(1);
  constexpr double kSixty = 60;
  double degrees = 0;
  for (double unit = 1;; unit *= kSixty) {
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
    if (unit > 1 && number >= kSixty) return std::nullopt;
    degrees += number / unit;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return sign * degrees;
    if (text.front() != ',' || unit == kSixty * kSixty) return std::nullopt;
    text.remove_prefix(1);
  }
}

// What elements and attributes of those names hold; the first of each name counts.
class Reading {
 public:
  Reading() : parser_(XML_ParserCreateNS(nullptr, kBetween)) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** attributes) {
          static_cast<Reading*>(self)->start(name, attributes);
        },
        [](void* self, const char*) { static_cast<Reading*>(self)->end(); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
      static_cast<Reading*>(self)->add({text, static_cast<std::size_t>(size)});
    });
    XML_SetStartDoctypeDeclHandler(
        parser_.get(), [](void* self, const char*, const char*, const char*, int) {
          XML_StopParser(static_cast<Reading*>(self)->parser_.get(), XML_FALSE);
        });
  }

  void read(std::string_view xmp) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 20U;
    for (; !xmp.empty(); xmp.remove_prefix(std::min(kAtOnce, xmp.size()))) {
      const auto size = static_cast<int>(std::min(kAtOnce, xmp.size()));
      if (XML_Parse(parser_.get(), xmp.data(), size, XML_FALSE) != XML_STATUS_OK) return;
    }
  }

  std::optional<std::int64_t> time(std::string_view name) const {
    return time_in_notes(text(name));
  }
  std::optional<Coordinates> place() const {
    return noted_place(degrees_of(text(kLatitude), "NS"), degrees_of(text(kLongitude), "EW"));
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  std::string text(std::string_view name) const {
    const auto found = texts_.find(name);
    return found == texts_.end() ? std::string() : found->second;
  }
  void start(std::string_view name, const char** attributes) {
    for (; attributes[0] != nullptr; attributes += 2) {
      if (is_read(attributes[0])) texts_.emplace(attributes[0], attributes[1]);
    }
    if (depth_ > 0) {
      ++depth_;
    } else if (is_read(name)) {
      depth_ = 1;
      name_ = name;
    }
  }
  void end() {
    if (depth_ > 0 && --depth_ == 0) {
      texts_.emplace(name_, text_);
      text_.clear();
    }
  }
  void add(std::string_view text) {
    if (depth_ > 0 && text_.size() < kMostText) text_ += text.substr(0, kMostText);
  }

  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::map<std::string, std::string, std::less<>> texts_;
  std::string name_, text_;
  std::size_t depth_ = 0;  // inside of the element `name_`
};

}  // namespace

XmpFacts xmp_facts(std::string_view xmp) {
  const std::size_t begin = xmp.find_first_not_of(std::string_view(" \t\r\n\0", 5));
  if (begin == std::string_view::npos) return {};
  Reading reading;
  reading.read(xmp.substr(begin));
  XmpFacts facts;
  for (const std::string_view name : kTaken) {
    if (!facts.taken) facts.taken = reading.time(name);
  }
  facts.created = reading.time(kCreated);
  facts.place = reading.place();
  return facts;
}

std::string xmp_beside(const fs::path& file) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24U;
  for (const fs::path& beside :
       {fs::path(file.string() + ".xmp"), fs::path(file).replace_extension(".xmp"),
        fs::path(file).replace_extension(".XMP")}) {
    std::error_code none;
    if (!fs::is_regular_file(beside, none)) continue;
    try {
      return read_file(beside, kMostBytes);
    } catch (const InputError&) {  // then it says nothing
    }
  }
  return "";
}

}  // namespace hinny
