/* Hinny for C, and for whatever calls C: search pictures by sentences.
 *
 * Handles are opaque and belong to the caller, who frees each with its own function; NULL may be
 * freed. Strings are UTF-8 and end with 0. Arrays of numbers are the caller's. No exception and no
 * signal comes out of a function. A function that can fail takes a `hinny_error*`, which may be
 * NULL, and says by what it returns (a status, or NULL) whether it did; the error is written only
 * then. Models and collections may be used by several threads at once; a question and an answer by
 * one at a time. Strings that a function returns live as long as the handle that they came from.
 */
#ifndef HINNY_H
#define HINNY_H

#include <stddef.h>

#include "hinny/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hinny_model hinny_model;
typedef struct hinny_collection hinny_collection;
typedef struct hinny_question hinny_question;
typedef struct hinny_answer hinny_answer;

typedef enum hinny_status {
  HINNY_OK = 0,
  HINNY_INPUT = 1,     /* what was given is wrong */
  HINNY_NOT_FOUND = 2, /* a file, a folder or an image that is not there */
  HINNY_MACHINE = 3    /* memory, disk, permission */
} hinny_status;

typedef struct hinny_error {
  hinny_status status;
  char message[500]; /* one sentence, cut where it is longer */
} hinny_error;

/* "0.2.0", of the library that is running. */
HINNY_API const char* hinny_version(void);

/* A run, an export, a bundle, or an index's encoder/. NULL when it fails. */
HINNY_API hinny_model* hinny_model_open(const char* path, hinny_error* error);
HINNY_API void hinny_model_free(hinny_model* model);
HINNY_API size_t hinny_model_dim(const hinny_model* model);          /* numbers in a vector */
HINNY_API size_t hinny_model_feature_size(const hinny_model* model); /* in a picture's features */
/* The i-th language's code, or NULL behind the last. */
HINNY_API const char* hinny_model_language(const hinny_model* model, size_t i);
/* count sentences -> out [count, dim], rows of length 1. `language` is that of all of them, or NULL
 * or "" to guess each one's, which a model with an image space for each language refuses
 * (HINNY_INPUT): vectors compare within a space alone. */
HINNY_API hinny_status hinny_model_encode(const hinny_model* model, const char* const* sentences,
                                          size_t count, const char* language, float* out,
                                          hinny_error* error);
/* features [count, feature_size] -> out [count, dim], rows of length 1, to be compared with
 * sentences in any language. HINNY_INPUT for a model with an image space for each language. */
HINNY_API hinny_status hinny_model_encode_features(const hinny_model* model, const float* features,
                                                   size_t count, float* out, hinny_error* error);
/* The same for sentences in `language`, whatever spaces the model has. NULL or "": as above. */
HINNY_API hinny_status hinny_model_encode_features_for(const hinny_model* model,
                                                       const char* language, const float* features,
                                                       size_t count, float* out,
                                                       hinny_error* error);

/* An index folder. NULL when it fails. */
HINNY_API hinny_collection* hinny_collection_open(const char* path, hinny_error* error);
HINNY_API void hinny_collection_free(hinny_collection* collection);
HINNY_API size_t hinny_collection_size(const hinny_collection* collection); /* pictures */
/* Opens the folder again if it has changed. When it fails, the version before goes on answering. */
HINNY_API hinny_status hinny_collection_reload(hinny_collection* collection, hinny_error* error);

/* Adds the pictures of a dataset folder's split (NULL or "all": every one) that have the features
 * which the collection was made from, and answers from the new version. Nothing changes when it
 * fails. */
HINNY_API hinny_status hinny_collection_add(hinny_collection* collection, const char* dataset,
                                            const char* split, hinny_error* error);
/* The same, and afterwards there are no other pictures. */
HINNY_API hinny_status hinny_collection_update(hinny_collection* collection, const char* dataset,
                                               const char* split, hinny_error* error);
/* Takes `count` pictures out. HINNY_NOT_FOUND, and nothing changes, when one is not there. */
HINNY_API hinny_status hinny_collection_remove(hinny_collection* collection, const char* const* ids,
                                               size_t count, hinny_error* error);

/* What to look for; empty at first, ten pictures are wanted. NULL when memory is out. */
HINNY_API hinny_question* hinny_question_new(void);
HINNY_API void hinny_question_free(hinny_question* question);
/* The sentence to look for; `language` may be NULL or "" to guess it. Again: another in its place.
 */
HINNY_API hinny_status hinny_question_sentence(hinny_question* question, const char* sentence,
                                               const char* language, hinny_error* error);
/* A field of /v1/search (docs/http-api.md) by its name, as text: "k" "5", "not" "snow", "like" an
 * id, "since" "2024-06", "min_score" "0.3", "in" a folder, ... "not", "like" and "also" may come
 * several times. */
HINNY_API hinny_status hinny_question_set(hinny_question* question, const char* name,
                                          const char* value, hinny_error* error);
/* Pictures like one of these features, `count` numbers as the collection's model reads them. */
HINNY_API hinny_status hinny_question_features(hinny_question* question, const float* features,
                                               size_t count, hinny_error* error);

/* NULL when it fails. */
HINNY_API hinny_answer* hinny_collection_search(const hinny_collection* collection,
                                                const hinny_question* question, hinny_error* error);
HINNY_API void hinny_answer_free(hinny_answer* answer);
HINNY_API size_t hinny_answer_size(const hinny_answer* answer); /* results, best first */
/* Of result i: its id, its file ("" when none is known), its score. NULL and 0 behind the last. */
HINNY_API const char* hinny_answer_id(const hinny_answer* answer, size_t i);
HINNY_API const char* hinny_answer_file(const hinny_answer* answer, size_t i);
HINNY_API float hinny_answer_score(const hinny_answer* answer, size_t i);
/* The chance, 0 to 1, that result i belongs to the question; -1 where that is not known. */
HINNY_API double hinny_answer_fit(const hinny_answer* answer, size_t i);
/* The language that the sentence was read in, or "". */
HINNY_API const char* hinny_answer_language(const hinny_answer* answer);

#ifdef __cplusplus
}
#endif

#endif
