// A question's conditions as SQL.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/asking/question.h"
#include "postgres/connection.h"

namespace hinny {

// The numbers as PostgreSQL reads a vector: "[0.25,-1]".
std::string vector_text(std::span<const float> numbers);
// The numbers of such a text; none where it is none.
std::vector<float> numbers_in(std::string_view text);

class Conditions {
 public:
  // `first` parameters stand before those of the conditions.
  explicit Conditions(std::vector<Connection::Parameter> first) : parameters_(std::move(first)) {}

  // The filter: when, and below which folder, seen from `root`. Without the images `known`.
  void add(const Filter& filter, const std::filesystem::path& root,
           std::span<const std::string> known);
  // Rows whose dot product with $1, without what is added to a sentence's, reaches this.
  void add_least_score(double score, const std::string& type, bool corrected);

  std::string text() const;  // "true" without any
  const std::vector<Connection::Parameter>& parameters() const { return parameters_; }

 private:
  // Keeps the value and gives its name, "$3".
  std::string parameter(std::string value);
  std::vector<Connection::Parameter> parameters_;
  std::vector<std::string> conditions_;
};

// {"a","b"}: an array of texts as PostgreSQL reads it.
std::string array_text(std::span<const std::string> texts);

}  // namespace hinny
