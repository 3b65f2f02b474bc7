// Whatever is asked, it is answered or refused with an InputError, by either kind of model.
#include "base/error.h"
#include "fuzz/small_index.h"
#include "index/asking/ask.h"

namespace {

struct Asked {
  explicit Asked(hinny::SmallIndex::Kind kind) : small(kind) {}
  hinny::SmallIndex small;
  hinny::Index index = hinny::Index::open(small.folder());
  hinny::TextEncoder encoder{index.model()};
};

void ask(Asked& asked, const hinny::Question& question) {
  try {
    hinny::ask(asked.index, asked.encoder, question);
  } catch (const hinny::InputError&) {
  }
}

// What is heard is taken out, and nothing is put in.
void listen(std::string_view sentence) {
  hinny::Surroundings around;
  around.now = 1'800'000'000;
  around.cameras = [] { return std::vector<std::string>{"", "NIKON D750"}; };
  around.folders = [] { return std::vector<std::string>{"Sea", "Holidays/Sea"}; };
  around.is_word = [](std::string_view word) { return word.size() > 3; };
  const hinny::HeardSentence heard = hinny::hear(sentence, around);
  if (heard.rest.size() > sentence.size() || heard.heard.size() > 3) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Asked plain(hinny::SmallIndex::plain);
  static Asked attending(hinny::SmallIndex::attending);
  // Two sentences, at the first line end.
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  listen(all);
  const std::size_t end = std::min(all.find('\n'), all.size());
  hinny::Question question;
  question.parts.resize(end < all.size() ? 2 : 1);
  question.parts.front().what = hinny::Sentence{"", std::string(all.substr(0, end))};
  if (end < all.size()) {
    question.parts.back() = {hinny::Sentence{"", std::string(all.substr(end + 1))}, -0.5F};
  }
  ask(plain, question);
  question.explain = true;
  ask(attending, question);
  return 0;
}
