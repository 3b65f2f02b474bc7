#include "index/asking/spoken_filters.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "index/asking/spoken_times.h"
#include "index/asking/spoken_words.h"
#include "text/name_forms.h"
#include "text/plain_words.h"

namespace hinny {
namespace {

// Before a month alone they say what a thing is of, not when it was taken: flowers of May.
constexpr std::string_view kOf = "from of aus vom von de du d do da del z ze";

// Each of these forms, until `use` says true; whether it did.
template <typename Use>
bool any_form(std::string_view forms, const Use& use) {
  for (std::size_t begin = 0; begin < forms.size();) {
    const std::size_t end = std::min(forms.find(' ', begin), forms.size());
    if (use(forms.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

bool is_one(std::string_view word, std::string_view forms) {
  return any_form(forms, [word](std::string_view form) { return form == word; });
}

template <std::size_t kCount>
std::optional<unsigned> place_in(std::string_view word,
                                 const std::array<std::string_view, kCount>& all) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (is_one(word, all[i])) return static_cast<unsigned>(i);
  }
  return std::nullopt;
}

std::optional<int> year_in(std::string_view word) {
  constexpr int kFirst = 1840, kLast = 2199;
  int year = 0;
  if (word.size() != 4) return std::nullopt;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), year);
  if (problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return year >= kFirst && year <= kLast ? std::optional(year) : std::nullopt;
}

// What stands at some tokens: where it ends, and what it says.
struct Phrase {
  std::size_t end = 0;  // the token behind it
  Heard heard;
};

// Reads phrases of one language.
class Phrases {
 public:
  Phrases(std::string_view sentence, const std::vector<PlainWord>& tokens, const SpokenWords& words,
          const Surroundings& around)
      : sentence_(sentence), tokens_(tokens), words_(words), around_(around) {}

  std::optional<Phrase> time(std::size_t at) const {
    const bool took = is(at, words_.taken);
    if (took) ++at;
    bool introduced = took, within = took;
    while (is(at, words_.during)) {
      within |= !is_one(tokens_[at].word, kOf);
      ++at;
      introduced = true;
    }
    if (introduced || is_noun(after_articles(at)) || is(after_articles(at), words_.last)) {
      at = after_articles(at);
    }
    return period_at(at, introduced, within);
  }

  std::optional<Phrase> camera(std::size_t at) const {
    const bool took = is(at, words_.taken);
    if (took) ++at;
    if (!is(at, words_.with)) return std::nullopt;
    const std::size_t first = after_articles(at + 1);
    std::size_t end = first;
    std::string name;
    while (end < tokens_.size() && (took || is_no_word(end)) && names_a_camera(tokens_[end].word)) {
      name += (name.empty() ? "" : " ") + tokens_[end].word;
      ++end;
    }
    if (end == first) return std::nullopt;
    if (is(end, words_.taken)) ++end;  // "mit der Nikon aufgenommen"
    Phrase phrase{end, {}};
    phrase.heard.camera = name;
    return phrase;
  }

  std::optional<Phrase> folder(std::size_t at) const {
    while (is(at, words_.during)) ++at;
    at = after_articles(at);
    if (!is(at, words_.folder)) return std::nullopt;
    Phrase best;
    std::size_t longest = 0;
    if (!around_.folders) return std::nullopt;
    for (const std::string& folder : around_.folders()) {
      for (const std::string& name : {folder, folder.substr(folder.rfind('/') + 1)}) {
        const std::vector<PlainWord> wanted = plain_words(name);
        if (wanted.size() <= longest || at + 1 + wanted.size() > tokens_.size()) continue;
        const auto same = [](const PlainWord& a, const PlainWord& b) { return a.word == b.word; };
        const auto here = tokens_.begin() + static_cast<std::ptrdiff_t>(at + 1);
        if (!std::equal(wanted.begin(), wanted.end(), here, same)) continue;
        longest = wanted.size();
        best.end = at + 1 + wanted.size();
        best.heard.folder = folder;
      }
    }
    return longest > 0 ? std::optional(best) : std::nullopt;
  }

  // "taken in Lissabon", "à New York"
  std::optional<Phrase> town(std::size_t at) const {
    if (is(at, words_.taken)) ++at;
    if (!is(at, words_.at) || !around_.is_town) return std::nullopt;
    const std::size_t first = at + 1;
    for (std::size_t end = std::min(first + around_.longest_town, tokens_.size()); end > first;
         --end) {
      const std::size_t begin = tokens_[first].begin;
      const std::string_view name = sentence_.substr(begin, tokens_[end - 1].end - begin);
      if ((end == first + 1 && !is_plain_name(first)) || !around_.is_town(name)) continue;
      Phrase phrase{end, {}};
      phrase.heard.town = name;
      return phrase;
    }
    return std::nullopt;
  }

 private:
  bool is(std::size_t at, std::string_view forms) const {
    return at < tokens_.size() && is_one(tokens_[at].word, forms);
  }
  std::size_t after_articles(std::size_t at) const {
    while (is(at, words_.articles) && !is(at, words_.last)) ++at;
    return at;
  }
  std::optional<unsigned> month(std::size_t at) const {
    return at < tokens_.size() ? place_in(tokens_[at].word, words_.months) : std::nullopt;
  }
  std::optional<unsigned> season(std::size_t at) const {
    return at < tokens_.size() ? place_in(tokens_[at].word, words_.seasons) : std::nullopt;
  }
  bool is_noun(std::size_t at) const {
    return month(at) || season(at) || is(at, words_.week) || is(at, words_.month) ||
           is(at, words_.year);
  }
  std::optional<int> year(std::size_t at) const {
    return at < tokens_.size() ? year_in(tokens_[at].word) : std::nullopt;
  }

  static Phrase of(std::size_t end, const Period& period) {
    Phrase phrase{end, {}};
    phrase.heard.taken = period;
    return phrase;
  }

  // The one before now, or that of now.
  std::optional<Period> noun_period(std::size_t at, bool last) const {
    if (const auto m = month(at)) return month_before(*around_.now, *m + 1, last);
    if (const auto s = season(at)) return season_before(*around_.now, *s, last);
    if (is(at, words_.week)) return week_of(*around_.now, last);
    if (is(at, words_.month)) return month_of(*around_.now, last);
    if (is(at, words_.year)) return year_of(*around_.now, last);
    return std::nullopt;
  }

  // `introduced`: by a word such as in or of; `within`: by one but of, which a month alone needs.
  std::optional<Phrase> period_at(std::size_t at, bool introduced, bool within) const {
    if (is(at, words_.today)) return of(at + 1, day_of(*around_.now, 0));
    if (is(at, words_.yesterday)) return of(at + 1, day_of(*around_.now, 1));
    if (is(at, words_.last_year)) return last_year(at + 1);
    const bool last = is(at, words_.last);
    if ((last || is(at, words_.current)) && is_noun(at + 1)) {
      return of(at + 2, noun_period(at + 1, last).value());
    }
    if (is_noun(at) && (is(at + 1, words_.last) || is(at + 1, words_.current))) {
      return of(at + 2, noun_period(at, is(at + 1, words_.last)).value());
    }
    if (const auto m = month(at)) return month_or_with_year(at, *m + 1, within);
    if (const auto s = season(at)) {
      const std::size_t next = after_articles(at + 1);
      if (const auto y = year(next)) return of(next + 1, season_in(*y, *s));
      return std::nullopt;  // in summer: that may be seen
    }
    if (introduced) {
      if (const auto y = year(at)) return of(at + 1, year_period(*y));
    }
    return std::nullopt;
  }

  std::optional<Phrase> month_or_with_year(std::size_t at, unsigned m, bool within) const {
    const std::size_t next = after_articles(at + 1);
    if (const auto y = year(next)) return of(next + 1, month_in(*y, m));
    if (!within) return std::nullopt;
    return of(at + 1, month_before(*around_.now, m, false));
  }

  // "loni", "loni v létě"
  std::optional<Phrase> last_year(std::size_t at) const {
    const Period whole = year_of(*around_.now, true);
    const int y = year_at(whole.begin);
    const std::size_t next = is(at, words_.during) ? at + 1 : at;
    if (const auto s = season(next)) return of(next + 1, season_in(y, *s));
    if (const auto m = month(next)) return of(next + 1, month_in(y, *m + 1));
    return of(at, whole);
  }

  // D750, nikon: nothing that one would look for.
  bool is_no_word(std::size_t at) const {
    const std::string& word = tokens_[at].word;
    const bool has_digit = std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
    return has_digit || (around_.is_word && !around_.is_word(word));
  }
  // Not "in bath", which may be seen, nor what stands for many towns: "in la".
  bool is_plain_name(std::size_t at) const {
    constexpr std::size_t kLeast = 3;
    const auto& [begin, end, word] = tokens_[at];
    if (word.size() < kLeast) return false;
    const bool capital = composed(sentence_.substr(begin, end - begin)) != word;
    return capital || is_no_word(at);
  }
  bool names_a_camera(std::string_view word) const {
    constexpr std::size_t kLeast = 2;
    if (word.size() < kLeast || !around_.cameras) return false;
    const std::vector<std::string> cameras = around_.cameras();
    return std::ranges::any_of(cameras, [&](const std::string& camera) {
      return std::ranges::any_of(plain_words(camera),
                                 [&](const PlainWord& token) { return token.word == word; });
    });
  }

  std::string_view sentence_;
  const std::vector<PlainWord>& tokens_;
  const SpokenWords& words_;
  const Surroundings& around_;
};

// The first, and there the longest, phrase of a kind in any language.
struct FoundPhrase {
  std::size_t begin = 0, end = 0;  // bytes
  Heard heard;
};

// Words without which a phrase of a kind cannot be, in any language: most sentences have none.
class Signs {
 public:
  static const Signs& of_all() {
    static const Signs all;
    return all;
  }
  bool of_time(std::string_view word) const { return time_.contains(word) || year_in(word); }
  bool of_camera(std::string_view word) const { return with_.contains(word); }
  bool of_folder(std::string_view word) const { return folder_.contains(word); }
  bool of_town(std::string_view word) const { return at_.contains(word); }

 private:
  Signs() {
    for (const SpokenWords& words : spoken_words()) {
      for (const std::string_view month : words.months) add(month, time_);
      for (const std::string_view season : words.seasons) add(season, time_);
      for (const std::string_view other :
           {words.week, words.month, words.year, words.today, words.yesterday, words.last_year}) {
        add(other, time_);
      }
      add(words.with, with_);
      add(words.folder, folder_);
      add(words.at, at_);
    }
  }
  static void add(std::string_view forms, std::unordered_set<std::string_view>& set) {
    any_form(forms, [&set](std::string_view form) {
      set.insert(form);
      return false;
    });
  }
  std::unordered_set<std::string_view> time_, with_, folder_, at_;
};

struct Kind {
  std::optional<Phrase> (Phrases::*at)(std::size_t) const;
  bool (Signs::*is_sign)(std::string_view) const;
};
constexpr Kind kTime = {&Phrases::time, &Signs::of_time};
constexpr Kind kCamera = {&Phrases::camera, &Signs::of_camera};
constexpr Kind kFolder = {&Phrases::folder, &Signs::of_folder};
constexpr Kind kTown = {&Phrases::town, &Signs::of_town};

std::optional<FoundPhrase> find(std::string_view sentence, const std::vector<PlainWord>& tokens,
                                const Surroundings& around, const Kind& kind) {
  const auto is_sign = [&](const PlainWord& token) {
    return (Signs::of_all().*kind.is_sign)(token.word);
  };
  if (std::ranges::none_of(tokens, is_sign)) return std::nullopt;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    std::optional<Phrase> best;
    for (const SpokenWords& words : spoken_words()) {
      if (around.speaks && !around.speaks(words.language)) continue;
      auto phrase = (Phrases(sentence, tokens, words, around).*kind.at)(at);
      if (phrase && (!best || phrase->end > best->end)) best = std::move(phrase);
    }
    if (best)
      return FoundPhrase{tokens[at].begin, tokens[best->end - 1].end, std::move(best->heard)};
  }
  return std::nullopt;
}

// Takes bytes out of a sentence, with the marks and blanks that stood around them.
void cut(std::string& sentence, std::size_t begin, std::size_t end) {
  constexpr std::string_view kAround = " ,;\"";
  while (begin > 0 && kAround.find(sentence[begin - 1]) != std::string_view::npos) --begin;
  while (end < sentence.size() && kAround.find(sentence[end]) != std::string_view::npos) ++end;
  const bool between = begin > 0 && end < sentence.size();
  sentence.replace(begin, end - begin, between ? " " : "");
}

}  // namespace

HeardSentence hear(std::string_view sentence, const Surroundings& around) {
  HeardSentence result{std::string(sentence), {}};
  std::vector<PlainWord> tokens = plain_words(sentence);
  const auto take = [&](std::size_t begin, std::size_t end, Heard heard) {
    heard.text = result.rest.substr(begin, end - begin);
    result.heard.push_back(std::move(heard));
    cut(result.rest, begin, end);
    tokens = plain_words(result.rest);
  };
  if (around.now) {
    const bool reads_chinese = !around.speaks || around.speaks("zh");
    const auto chinese = reads_chinese ? chinese_time(sentence, *around.now) : std::nullopt;
    if (chinese) {
      Heard heard;
      heard.taken = chinese->period;
      take(chinese->begin, chinese->end, std::move(heard));
    } else if (auto time = find(result.rest, tokens, around, kTime)) {
      take(time->begin, time->end, std::move(time->heard));
    }
  }
  for (const Kind& kind : {kCamera, kFolder, kTown}) {
    if (auto found = find(result.rest, tokens, around, kind)) {
      take(found->begin, found->end, std::move(found->heard));
    }
  }
  if (tokens.empty()) result.rest = sentence;
  return result;
}

}  // namespace hinny
