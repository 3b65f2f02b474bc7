// The C interface, on top of the C++ one.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "hinny.h"
#include "hinny/hinny.hpp"

struct hinny_model {
  hinny::Model model;
};
struct hinny_collection {
  hinny::Collection collection;
};
struct hinny_question {
  std::vector<std::string> sentence;  // one or none
  hinny::Question rest{};
};
struct hinny_answer {
  hinny::Answer answer;
};

namespace {

hinny_status report(hinny_error* error, hinny_status status, std::string_view message) {
  if (error == nullptr) return status;
  error->status = status;
  const std::size_t length = std::min(message.size(), sizeof error->message - 1);
  std::memcpy(error->message, message.data(), length);
  error->message[length] = '\0';
  return status;
}

// Runs `work`; whatever it throws becomes an error.
template <typename Work>
hinny_status guarded(hinny_error* error, const Work& work) noexcept {
  try {
    work();
    return HINNY_OK;
  } catch (const hinny::NotFoundError& problem) {
    return report(error, HINNY_NOT_FOUND, problem.what());
  } catch (const hinny::InputError& problem) {
    return report(error, HINNY_INPUT, problem.what());
  } catch (const std::bad_alloc&) {
    return report(error, HINNY_MACHINE, "out of memory");
  } catch (const std::exception& problem) {
    return report(error, HINNY_MACHINE, problem.what());
  } catch (...) {
    return report(error, HINNY_MACHINE, "an unknown problem");
  }
}

// A new handle, or nullptr.
template <typename Handle, typename Make>
Handle* made(hinny_error* error, const Make& make) noexcept {
  Handle* handle = nullptr;
  guarded(error, [&] { handle = new Handle{make()}; });
  return handle;
}

void check_given(const void* pointer, const char* what) {
  if (pointer == nullptr) throw hinny::InputError(fmt::format("NULL (expected {})", what));
}

std::string text(const char* given) { return given == nullptr ? std::string() : given; }

std::vector<std::string> texts(const char* const* given, size_t count) {
  if (count > 0) check_given(static_cast<const void*>(given), "strings");
  std::vector<std::string> all;
  for (size_t i = 0; i < count; ++i) {
    check_given(given[i], "a string");
    all.emplace_back(given[i]);
  }
  return all;
}

// `how`: Collection's add or update.
hinny_status changed(hinny_collection* collection,
                     hinny::Change (hinny::Collection::*how)(const std::string&,
                                                             std::span<const std::string>),
                     const char* dataset, const char* split, hinny_error* error) {
  return guarded(error, [&] {
    check_given(collection, "a collection");
    check_given(dataset, "a dataset");
    (collection->collection.*how)(dataset, texts(&split, split == nullptr ? 0 : 1));
  });
}

const hinny::Result* result(const hinny_answer* answer, size_t i) {
  if (answer == nullptr || i >= answer->answer.results.size()) return nullptr;
  return &answer->answer.results[i];
}

}  // namespace

const char* hinny_version(void) { return hinny::version(); }

hinny_model* hinny_model_open(const char* path, hinny_error* error) {
  return made<hinny_model>(error, [&] {
    check_given(path, "a path");
    return hinny::Model(path);
  });
}
void hinny_model_free(hinny_model* model) { delete model; }
size_t hinny_model_dim(const hinny_model* model) {
  return model == nullptr ? 0 : model->model.dim();
}
size_t hinny_model_feature_size(const hinny_model* model) {
  return model == nullptr ? 0 : model->model.feature_size();
}
const char* hinny_model_language(const hinny_model* model, size_t i) {
  if (model == nullptr || i >= model->model.languages().size()) return nullptr;
  return model->model.languages()[i].c_str();
}

hinny_status hinny_model_encode(const hinny_model* model, const char* const* sentences,
                                size_t count, const char* language, float* out,
                                hinny_error* error) {
  return guarded(error, [&] {
    check_given(model, "a model");
    if (count == 0) return;
    check_given(out, "room for vectors");
    const std::vector<std::string> all = texts(sentences, count);
    const std::string one = text(language);
    std::ranges::copy(model->model.encode(all, std::span(&one, 1)).values, out);
  });
}

hinny_status hinny_model_encode_features(const hinny_model* model, const float* features,
                                         size_t count, float* out, hinny_error* error) {
  return hinny_model_encode_features_for(model, nullptr, features, count, out, error);
}

hinny_status hinny_model_encode_features_for(const hinny_model* model, const char* language,
                                             const float* features, size_t count, float* out,
                                             hinny_error* error) {
  return guarded(error, [&] {
    check_given(model, "a model");
    if (count == 0) return;
    check_given(features, "features");
    check_given(out, "room for vectors");
    const size_t size = model->model.feature_size();
    if (count > std::size_t(-1) / sizeof(float) / size) {
      throw hinny::InputError(fmt::format("{} pictures (expected as many as memory holds)", count));
    }
    std::ranges::copy(model->model.encode_features({features, count * size}, text(language)).values,
                      out);
  });
}

hinny_collection* hinny_collection_open(const char* path, hinny_error* error) {
  return made<hinny_collection>(error, [&] {
    check_given(path, "a path");
    return hinny::Collection(path);
  });
}
void hinny_collection_free(hinny_collection* collection) { delete collection; }
size_t hinny_collection_size(const hinny_collection* collection) {
  return collection == nullptr ? 0 : collection->collection.size();
}
hinny_status hinny_collection_reload(hinny_collection* collection, hinny_error* error) {
  return guarded(error, [&] {
    check_given(collection, "a collection");
    collection->collection.reload();
  });
}

hinny_status hinny_collection_add(hinny_collection* collection, const char* dataset,
                                  const char* split, hinny_error* error) {
  return changed(collection, &hinny::Collection::add, dataset, split, error);
}
hinny_status hinny_collection_update(hinny_collection* collection, const char* dataset,
                                     const char* split, hinny_error* error) {
  return changed(collection, &hinny::Collection::update, dataset, split, error);
}
hinny_status hinny_collection_remove(hinny_collection* collection, const char* const* ids,
                                     size_t count, hinny_error* error) {
  return guarded(error, [&] {
    check_given(collection, "a collection");
    collection->collection.remove(texts(ids, count));
  });
}

hinny_question* hinny_question_new(void) {
  return made<hinny_question>(nullptr, [] { return std::vector<std::string>(); });
}
void hinny_question_free(hinny_question* question) { delete question; }

hinny_status hinny_question_sentence(hinny_question* question, const char* sentence,
                                     const char* language, hinny_error* error) {
  return guarded(error, [&] {
    check_given(question, "a question");
    check_given(sentence, "a sentence");
    question->sentence.assign(1, sentence);
    question->rest.language = text(language);
  });
}

hinny_status hinny_question_set(hinny_question* question, const char* name, const char* value,
                                hinny_error* error) {
  return guarded(error, [&] {
    check_given(question, "a question");
    check_given(name, "a field's name");
    check_given(value, "a value");
    question->rest.set(name, value);
  });
}

hinny_status hinny_question_features(hinny_question* question, const float* features, size_t count,
                                     hinny_error* error) {
  return guarded(error, [&] {
    check_given(question, "a question");
    check_given(features, "features");
    question->rest.features.emplace_back(features, features + count);
  });
}

hinny_answer* hinny_collection_search(const hinny_collection* collection,
                                      const hinny_question* question, hinny_error* error) {
  return made<hinny_answer>(error, [&] {
    check_given(collection, "a collection");
    check_given(question, "a question");
    return std::move(collection->collection.search(question->sentence, question->rest).front());
  });
}
void hinny_answer_free(hinny_answer* answer) { delete answer; }
size_t hinny_answer_size(const hinny_answer* answer) {
  return answer == nullptr ? 0 : answer->answer.results.size();
}
const char* hinny_answer_id(const hinny_answer* answer, size_t i) {
  const hinny::Result* const found = result(answer, i);
  return found == nullptr ? nullptr : found->id.c_str();
}
const char* hinny_answer_file(const hinny_answer* answer, size_t i) {
  const hinny::Result* const found = result(answer, i);
  return found == nullptr ? nullptr : found->file.c_str();
}
float hinny_answer_score(const hinny_answer* answer, size_t i) {
  const hinny::Result* const found = result(answer, i);
  return found == nullptr ? 0 : found->score;
}
double hinny_answer_fit(const hinny_answer* answer, size_t i) {
  const hinny::Result* const found = result(answer, i);
  return found == nullptr ? -1 : found->fit.value_or(-1);
}
const char* hinny_answer_language(const hinny_answer* answer) {
  return answer == nullptr ? "" : answer->answer.language.c_str();
}
