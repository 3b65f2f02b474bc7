#include "data/importers/tmx.h"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <memory>

#include "base/error.h"
#include "base/unpacked_file.h"
#include "data/importers/names.h"

// 2.9 warns of its older functions, which are all that 2.5 has.
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
#define HINNY_EXPAT64
#endif

namespace hinny {
namespace {

constexpr std::size_t kMostText = std::size_t{16} << 20U;  // bytes of one <tu>
constexpr std::size_t kText = 128;                         // bytes of an empty one
constexpr std::size_t kDeepestElement = 64;

bool is_code(std::string_view element) {  // what is in it is for a word processor
  constexpr std::array<std::string_view, 5> kCodes{"bpt", "ept", "it", "ph", "ut"};
  return std::ranges::find(kCodes, element) != kCodes.end();
}

std::string spaces_as_one(std::string_view text) {
  std::string words;
  for (const char c : trimmed(text)) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) {
      words += c;
    } else if (words.back() != ' ') {
      words += ' ';
    }
  }
  return words;
}

class TmxReader {
 public:
  TmxReader(const std::filesystem::path& path, const UseUnit& use)
      : path_(path), use_(use), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) throw Failure("out of memory in the XML parser");
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* self, const char* name, const char** attributes) {
          static_cast<TmxReader*>(self)->guarded(&TmxReader::start, name, attributes);
        },
        [](void* self, const char* name) {
          static_cast<TmxReader*>(self)->guarded(&TmxReader::end, name);
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char* text, int size) {
      static_cast<TmxReader*>(self)->guarded(
          &TmxReader::add, std::string_view(text, static_cast<std::size_t>(size)));
    });
    XML_SetEntityDeclHandler(parser_.get(), [](void* self, const char* name, int, const char*, int,
                                               const char*, const char*, const char*, const char*) {
      static_cast<TmxReader*>(self)->guarded(&TmxReader::refuse_entity, name);
    });
    XML_SetSkippedEntityHandler(parser_.get(), [](void* self, const char* name, int) {
      static_cast<TmxReader*>(self)->guarded(&TmxReader::refuse_entity, name);
    });
  }

  void read() {
    UnpackedFile file(path_);
    std::string block(std::size_t{1} << 16U, '\0');
    for (bool more = true; more;) {
      const std::size_t count = file.read(block.data(), block.size());
      more = count > 0;
      if (!more && file.problem() != nullptr) {
        throw InputError(path_, line(), file.problem(), "a whole file");
      }
      parse(std::string_view(block).substr(0, count), !more);
    }
  }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  // Expat is C: no exception may pass through it.
  template <typename... Given, typename... Arguments>
  void guarded(void (TmxReader::*handle)(Given...), Arguments... arguments) {
    if (error_) return;  // it may still deliver what it has read
    try {
      (this->*handle)(arguments...);
    } catch (...) {
      error_ = std::current_exception();
      XML_StopParser(parser_.get(), XML_FALSE);
    }
  }

  void parse(std::string_view block, bool last) {
    const auto status =
        XML_Parse(parser_.get(), block.data(), static_cast<int>(block.size()), last ? 1 : 0);
    if (error_) std::rethrow_exception(error_);
    if (status != XML_STATUS_OK) refuse(last);
  }

  [[noreturn]] void refuse(bool last) const {
    const XML_Error code = XML_GetErrorCode(parser_.get());
    if (code == XML_ERROR_NO_MEMORY) throw Failure("out of memory in the XML parser");
    constexpr std::array kEnded{XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN,
                                XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION};
    if (last && std::ranges::find(kEnded, code) != kEnded.end()) {
      const std::string place =
          open_.empty() ? "before a first element" : fmt::format("inside of <{}>", open_.back());
      throw InputError(path_, line(), fmt::format("the file ends {}", place), "a whole TMX file");
    }
    if (code == XML_ERROR_INVALID_TOKEN && byte_here() >= 0x80) {
      throw InputError(path_, line(), "broken UTF-8",
                       "UTF-8 text, or another encoding that the XML declaration names");
    }
    throw InputError(path_, line(), fmt::format("broken XML: {}", XML_ErrorString(code)),
                     code == XML_ERROR_UNKNOWN_ENCODING ? "UTF-8, UTF-16 or ISO-8859-1" : "TMX");
  }

  std::size_t line() const {
#ifdef HINNY_EXPAT64
    return XML_GetCurrentLineNumber64(parser_.get());
#else
    return static_cast<std::size_t>(XML_GetCurrentLineNumber(parser_.get()));
#endif
  }

  // The byte at which the parser stopped; 0 where it does not say.
  unsigned byte_here() const {
#ifdef HINNY_EXPAT64
    std::int64_t offset = 0;
    std::uint64_t size = 0;
    const char* text = XML_GetInputContext64(parser_.get(), &offset, &size);
    const bool inside = offset >= 0 && static_cast<std::uint64_t>(offset) < size;
#else
    int offset = 0, size = 0;
    const char* text = XML_GetInputContext(parser_.get(), &offset, &size);
    const bool inside = offset >= 0 && offset < size;
#endif
    return text == nullptr || !inside ? 0 : static_cast<unsigned char>(text[offset]);
  }

  void refuse_entity(const char* name) {
    throw InputError(path_, line(), fmt::format("an entity of its own, '{}'", name),
                     "letters, and &amp;, &lt; and the like alone");
  }

  void start(const char* given, const char** attributes) {
    const std::string_view name = given;
    if (open_.empty() && name != "tmx") {
      throw InputError(path_, line(), fmt::format("XML whose first element is <{}>", name),
                       "<tmx>");
    }
    if (open_.size() == kDeepestElement)
      throw InputError(path_, line(), "nested too deeply", "TMX");
    open_.emplace_back(name);
    if (name == "tu") {
      forget_texts();
      unit_line_ = line();
    } else if (name == "tuv") {
      grow(kText);
      texts_.push_back({language(attributes), ""});
    } else if (name == "seg" && !texts_.empty()) {
      in_text_ = true;
    } else if (is_code(name)) {
      ++codes_;
    }
  }

  std::string language(const char** attributes) const {
    for (; attributes[0] != nullptr; attributes += 2) {
      const std::string_view name = attributes[0];
      if (name == "xml:lang" || name == "lang") return attributes[1];  // "lang" before TMX 1.4
    }
    throw InputError(path_, line(), "a <tuv> without a language", "xml:lang=\"en\" and so on");
  }

  void end(const char* given) {
    const std::string_view name = given;
    open_.pop_back();
    if (name == "seg") {
      in_text_ = false;
    } else if (is_code(name)) {
      --codes_;
    } else if (name == "tu") {
      for (ImportWriter::Text& text : texts_) text.text = spaces_as_one(text.text);
      use_(texts_, {path_, unit_line_});
      forget_texts();
    }
  }

  void add(std::string_view text) {
    if (!in_text_ || codes_ > 0) return;
    grow(text.size());
    texts_.back().text += text;
  }

  void grow(std::size_t bytes) {
    size_ += bytes;
    if (size_ > kMostText) {
      throw InputError(path_, line(), "a <tu> too long", "at most 16 MiB of text");
    }
  }

  void forget_texts() {
    texts_.clear();
    size_ = 0;
    in_text_ = false;
  }

  const std::filesystem::path& path_;
  const UseUnit& use_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::exception_ptr error_;
  std::vector<std::string> open_;  // elements
  std::vector<ImportWriter::Text> texts_;
  std::size_t unit_line_ = 0;
  std::size_t size_ = 0;
  std::size_t codes_ = 0;  // open elements of formatting
  bool in_text_ = false;
};

}  // namespace

bool is_xml(std::string_view start) {
  for (const std::string_view mark : {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"}) {
    if (start.starts_with(mark)) start.remove_prefix(mark.size());
  }
  std::string letters;  // of UTF-16 every other byte
  std::ranges::copy_if(start.substr(0, 64), std::back_inserter(letters),
                       [](char c) { return c != '\0'; });
  const std::string_view text = trimmed(letters);
  return text.starts_with("<?xml") || text.starts_with("<tmx") || text.starts_with("<!DOCTYPE tmx");
}

void for_each_unit(const std::filesystem::path& file, const UseUnit& use) {
  TmxReader(file, use).read();
}

}  // namespace hinny
