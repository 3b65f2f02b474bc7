// What every importer shares: the dataset that it fills, what it leaves out, what it counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/progress.h"
#include "data/dataset.h"

namespace hinny {

// Where something was read: "captions.json:12: annotations[3]".
struct Place {
  const std::filesystem::path& file;
  std::size_t line = 0;
  std::string_view entry = {};

  std::string text() const;
};

struct Skipped {
  std::int64_t count = 0;
  std::vector<std::string> places;  // the first few
};

// What an import read and what it left out.
struct ImportSummary {
  std::int64_t images = 0;
  std::map<std::string, std::int64_t> images_by_split;
  std::int64_t images_without_captions = 0;
  std::map<std::string, std::int64_t> captions;  // by language
  std::string features;                          // name of the feature file, or empty
  std::vector<std::int64_t> feature_shape;
  std::map<std::string, Skipped> skipped;  // by reason
  std::map<std::string, Skipped> notes;    // what was taken, and may not be meant
  std::vector<std::string> left_alone;     // names of files beside the source's own, the first few
  std::int64_t left_alone_count = 0;
};

// --source NAME or --source LANG=NAME, each any number of times; the later one wins.
class SourceChoice {
 public:
  SourceChoice() = default;
  // InputError for a name that does not exist.
  explicit SourceChoice(const std::vector<std::string>& given);
  Source of(const std::string& language, Source fallback) const;
  // Throws InputError for a language that was named but has no captions.
  void check_used(const std::map<std::string, std::int64_t>& captions) const;

 private:
  std::map<std::string, Source> by_language_;  // "" is every language
};

// Fills a dataset folder. Captions are trimmed; empty ones and those given twice (image, language
// and text alike) are left out and counted. Shows progress and stops on Ctrl-C.
class ImportWriter {
 public:
  // `keep_repeats`: captions given twice stay, for test sets whose published figures count them.
  explicit ImportWriter(const std::filesystem::path& folder, SourceChoice sources = {},
                        bool keep_repeats = false);

  // The same image again changes nothing; in another split it is an InputError.
  void image(const Image& image, const Place& place);
  bool has(const std::string& image_id) const { return images_.contains(image_id); }
  // `source` holds unless the user chose another. An unknown image is an InputError.
  void caption(const std::string& image_id, const std::string& language, std::string_view text,
               Source source, const Place& place);
  struct Text {
    std::string language, text;
  };
  // An image that comes once, with all of its captions, in any number: nothing of it stays in
  // memory, so it is on the caller that no other has its id. Texts are as they shall be.
  void whole(const Image& image, std::span<const Text> texts, Source source, const Place& place);
  void skip(const std::string& reason, const std::string& where);
  void note(const std::string& what, const std::string& where);
  // A file of the source's folder that is none of its format.
  void leave_alone(const std::filesystem::path& file);
  void set_features(const std::string& name, std::vector<std::int64_t> shape);

  const std::filesystem::path& folder() const { return folder_; }
  ImportSummary commit();

 private:
  void write_image(const Image& image);
  const std::string& code_of(const std::string& language, const Place& place);
  void note_spelling(const std::string& image_id, const Place& place);
  struct Known {
    std::string split;
    bool captioned = false;
  };
  std::filesystem::path folder_;
  SourceChoice sources_;
  bool keep_repeats_;
  DatasetWriter writer_;
  Progress progress_{"import: captions", 0};
  ImportSummary summary_;

  std::unordered_map<std::string, Known> images_;
  std::unordered_map<std::string, std::string> composed_;  // ids with other letters than ASCII's
  std::unordered_set<std::uint64_t> seen_;                 // hashes of captions
  std::map<std::string, std::string> codes_;               // by any code that was given
  std::map<std::string, std::string> first_codes_;         // by canonical code
};

}  // namespace hinny
