// Whatever is called through the C interface, in whatever order, answers or says why not. The input
// is a list of calls: a byte that says which, and a text up to the next line end as its argument.
#include "fuzz/small_index.h"
#include "hinny.h"

namespace {

struct Opened {
  explicit Opened(hinny::SmallIndex::Kind kind)
      : small(kind),
        collection(hinny_collection_open(small.folder().c_str(), nullptr)),
        model(hinny_model_open((small.folder() / "encoder").c_str(), nullptr)) {
    if (collection == nullptr || model == nullptr) std::abort();
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    hinny_model_free(model);
    hinny_collection_free(collection);
  }
  hinny::SmallIndex small;
  hinny_collection* collection;
  hinny_model* model;
};

// A call that fails says so in both ways, with a sentence that ends.
void expect_told(bool failed, const hinny_error& error) {
  const std::string_view all(error.message, sizeof error.message);
  const bool told = error.status != HINNY_OK && all.find('\0') != all.npos && error.message[0] != 0;
  if (failed != told) std::abort();
}

void search(const Opened& opened, const hinny_question* question) {
  hinny_error error{};
  hinny_answer* const answer = hinny_collection_search(opened.collection, question, &error);
  expect_told(answer == nullptr, error);
  const std::size_t size = answer == nullptr ? 0 : hinny_answer_size(answer);
  for (std::size_t i = 0; i < size; ++i) {
    if (hinny_answer_id(answer, i) == nullptr || hinny_answer_file(answer, i) == nullptr)
      std::abort();
  }
  if (answer != nullptr && hinny_answer_id(answer, size) != nullptr) std::abort();
  hinny_answer_free(answer);
}

void encode(const Opened& opened, const std::string& text, const char* language) {
  const char* const sentences[] = {text.c_str(), nullptr};
  std::vector<float> out(2 * hinny_model_dim(opened.model));
  for (std::size_t count : {1U, 2U}) {
    hinny_error error{};
    const hinny_status status =
        hinny_model_encode(opened.model, sentences, count, language, out.data(), &error);
    expect_told(status != HINNY_OK, error);
  }
}

// The text's bytes as numbers, of any size and value.
std::vector<float> numbers_of(const std::string& text) {
  std::vector<float> numbers(text.size() / sizeof(float));
  if (!numbers.empty()) std::memcpy(numbers.data(), text.data(), numbers.size() * sizeof(float));
  return numbers;
}

void call(const Opened& opened, hinny_question* question, std::uint8_t which,
          const std::string& text) {
  static const char* const fields[] = {"k",      "not",     "like",      "also", "since",
                                       "until",  "in",      "min_score", "sort", "near_copies",
                                       "rerank", "explain", "lang",      "q",    ""};
  constexpr std::size_t kFields = std::size(fields);
  hinny_error error{};
  hinny_status status = HINNY_OK;
  const std::size_t set = which % (kFields + 6);
  if (set < kFields) {
    status = hinny_question_set(question, fields[set], text.c_str(), &error);
  } else if (set == kFields) {
    status = hinny_question_sentence(question, text.c_str(), which < 128 ? "en" : nullptr, &error);
  } else if (set == kFields + 1) {
    const std::vector<float> numbers = numbers_of(text);
    status = hinny_question_features(question, numbers.data(), numbers.size(), &error);
  } else if (set == kFields + 2) {
    std::vector<float> numbers = numbers_of(text);
    numbers.resize(hinny_model_feature_size(opened.model));
    std::vector<float> out(hinny_model_dim(opened.model));
    status = hinny_model_encode_features(opened.model, numbers.data(), 1, out.data(), &error);
  } else if (set == kFields + 3) {
    encode(opened, text, which < 128 ? nullptr : "de");
  } else if (set == kFields + 4) {
    status = hinny_question_set(question, text.c_str(), "1", &error);
  } else {
    search(opened, question);
  }
  expect_told(status != HINNY_OK, error);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Opened plain(hinny::SmallIndex::plain);
  static const Opened attending(hinny::SmallIndex::attending);
  hinny_question* const question = hinny_question_new();
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const Opened& opened = size % 2 == 0 ? plain : attending;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n', 1), rest.size());
    call(opened, question, static_cast<std::uint8_t>(rest.front()),
         std::string(rest.substr(1, end - 1)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  search(opened, question);
  hinny_question_free(question);
  return 0;
}
