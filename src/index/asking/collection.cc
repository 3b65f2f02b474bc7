#include "index/asking/collection.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/day.h"
#include "base/utf8.h"
#include "index/asking/ask.h"
#include "index/asking/collection_version.h"
#include "index/asking/engine.h"
#include "index/tree/picture_records.h"
#include "text/language_code.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::milliseconds kLongestPause{60'000};

// The pictures of `index` that another collection finds for the question.
std::vector<std::size_t> shortlist(const Collection& first, const Index& index, Question question) {
  question.k = std::max(question.compared(kCompared), question.k);
  question.explain = false;
  question.details = false;
  question.order = Question::Order::score;
  question.near_copies = false;
  question.each_frame = true;
  question.min_score = -std::numeric_limits<double>::infinity();
  question.min_fit = 0;
  std::vector<std::size_t> images;
  for (const Answer& answer : first.ask({}, question)) {
    for (const Found& found : answer.found) {
      if (const auto position = index.find(found.image)) images.push_back(*position);
    }
  }
  return images;
}

std::vector<std::string> sorted_names(const ImageNames& devices) {
  constexpr std::size_t kMost = 200;  // who has more filters by words of theirs
  std::vector<std::string> names(devices.names.begin() + 1, devices.names.end());
  std::ranges::sort(names);
  names.resize(std::min(names.size(), kMost));
  return names;
}

}  // namespace

Collection::Collection(std::filesystem::path folder, CollectionOptions options)
    : folder_(std::move(folder)),
      options_(std::move(options)),
      seen_(stamp()),
      current_(std::make_shared<const Version>(folder_, options_)) {}

Collection::~Collection() = default;

Collection::Stamp Collection::stamp() const {
  struct stat status {};
  if (::stat((folder_ / kContentsFile).c_str(), &status) != 0) return {};
  return {static_cast<std::int64_t>(status.st_ino), status.st_size, status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec};
}

Collection::Stamp Collection::stamp_of_all_files() const {
  std::uint64_t files = 0, bytes = 0;
  std::pair<std::int64_t, std::int64_t> newest;  // seconds, nanoseconds
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder_, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    struct stat status {};
    if (::stat(entry->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    ++files;
    bytes += static_cast<std::uint64_t>(status.st_size);
    for (const timespec& time : {status.st_mtim, status.st_ctim}) {
      newest = std::max(newest, {time.tv_sec, time.tv_nsec});
    }
  }
  return {static_cast<std::int64_t>(files), static_cast<std::int64_t>(bytes), newest.first,
          newest.second};
}

std::shared_ptr<const Collection::Version> Collection::current() const {
  const std::lock_guard guard(lock_);
  return current_;
}

std::shared_ptr<const Index> Collection::index() const {
  auto version = current();
  const Index& index = version->index();
  return {std::move(version), &index};
}

bool Collection::reload() {
  const std::lock_guard one_at_a_time(reloading_);
  Stamp now = stamp();
  if (now == seen_ && (!broken_ || stamp_of_all_files() == *broken_)) return false;
  if (Clock::now() < try_again_) return false;
  const Stamp all = stamp_of_all_files();  // before it is read: what comes later is a change
  std::shared_ptr<const Version> fresh;
  try {
    fresh = std::make_shared<const Version>(folder_, options_);
  } catch (const InputError&) {  // a verdict on these files
    seen_ = std::move(now);
    broken_ = all;
    throw;
  } catch (...) {  // the machine's fault, as a lack of memory or descriptors: it may pass
    pause_ = std::min(2 * pause_, kLongestPause);
    try_again_ = Clock::now() + pause_;
    throw;
  }
  seen_ = std::move(now);
  broken_.reset();
  pause_ = kShortestPause;
  const std::lock_guard guard(lock_);
  current_.swap(fresh);
  return true;
}

CollectionFacts Collection::facts() const {
  const auto version = current();
  const Index& index = version->index();
  const ModelConfig& config = index.model().config();
  const Engine* engine = options_.engine.get();
  const Engine::Facts held = engine != nullptr
                                 ? engine->facts()
                                 : Engine::Facts{index.size(), index.folder_facts().known()};
  return {
      held.images,
      version->expected(),
      config.languages,
      !index.contents().encoders.empty(),
      engine == nullptr && (index.regions() > 1 || index.reranker() != nullptr),
      !version->translators().empty(),
      held.times,
      engine == nullptr &&
          std::ranges::any_of(index.folder_facts().places, &std::optional<Coordinates>::has_value),
      engine == nullptr && std::ranges::any_of(index.folder_facts().sizes, is_known),
      engine == nullptr ? sorted_names(index.folder_facts().cameras) : std::vector<std::string>(),
      engine == nullptr ? sorted_names(index.folder_facts().lenses) : std::vector<std::string>(),
      engine == nullptr ? sorted_names(index.folder_facts().towns) : std::vector<std::string>(),
      engine == nullptr ? index.films().count : 0,
      config.dim,
      index.contents().model};
}

namespace {

// What a sentence may speak of beside the picture, but for what the question says already.
Surroundings surroundings(const Index& index, const Question& shared) {
  Surroundings around;
  if (!shared.filter.since && !shared.filter.until) {
    around.now = local_time(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
  }
  if (shared.filter.camera.empty()) {
    around.cameras = [&index] { return index.folder_facts().cameras.names; };
  }
  if (shared.filter.town.empty() && names_towns(index.folder())) {  // else no record is read for it
    const TownIndex& towns = index.folder_facts().town_index;
    around.is_town = [&towns](std::string_view name) { return !towns.called(name).empty(); };
    around.longest_town = towns.longest();
  }
  if (shared.filter.folder.empty()) {
    around.folders = [&index] {
      return std::vector<std::string>(index.folders().begin(), index.folders().end());
    };
  }
  around.is_word = [&model = index.model()](std::string_view word) {
    return model.tower() != nullptr ||
           std::ranges::any_of(model.vocabularies(),
                               [&](const auto& v) { return v.second.contains(word); });
  };
  return around;
}

// The languages that a sentence may be in: of a model that tells them apart, that or those.
std::vector<std::string> languages_of(const Index& index, TextEncoder& encoder,
                                      const std::string& sentence, const std::string& language) {
  if (!language.empty()) return {language};
  if (index.model().tower() != nullptr || !is_utf8(sentence)) return {};
  LanguageGuess guess = guess_language(encoder, sentence);
  guess.equals.push_back(std::move(guess.language));
  return guess.equals;
}

HeardSentence hear_in(const std::vector<std::string>& languages, const std::string& sentence,
                      Surroundings around) {
  around.speaks = [&languages](std::string_view language) {
    return languages.empty() || find_language(languages, language).has_value();
  };
  return hear(sentence, around);
}

Question with_heard(Question question, std::span<const Heard> heard) {
  for (const Heard& one : heard) {
    if (one.taken) {
      question.filter.since = one.taken->begin;
      question.filter.until = one.taken->end;
    }
    if (!one.town.empty()) question.filter.town = one.town;
    if (!one.camera.empty()) question.filter.camera = one.camera;
    if (!one.folder.empty()) question.filter.folder = one.folder;
  }
  return question;
}

}  // namespace

std::vector<Answer> Collection::ask(std::span<const std::string> sentences, const Question& shared,
                                    const AskOptions& options) const {
  const auto version = current();
  const Index& index = version->index();
  if (shared.literal || sentences.empty() || options_.engine || !index.of_folder()) {
    return ask_as_it_is(*version, sentences, shared, options);
  }
  const Surroundings around = surroundings(index, shared);
  std::vector<std::string> plain;  // asked together
  std::vector<std::size_t> places;
  std::vector<Answer> answers(sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    HeardSentence heard = hear(sentences[i], around);
    if (!heard.heard.empty()) {  // few are, and a language costs time to guess
      const Encoders::Lease encoder(version->encoders());
      heard = hear_in(languages_of(index, *encoder, sentences[i], shared.language), sentences[i],
                      around);
    }
    if (heard.heard.empty()) {
      plain.push_back(sentences[i]);
      places.push_back(i);
      continue;
    }
    answers[i] = std::move(
        ask_as_it_is(*version, {&heard.rest, 1}, with_heard(shared, heard.heard), options).front());
    answers[i].sentence = sentences[i];
    answers[i].heard = std::move(heard.heard);
  }
  if (plain.empty()) return answers;
  auto others = ask_as_it_is(*version, plain, shared, options);
  for (std::size_t i = 0; i < places.size(); ++i) answers[places[i]] = std::move(others[i]);
  return answers;
}

std::vector<Answer> Collection::ask_as_it_is(const Version& version,
                                             std::span<const std::string> sentences,
                                             const Question& shared,
                                             const AskOptions& options) const {
  const Encoders::Lease encoder(version.encoders());
  std::optional<Encoders::Lease> for_reranker;
  AskHelp help;
  help.pictures = version.pictures();
  help.engine = options_.engine.get();
  if (version.index().reranker() != nullptr) {
    help.read_for_reranker = reading_with(*for_reranker.emplace(version.reranker_encoders()));
  }
  if (options.translate) help.translations = std::cref(version.translators());
  if (options.first != nullptr) {
    help.shortlist = [&](const Question& question) {
      return shortlist(*options.first, version.index(), question);
    };
  }
  return ask_each(version.index(), reading_with(*encoder), sentences, shared, help);
}

std::vector<SentenceHit> Collection::stored_sentences(const std::string& image,
                                                      std::size_t per_language) const {
  const auto version = current();
  const std::size_t position = position_of(version->index(), image);
  return version->sentences().nearest(version->index(), position, per_language);
}

std::vector<SentenceHit> Collection::best_sentences(const Question::Part& picture,
                                                    std::span<const std::string> sentences,
                                                    const std::string& language,
                                                    std::size_t k) const {
  const auto version = current();
  const QuestionReader reader(version->index(), {}, version->pictures(), options_.engine.get());
  return hinny::best_sentences(version->index(), reader.picture(picture), sentences, language, k);
}

Embeddings Collection::embed(std::span<const std::string> sentences,
                             const std::string& language) const {
  const auto version = current();
  const Index& index = version->index();
  const Encoders::Lease encoder(version->encoders());
  const QuestionReader reader(index, reading_with(*encoder));
  Embeddings embeddings{index.contents().model, {}};
  for (const std::string& text : sentences) {
    const ReadPart part = reader.part({Sentence{"", text}, 1}, language);
    const Understood& understood = part.said()->understood;
    embeddings.items.push_back({part.said()->encoded.vector, understood,
                                (*encoder).words(text, understood.language).size()});
  }
  return embeddings;
}

std::string Collection::file_of(const std::string& image) const {
  if (options_.engine) return options_.engine->file(image);
  const auto version = current();
  return version->index().picture(position_of(version->index(), image));
}

void Collection::check() const {
  const auto version = current();
  const Index& index = version->index();
  if (index.size() == 0) return;  // nothing is there to be found
  const std::string& space = index.contents().spaces.front();
  const Query query{index.contents().model, space, index.vector(0, space), false, {}};
  if (options_.engine) {
    Question one;
    one.k = 1;
    options_.engine->nearest(query, one, {});
  } else {
    index.search(query, 1);
  }
}

}  // namespace hinny
