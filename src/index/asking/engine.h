// Where a collection's vectors are if not in the index's own folder: a database that finds the
// nearest of them itself. Sentences and pictures are still encoded here.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/asking/question.h"
#include "index/folder/index.h"

namespace hinny {

// The database is not there, or does not answer in time.
class EngineFailure : public Failure {
 public:
  using Failure::Failure;
};

// Safe to share between threads. Each call throws RequestError for what is asked wrongly,
// InputError where the database holds vectors of another model or nothing of Hinny's, and
// EngineFailure.
class Engine {
 public:
  virtual ~Engine() = default;

  struct Facts {
    std::size_t images = 0;
    bool times = false;  // when they were taken
  };
  virtual Facts facts() const = 0;

  // What `shared` says but its parts: k, min_score, order, filter, details. Without the pictures
  // `known`; each frame of a film on its own (engine_results.h makes one result of them).
  virtual std::vector<Found> nearest(const Query& query, const Question& shared,
                                     std::span<const std::string> known) const = 0;
  // A picture's vector, dim numbers. Throws UnknownImage.
  virtual std::vector<float> vector(const std::string& image) const = 0;
  // Where a picture's file is, or "". Throws UnknownImage.
  virtual std::string file(const std::string& image) const = 0;
};

}  // namespace hinny
