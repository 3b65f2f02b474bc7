#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/error.h"
#include "base/lines.h"
#include "data/dataset.h"
#include "data/id_spelling.h"
#include "data/json_fields.h"
#include "text/language_code.h"
#include "text/utf16.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestName = 512;    // of an image id, a split or a file
constexpr std::size_t kMostLanguages = 256;  // bounds the table [images, languages]

bool blank(std::string_view text) {
  const auto visible = [](char symbol) { return symbol > ' ' && symbol < 0x7F; };
  if (std::any_of(text.begin(), text.end(), visible)) return false;  // most captions
  const icu::UnicodeString unicode = to_utf16(text);
  for (std::int32_t at = 0; at < unicode.length(); at = unicode.moveIndex32(at, 1)) {
    if (u_isUWhiteSpace(unicode.char32At(at)) == 0) return false;
  }
  return true;
}

// Names end up in messages, tables and other line-based files.
void check_name(const JsonFields& fields, std::string_view what, std::string_view name) {
  if (name.size() > kLongestName) {
    fields.fail(fmt::format("{} of {} bytes", what, name.size()),
                fmt::format("at most {}", kLongestName));
  }
  const auto control = [](char symbol) {
    return static_cast<unsigned char>(symbol) < 0x20 || symbol == 0x7F;
  };
  if (std::any_of(name.begin(), name.end(), control)) {
    fields.fail(fmt::format("control character in the {}", what), "printable text");
  }
}

void check_file(const JsonFields& fields, const std::string& name) {
  check_name(fields, "file", name);
  const fs::path path(name);
  if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end()) {
    fields.fail(fmt::format("file '{}' leaves the folder images/", name),
                "a relative path without '..'");
  }
}

void check_language(const JsonFields& fields, std::string_view code) {
  // As earlier versions took them.
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool good =
      code.size() >= 2 && code.size() <= 8 && letter(code.front()) && letter(code.back()) &&
      std::all_of(code.begin(), code.end(), [&](char c) { return letter(c) || c == '-'; });
  if (!good && !is_language_code(code)) {
    fields.fail(fmt::format("language '{}'", code.substr(0, 32)), kLanguageCodeRule);
  }
}

}  // namespace

// Fills a Dataset from its two files.
class DatasetReader {
 public:
  DatasetReader(const fs::path& folder, const DatasetOptions& options) : options_(options) {
    dataset_.folder_ = folder;
    captions_path_ = folder / "captions.jsonl";
  }

  Dataset read() {
    read_images();
    read_captions();
    choose_languages();
    dataset_.index_captions();
    return std::move(dataset_);
  }

 private:
  void read_images() {
    const fs::path path = dataset_.folder_ / "images.jsonl";
    if (!fs::is_regular_file(path)) {
      throw InputError(path, "no such file", "a dataset folder with images.jsonl");
    }
    JsonFields fields(path, {"image", "split", "file"});
    for_each_line(path, [&](std::string_view text, std::size_t line) {
      if (blank(text)) return;
      fields.read(text, line);
      check_name(fields, "image id", fields.required(0));
      check_name(fields, "split", fields.required(1));
      check_file(fields, fields.optional(2));
      const int position = next_position(dataset_.images_.size(), fields);
      if (!dataset_.ids_.emplace(fields.required(0), position).second) {
        fields.fail(fmt::format("image '{}' for the second time", fields.required(0)),
                    "each image once; its captions stand in captions.jsonl");
      }
      dataset_.images_.push_back({std::move(fields.required(0)), std::move(fields.required(1)),
                                  std::move(fields.optional(2))});
    });
    if (dataset_.images_.empty()) throw InputError(path, "no images", "one per line");
  }

  void read_captions() {
    if (!fs::is_regular_file(captions_path_)) {
      throw InputError(captions_path_, "no such file", "captions beside images.jsonl");
    }
    JsonFields fields(captions_path_, {"image", "lang", "text", "source"});
    for_each_line(captions_path_, [&](std::string_view text, std::size_t line) {
      if (blank(text)) return;
      fields.read(text, line);
      read_caption(fields);
    });
  }

  void read_caption(JsonFields& fields) {
    Caption caption;
    caption.image = dataset_.find(fields.required(0));
    if (caption.image < 0) {
      check_name(fields, "image id", fields.required(0));
      IdSpellings known;
      for (const Image& image : dataset_.images_) known.add(image.id);
      const std::string near = known.near(fields.required(0));
      fields.fail(fmt::format("caption of unknown image '{}'", fields.required(0)),
                  near.empty() ? fmt::format("an image of images.jsonl, such as '{}'",
                                             dataset_.images_.front().id)
                               : fmt::format("an image of images.jsonl; it has {}", near));
    }
    caption.language = read_language(fields);
    if (blank(fields.required(2))) fields.fail("empty caption", "some text");
    caption.source = read_source(fields);
    caption.place = next_position(static_cast<std::size_t>(dataset_.captions_in_file_), fields);
    ++dataset_.captions_in_file_;
    if (!wanted(caption)) return;
    caption.text = std::move(fields.required(2));
    dataset_.captions_.push_back(std::move(caption));
    ++kept_[static_cast<std::size_t>(dataset_.captions_.back().language)];
  }

  // Position in codes_: languages are numbered as they appear, and put in order at the end.
  int read_language(JsonFields& fields) {
    const std::string& code = fields.required(1);
    const auto found = std::find(codes_.begin(), codes_.end(), code);
    if (found != codes_.end()) return static_cast<int>(found - codes_.begin());
    check_language(fields, code);
    if (codes_.size() == kMostLanguages) {
      fields.fail("too many languages", fmt::format("at most {}", kMostLanguages));
    }
    codes_.push_back(code);
    // Which of several codes is meant is known at the end.
    const auto may_mean = [&](const std::string& asked) {
      return find_language(std::span(&code, 1), asked).has_value();
    };
    wanted_.push_back(options_.languages.empty() ||
                      std::ranges::any_of(options_.languages, may_mean));
    kept_.push_back(0);
    return static_cast<int>(codes_.size()) - 1;
  }

  static Source read_source(JsonFields& fields) {
    const std::string& name = fields.required(3);
    if (const auto source = find_source(name)) return *source;
    fields.fail(fmt::format("unknown source '{}'", name.substr(0, 32)),
                fmt::format("{}", fmt::join(source_names(), ", ")));
  }

  bool wanted(const Caption& caption) const {
    return wanted_[static_cast<std::size_t>(caption.language)] &&
           (options_.sources.empty() || options_.sources.contains(caption.source));
  }

  static int next_position(std::size_t size, const JsonFields& fields) {
    if (size >= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
      fields.fail("too many lines", "fewer than 2^31");
    }
    return static_cast<int>(size);
  }

  void choose_languages() {
    std::vector<std::string>& languages = dataset_.languages_;
    languages = options_.languages;
    if (languages.empty()) {
      for (std::size_t i = 0; i < codes_.size(); ++i) {
        if (kept_[i] > 0) languages.push_back(codes_[i]);
      }
      std::sort(languages.begin(), languages.end());
    }
    std::vector<int> position(codes_.size(), -1);
    for (std::size_t i = 0; i < languages.size(); ++i) {
      if (options_.silent.contains(languages[i]) && !speaks(languages[i])) continue;
      const std::size_t own = known_language(languages[i]);
      int& place = position[own];
      if (place >= 0) throw InputError(fmt::format("language '{}' asked for twice", languages[i]));
      place = static_cast<int>(i);
      if (options_.own_codes) languages[i] = codes_[own];
    }
    for (Caption& caption : dataset_.captions_) {
      caption.language = position[static_cast<std::size_t>(caption.language)];
    }
    std::erase_if(dataset_.captions_, [](const Caption& one) { return one.language < 0; });
  }

  bool speaks(const std::string& code) const {
    const auto place = place_of(code);
    return place && kept_[*place] > 0;
  }

  std::optional<std::size_t> place_of(const std::string& code) const {
    const auto own = find_language(codes_, code);
    if (!own) return {};
    return static_cast<std::size_t>(std::ranges::find(codes_, *own) - codes_.begin());
  }

  // Position in codes_ of a language that has captions.
  std::size_t known_language(const std::string& code) const {
    const auto place = place_of(code);
    if (place && kept_[*place] > 0) return *place;
    const bool filtered = place.has_value();
    throw InputError(
        captions_path_,
        fmt::format("no captions in language '{}'{}", code,
                    filtered ? " from the chosen sources" : did_you_mean(code, codes_)),
        fmt::format("a language that it has: {}",
                    fmt::join(std::set(codes_.begin(), codes_.end()), ", ")));
  }

  const DatasetOptions& options_;
  Dataset dataset_;
  fs::path captions_path_;
  std::vector<std::string> codes_;  // every language of the file
  std::vector<bool> wanted_;        // by position in codes_
  std::vector<std::size_t> kept_;   // captions kept
};

Dataset Dataset::load(const fs::path& folder, const DatasetOptions& options) {
  if (!fs::is_directory(folder)) {
    throw InputError(folder, "no such folder", "a dataset folder with images.jsonl");
  }
  return DatasetReader(folder, options).read();
}

}  // namespace hinny
