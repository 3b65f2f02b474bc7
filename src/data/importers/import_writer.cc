#include "data/importers/import_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>

#include "base/error.h"
#include "base/interrupt.h"
#include "data/id_spelling.h"
#include "data/importers/names.h"
#include "text/characters.h"
#include "text/language_code.h"
#include "text/name_forms.h"

namespace hinny {
namespace {

constexpr std::size_t kPlacesShown = 3;
constexpr std::size_t kFilesShown = 20;
constexpr std::size_t kLongestName = 512;
// 64 bits: among a million captions a false match has a chance of 1 in 40 million.
std::uint64_t caption_hash(std::string_view image, std::string_view language,
                           std::string_view text) {
  const std::string key = fmt::format("{}\n{}\n{}", image, language, text);
  return XXH3_64bits(key.data(), key.size());
}

// What Dataset::load will refuse is refused here, where its origin is known.
void check_name(std::string_view name, std::string_view what, const Place& place) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; };
  if (name.size() <= kLongestName && std::none_of(name.begin(), name.end(), control)) return;
  throw InputError(fmt::format("{}: unusable {}", place.text(), what),
                   fmt::format("at most {} bytes of printable text", kLongestName));
}

void check_file(const std::filesystem::path& file, const Place& place) {
  if (!file.is_absolute() && std::find(file.begin(), file.end(), "..") == file.end()) return;
  throw InputError(fmt::format("{}: file '{}'", place.text(), file.string()),
                   "a relative path without '..'");
}

// Refuses what no dataset may hold.
void check_image(const Image& image, const Place& place) {
  if (image.id.empty()) throw InputError(place.text() + ": an image without a name", "a name");
  check_name(image.id, "image id", place);
  check_name(image.split, "split", place);
  check_name(image.file, "file", place);
  check_file(image.file, place);
  if (image.split.empty()) throw InputError(place.text() + ": an image without a split");
}

void count(Skipped& kind, const std::string& where) {
  ++kind.count;
  if (kind.places.size() < kPlacesShown) kind.places.push_back(where);
}

}  // namespace

std::string Place::text() const {
  std::string place = file.string();
  if (line > 0) place += fmt::format(":{}", line);
  if (!entry.empty()) place += fmt::format(": {}", entry);
  return place;
}

SourceChoice::SourceChoice(const std::vector<std::string>& given) {
  for (const std::string& choice : given) {
    const std::size_t equals = choice.find('=');
    const std::string language = equals == std::string::npos ? "" : choice.substr(0, equals);
    by_language_[language] = source_of_name(choice.substr(equals + 1));  // npos + 1 is 0
  }
}

Source SourceChoice::of(const std::string& language, Source fallback) const {
  auto found = by_language_.find(language);
  if (found == by_language_.end()) found = by_language_.find("");
  return found == by_language_.end() ? fallback : found->second;
}

void SourceChoice::check_used(const std::map<std::string, std::int64_t>& captions) const {
  for (const auto& [language, source] : by_language_) {
    if (language.empty() || captions.contains(language)) continue;
    throw InputError(fmt::format("--source {}={}: there is no caption in '{}'", language,
                                 source_name(source), language));
  }
}

ImportWriter::ImportWriter(const std::filesystem::path& folder, SourceChoice sources,
                           bool keep_repeats)
    : folder_(folder), sources_(std::move(sources)), keep_repeats_(keep_repeats), writer_(folder) {}

void ImportWriter::image(const Image& image, const Place& place) {
  stop_if_interrupted();
  check_image(image, place);
  const auto [known, is_new] = images_.try_emplace(image.id, Known{image.split});
  if (!is_new) {
    if (known->second.split == image.split) return;
    throw InputError(fmt::format("{}: image '{}' is in two splits, '{}' and '{}'", place.text(),
                                 image.id, known->second.split, image.split),
                     "one split for each image");
  }
  note_spelling(image.id, place);
  write_image(image);
}

void ImportWriter::write_image(const Image& image) {
  writer_.image(image);
  ++summary_.images;
  ++summary_.images_by_split[image.split];
}

void ImportWriter::whole(const Image& image, std::span<const Text> texts, Source source,
                         const Place& place) {
  stop_if_interrupted();
  check_image(image, place);
  write_image(image);
  for (const Text& text : texts) {
    progress_.add();
    const std::string& language = code_of(text.language, place);
    writer_.caption(image.id, language, text.text, sources_.of(language, source));
    ++summary_.captions[language];
  }
}

// The code that a language's captions are stored under: as it is written first.
const std::string& ImportWriter::code_of(const std::string& language, const Place& place) {
  const auto known = codes_.find(language);
  if (known != codes_.end()) return known->second;
  const auto canonical = canonical_language(language);
  if (!canonical) {
    throw InputError(fmt::format("{}: language '{}'", place.text(), language), kLanguageCodeRule);
  }
  const std::string& first = first_codes_.try_emplace(*canonical, language).first->second;
  return codes_[language] = first;
}

void ImportWriter::caption(const std::string& image_id, const std::string& given,
                           std::string_view text, Source source, const Place& place) {
  stop_if_interrupted();
  progress_.add();
  const auto known = images_.find(image_id);
  if (known == images_.end()) {
    IdSpellings listed;
    for (const auto& [id, image] : images_) listed.add(id);
    const std::string near = listed.near(image_id);
    throw InputError(fmt::format("{}: caption of an unknown image '{}'", place.text(), image_id),
                     near.empty() ? "an image that was listed"
                                  : fmt::format("an image that was listed, such as {}", near));
  }
  const std::string& language = code_of(given, place);
  text = trimmed(text);
  if (text.empty()) return skip("empty caption", place.text());
  if (!keep_repeats_ && !seen_.insert(caption_hash(image_id, language, text)).second) {
    return skip("the same caption again", place.text());
  }
  writer_.caption(image_id, language, std::string(text), sources_.of(language, source));
  known->second.captioned = true;
  ++summary_.captions[language];
}

// Two ids that look alike are two images, and hardly ever meant to be.
void ImportWriter::note_spelling(const std::string& image_id, const Place& place) {
  if (is_ascii(image_id)) return;
  const auto [other, is_new] = composed_.try_emplace(composed(image_id), image_id);
  if (!is_new) {
    note("two images whose ids differ in Unicode normalisation alone",
         fmt::format("{}: '{}'", place.text(), image_id));
  }
}

void ImportWriter::skip(const std::string& reason, const std::string& where) {
  count(summary_.skipped[reason], where);
}

void ImportWriter::note(const std::string& what, const std::string& where) {
  count(summary_.notes[what], where);
}

void ImportWriter::leave_alone(const std::filesystem::path& file) {
  ++summary_.left_alone_count;
  if (summary_.left_alone.size() < kFilesShown) {
    summary_.left_alone.push_back(file.filename().string());
  }
}

void ImportWriter::set_features(const std::string& name, std::vector<std::int64_t> shape) {
  summary_.features = name;
  summary_.feature_shape = std::move(shape);
}

ImportSummary ImportWriter::commit() {
  if (summary_.images == 0) throw InputError("nothing to import: no image in the source");
  sources_.check_used(summary_.captions);
  for (const auto& [id, known] : images_) {
    if (!known.captioned) ++summary_.images_without_captions;
  }
  writer_.commit();
  return summary_;
}

}  // namespace hinny
