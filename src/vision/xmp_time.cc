#include "vision/xmp_time.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>

#include "vision/written_time.h"

namespace hinny {
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
constexpr std::size_t kMostText = 256;  // of a time

bool says_when(std::string_view name) {
  return name == kCreated || std::ranges::count(kTaken, name) > 0;
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
    const auto found = texts_.find(name);
    return found == texts_.end() ? std::nullopt : time_in_notes(found->second);
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  void start(std::string_view name, const char** attributes) {
    for (; attributes[0] != nullptr; attributes += 2) {
      if (says_when(attributes[0])) texts_.emplace(attributes[0], attributes[1]);
    }
    if (depth_ > 0) {
      ++depth_;
    } else if (says_when(name)) {
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

XmpTimes xmp_times(std::string_view xmp) {
  const std::size_t begin = xmp.find_first_not_of(std::string_view(" \t\r\n\0", 5));
  if (begin == std::string_view::npos) return {};
  Reading reading;
  reading.read(xmp.substr(begin));
  XmpTimes times;
  for (const std::string_view name : kTaken) {
    if (!times.taken) times.taken = reading.time(name);
  }
  times.created = reading.time(kCreated);
  return times;
}

}  // namespace hinny
