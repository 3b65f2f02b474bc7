// A picture collection that can be asked: an index folder, open, and all that questions need beside
// it. Both `hinny search` and `hinny serve` are made of this.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "index/asking/question.h"
#include "index/asking/sentences.h"

namespace hinny {

class Engine;
class Index;

struct CollectionOptions {
  // For a program that keeps running: graphs are read and translators opened with the index. A
  // program that asks once starts faster without.
  bool stays = false;
  // Without it, questions with pictures are refused.
  OpenPictureReader pictures{};
  // Holds the pictures' vectors in place of the folder, whose model still encodes the questions and
  // whose stored sentences stay in use.
  std::shared_ptr<const Engine> engine{};
};

// What there is to ask.
struct CollectionFacts {
  std::size_t images = 0;    // frames of films among them
  std::size_t expected = 0;  // about so many there are to be, while the index is being made; else 0
  std::vector<std::string> languages;
  bool asks_with_pictures = false;
  bool explains = false;
  bool translates = false;
  bool times = false;                            // knows when its pictures were taken
  bool places = false;                           // and of some where
  bool sizes = false;                            // and of some how large they are
  std::vector<std::string> cameras{}, lenses{};  // that took them, in the order of their names
  std::vector<std::string> towns{};              // where they were taken, likewise
  std::size_t films = 0;
  std::size_t dim = 0;  // of the vectors
  std::string model;    // its hash: vectors of one model compare with each other alone
};

struct Embeddings {
  struct Item {
    std::vector<float> vector;  // dim numbers, length 1
    Understood understood;
    std::size_t words = 0;  // that the model saw, known or not
  };
  std::string model;
  std::vector<Item> items;
};

// Safe to share between threads; each call answers from one version of the folder, whatever is
// reloaded meanwhile, and asking computes on the calling thread and, in large collections, on
// thread_count() others.
//
// Throws RequestError for what is asked wrongly (UnknownImage for an id that is not there), and any
// other InputError for a file of the folder that is broken.
class Collection {
 public:
  // Throws as Index::open.
  explicit Collection(std::filesystem::path folder, CollectionOptions options = {});
  ~Collection();
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

  // Opens the folder again if its index.json is another file than last time; true when it did.
  // Throws InputError for an index that is broken; then the old one stays, and the broken one is
  // not tried again until one of its files changes (it may not be copied whole yet). Whatever else
  // it throws (no memory, no descriptors) may pass: it is tried again, after a pause that grows to
  // a minute. Calls under way end on the version that they began with.
  bool reload();

  // Opens the translators, if the index keeps any, and reads when pictures were taken.
  CollectionFacts facts() const;

  struct AskOptions {
    // Scores each sentence together with its translations, where the index keeps translators.
    bool translate = false;
    // A collection of the same pictures whose model is faster: only its `rerank` best are compared.
    // Needs a model that compares regions here.
    const Collection* first = nullptr;
  };
  // A question for each sentence, which stands before the parts that all of them share; without
  // sentences `shared` is the one question. Pictures like one of the collection, and explanations,
  // are asked for in `shared`. The collection is read once for all.
  std::vector<Answer> ask(std::span<const std::string> sentences, const Question& shared,
                          const AskOptions& options) const;
  std::vector<Answer> ask(std::span<const std::string> sentences, const Question& shared) const {
    return ask(sentences, shared, {});
  }

  // Of the sentences that the index keeps, the best for an image in each language, languages in the
  // model's order. None where it keeps none.
  std::vector<SentenceHit> stored_sentences(const std::string& image,
                                            std::size_t per_language) const;
  // Of these sentences the k best for a picture (a part without a sentence), in `language`, or ""
  // to guess each one's.
  std::vector<SentenceHit> best_sentences(const Question::Part& picture,
                                          std::span<const std::string> sentences,
                                          const std::string& language, std::size_t k) const;

  Embeddings embed(std::span<const std::string> sentences, const std::string& language) const;

  // Where an image's file is, or "" when the index knows none.
  std::string file_of(const std::string& image) const;

  // The version that answers now; it stays what it is as long as someone has it.
  std::shared_ptr<const Index> index() const;

  // Searches for something that is there; throws when that goes wrong.
  void check() const;

 private:
  class Version;
  using Stamp = std::vector<std::int64_t>;
  Stamp stamp() const;  // of index.json
  Stamp stamp_of_all_files() const;
  std::shared_ptr<const Version> current() const;
  std::vector<Answer> ask_as_it_is(const Version& version, std::span<const std::string> sentences,
                                   const Question& shared, const AskOptions& options) const;

  std::filesystem::path folder_;
  CollectionOptions options_;
  std::mutex reloading_;  // held while a new version is opened
  Stamp seen_;
  std::optional<Stamp> broken_;  // what could not be opened
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kShortestPause{500};
  std::chrono::milliseconds pause_ = kShortestPause;  // after the machine's fault
  Clock::time_point try_again_{};
  mutable std::mutex lock_;  // held only to read or set current_
  std::shared_ptr<const Version> current_;
};

}  // namespace hinny
