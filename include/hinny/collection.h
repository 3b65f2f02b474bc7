// A collection of pictures that can be asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hinny/export.h"

namespace hinny {
inline namespace v1 {

// What to look for beside a sentence, and which of what is found to keep. As the options of
// `hinny search`, which say the same. The {} are for -Wextra, which would warn of `{.k = 5}`.
struct Question {
  std::string language{};                                   // of the sentences; "" guesses it
  std::vector<std::pair<std::string, std::string>> also{};  // language, the sentence in it
  std::vector<std::string> like{};                          // ids of pictures of the collection
  std::vector<std::vector<float>> features{};               // of pictures, as the model reads them
  std::vector<std::string> exclude{};  // sentences that pictures should not fit
  float picture_weight = 1;            // of each of `like` and `features`
  float exclude_weight = 0.5F;
  std::size_t k = 10;
  double min_score = -std::numeric_limits<double>::infinity();
  std::string since{}, until{};  // "2024", "2024-06", "2024-06-15", "2024-06-15 10:30"
  std::string folder{};          // only pictures in it or below it
  // Newest first: with a min_score the k newest of all pictures that reach it, else the k best.
  bool by_time = false;
  bool near_copies = false;  // makes one result of near copies of a picture
  std::size_t rerank = 0;    // 0: the default of the collection's re-ranking model
  bool explain = false;
  double min_fit = 0;            // leaves out what belongs with a smaller chance (docs/fit.md)
  std::string near{};            // "47.3769,8.5417": only pictures that were taken near there,
  std::string within{};          // "10km", "500m"; "": 1 km
  std::string camera{}, lens{};  // words of their names
  // Sentences are read as they are; else times, towns, cameras and folders in them filter
  // (Answer::heard).
  bool literal = true;
  std::string kind = "any";   // "film" or "picture": only such
  bool each_frame = false;    // each frame of a film is a result of its own, not the best one alone
  std::string town{};         // only pictures of this town, by its name in any language
  std::string shape = "any";  // "landscape", "portrait" or "square": only such
  std::string min_size{}, max_size{};  // "12MP", "1920x1080": only pictures of such a size

  // The same by the name that HTTP's fields have (docs/http-api.md) and as text: "k" "5", "not"
  // "snow", "since" "2024-06", "also" "en=a dog", "explain" "1". What may be there several times is
  // added. Throws InputError for another name and for text of another type.
  HINNY_API void set(std::string_view name, std::string_view value);
};

struct Explanation {
  struct Word {
    std::string text;
    float share = 0;             // of the score; all words together 1
    std::vector<float> regions;  // its share, divided among them, or none
  };
  std::vector<Word> words;
  std::vector<float> regions;
  std::size_t grid_rows = 0, grid_columns = 0;  // 0 where regions are no cells of a grid
};

struct Result {
  std::string id;
  std::string file;   // "" when the collection knows none
  float score = 0;    // a cosine: 1 at most
  std::string taken;  // "2024-06-15 10:30:00", or "" when the collection does not know
  std::optional<Explanation> explanation;  // when asked for
  std::vector<Result> copies;              // near copies of it, when asked for
  std::optional<double> fit{};  // the chance that it belongs to the question, where that is known
  std::optional<std::pair<double, double>> place{};  // degrees north and east, where it was taken
  std::string camera{}, lens{};                      // "" when the collection does not know
  std::vector<std::string> raw{};  // names of raw files beside it, of the same photograph
  std::string town{};              // where it was taken, "Lisbon, PT"; "" when that is not known
  std::optional<double> second{};  // of a frame of a film: its moment there
  std::string exposure{};          // "1/250 s, f/2.8, ISO 100, 50 mm", or what of it is known
  std::int64_t width = 0, height = 0;  // pixels, as it is shown; 0 when that is not known
};

// What a sentence said beside the picture.
struct Heard {
  std::string text;                                  // as it stands there
  std::string since{}, until{}, camera{}, folder{};  // of these what it is
  std::string town{};                                // or this
};

struct Answer {
  std::string language;  // that the sentence was read in; "" without one
  std::vector<std::string> unknown_words;
  std::vector<Result> results;  // best first
  std::vector<Heard> heard{};   // where the question is not literal
};

// Vectors of a collection, where they lie: image i's `dim` numbers begin at data + i * stride.
struct VectorView {
  const float* data = nullptr;
  std::size_t rows = 0, dim = 0, stride = 0;
  std::shared_ptr<const void> owner;  // they live as long as this
};

// What a new version of a collection has: pictures that were not there, that differ, that are gone,
// and that are as they were.
struct Change {
  std::size_t added = 0, changed = 0, removed = 0, kept = 0;
};

// An index folder that `hinny index` wrote. Safe to share between threads; each call answers from
// one version of the folder, whatever is reloaded meanwhile.
class HINNY_API Collection {
 public:
  // Throws NotFoundError, and InputError for a folder that is broken.
  explicit Collection(const std::string& path);
  ~Collection();
  Collection(Collection&& other) noexcept;
  Collection& operator=(Collection&& other) noexcept;

  std::size_t size() const;  // pictures
  std::size_t dim() const;   // numbers in a vector
  std::vector<std::string> languages() const;
  std::string model_hash() const;  // Model::hash() of what its vectors were made with
  std::vector<std::string> ids() const;
  // Where a picture is, or "" when the collection knows no file. Throws NotFoundError.
  std::string file(const std::string& id) const;
  // In the order of ids(), to be compared with sentences in `language`. A model with one image
  // space for all languages needs none; of another, InputError without one, as for a language that
  // the model lacks.
  VectorView vectors() const;
  VectorView vectors(const std::string& language) const;

  // What `hinny search` answers. Throws InputError for what is asked wrongly: nothing to look for,
  // a sentence without a known word, a language that the model lacks, features of another size; and
  // NotFoundError for an id that is not there.
  Answer search(const std::string& sentence, const Question& question = {}) const;
  // A question for each sentence; the collection is read once for all. Without sentences, the one
  // question that `question` is.
  std::vector<Answer> search(std::span<const std::string> sentences,
                             const Question& question = {}) const;
  // The nearest by dot product to each of these vectors, [queries, dim]; k, min_score, since,
  // until, folder and language (as in vectors()) of `question` count, the rest must be as it is by
  // default. Not re-ranked.
  std::vector<Answer> nearest(std::span<const float> vectors, const Question& question = {}) const;

  // Adds the pictures of a dataset folder's splits ("all": every one) that have the features which
  // the collection was made from, and answers from the new version; a picture whose id is there
  // takes that place. Throws NotFoundError and InputError, and nothing changes.
  Change add(const std::string& dataset, std::span<const std::string> splits = {});
  // The same, and afterwards there are no other pictures.
  Change update(const std::string& dataset, std::span<const std::string> splits = {});
  // Takes pictures out and writes the new version, which this collection then answers from. Throws
  // NotFoundError, and nothing changes, when one is not there.
  void remove(std::span<const std::string> ids);
  // Opens the folder again if it has changed; true when it had. Throws InputError for a new version
  // that is broken; then the old one stays.
  bool reload();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace v1
}  // namespace hinny
