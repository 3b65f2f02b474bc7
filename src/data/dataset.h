// A dataset folder: images, their captions in several languages, their splits.
// docs/formats/dataset.md.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hinny {

enum class Source {
  human_original,
  human_translation,
  translation_edited,
  machine_translation,
  mmt
};
inline constexpr std::array kAllSources = {Source::human_original, Source::human_translation,
                                           Source::translation_edited, Source::machine_translation,
                                           Source::mmt};
std::string_view source_name(Source source);
std::optional<Source> find_source(std::string_view name);
// The same; InputError with the nearest name when there is none.
Source source_of_name(std::string_view name);
std::vector<std::string> source_names();  // of all
// True for the first three: captions that people wrote, translated or edited.
bool written_by_people(Source source);

struct Image {
  std::string id;
  std::string split;  // "train", "val", "test", ...
  std::string file;   // inside images/, may be empty
};

struct Caption {
  int image = 0;     // position in Dataset::images()
  int language = 0;  // position in Dataset::languages()
  Source source = Source::human_original;
  std::string text;  // as given; UTF-8, not normalised
  int place = 0;     // among all captions of the file, from 0
};

struct DatasetOptions {
  // In this order, by any of their codes (text/language_code.h), which then are the dataset's too;
  // empty: all that occur, in code order.
  std::vector<std::string> languages{};
  std::set<Source> sources{};      // only captions from these; empty: all
  std::set<std::string> silent{};  // of `languages`: those that need no caption
  bool own_codes = false;          // languages() are the file's, however they were asked for
};

// Everything is checked on loading; what is wrong is an InputError that names file and line:
// broken JSON or UTF-8, a key that is missing or of the wrong type, duplicate image ids, captions
// of unknown images, an empty caption, a source that does not exist, an image file outside images/,
// a language asked for that has no caption (unless it may be silent). Keys that are not known are
// ignored. An image without captions is allowed (it can still be indexed); captions_of() is empty
// then. Immutable after loading, so safe to share between threads.
class Dataset {
 public:
  static Dataset load(const std::filesystem::path& folder, const DatasetOptions& options = {});

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<Image>& images() const { return images_; }
  const std::vector<Caption>& captions() const { return captions_; }  // in file order
  // Captions in the file, those that were not asked for included.
  int captions_in_file() const { return captions_in_file_; }
  const std::vector<std::string>& languages() const { return languages_; }

  // Positions of the images of a split, in file order. Throws InputError naming the splits that
  // exist when it has none.
  std::vector<int> split(const std::string& name) const;
  bool has_split(const std::string& name) const;
  // Positions of an image's captions in one language, in file order.
  const std::vector<int>& captions_of(int image, int language) const;
  // The same without the captions for which `keep`, one entry each, is false.
  Dataset with_captions(const std::vector<bool>& keep) const;
  // The same with other texts, one for each of captions().
  Dataset with_texts(std::vector<std::string> texts) const;
  // Position of a language, by any of its codes; InputError when the dataset lacks it.
  int language(const std::string& code) const;
  // True when there is no caption in it.
  bool silent(int language) const;
  // Position of an image id, or -1.
  int find(const std::string& image_id) const;
  // True when some caption of this language in `images` was written by people.
  bool human(int language, const std::vector<int>& images) const;

 private:
  friend class DatasetReader;
  void index_captions();
  std::filesystem::path folder_;
  std::vector<Image> images_;
  std::vector<Caption> captions_;
  int captions_in_file_ = 0;
  std::vector<std::string> languages_;
  std::vector<std::vector<int>> by_image_;  // [image * languages + language]
  std::unordered_map<std::string, int> ids_;
};

// Writes images.jsonl and captions.jsonl of a new dataset folder as a stream, each atomically.
// Importers and `draw` use it; the same calls give the same bytes.
class DatasetWriter {
 public:
  explicit DatasetWriter(const std::filesystem::path& folder);
  ~DatasetWriter();
  void image(const Image& image);
  void caption(const std::string& image_id, const std::string& language, const std::string& text,
               Source source);
  void commit();

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

}  // namespace hinny
