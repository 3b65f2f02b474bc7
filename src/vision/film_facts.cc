#include "vision/film_facts.h"

#include <charconv>
#include <string_view>

#include "base/day.h"
#include "film/film_stream.h"
#include "vision/film_program.h"
#include "vision/picture_notes.h"
#include "vision/written_time.h"
#include "vision/xmp_facts.h"

namespace hinny {
namespace {

using FilmNotes = std::map<std::string, std::string>;

std::string_view note_of(const FilmNotes& notes, const char* key) {
  const auto found = notes.find(key);
  return found == notes.end() ? std::string_view() : std::string_view(found->second);
}

// ISO 6709 in degrees, "+47.3769+008.5417+400/": of the first two numbers.
void read_place(std::string_view text, PictureNotes& notes) {
  for (std::optional<double>* number : {&notes.latitude, &notes.longitude}) {
    if (text.size() < 2 || (text.front() != '+' && text.front() != '-')) return;
    const bool positive = text.front() == '+';
    text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0) return;
    *number = positive ? value : -value;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

void read_size(std::string_view text, PictureNotes& notes) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::optional<double>* side : {&notes.width, &notes.height}) {
    std::int32_t value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc()) return;
    *side = value;
    at = after == end ? end : after + 1;
  }
}

// Devices that know no time write the year that their clocks begin with.
std::optional<Taken> created_at(std::string_view text) {
  constexpr std::int64_t kFirstFilmsOfNumbers = 631'152'000;  // 1990
  const auto time = time_in_notes(text);
  if (!time || *time < kFirstFilmsOfNumbers) return std::nullopt;
  return Taken{local_time(*time), TakenFrom::film};
}

}  // namespace

PictureFacts film_facts(const std::filesystem::path& film) {
  return film_facts(film, film_notes(film));
}

PictureFacts film_facts(const std::filesystem::path& film, const FilmNotes& said) {
  PictureNotes notes;
  notes.make = note_of(said, film::kMake);
  notes.model = note_of(said, film::kModel);
  read_place(note_of(said, film::kPlace), notes);
  read_size(note_of(said, film::kSize), notes);
  std::optional<Taken> taken;
  if (const auto time = time_in_notes(note_of(said, film::kTaken))) {
    taken = Taken{*time, TakenFrom::film};
  }
  if (!taken) taken = taken_at(film, {});
  if (!taken) taken = created_at(note_of(said, film::kCreated));
  PictureFacts facts = noted_facts(taken, notes);
  if (!facts.place) facts.place = xmp_facts(xmp_beside(film)).place;
  return facts;
}

}  // namespace hinny
