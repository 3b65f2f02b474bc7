// What `hinny search` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "index/asking/question.h"
#include "index/asking/question_fields.h"

namespace hinny {

// What the user should know about how the question was understood, on stderr.
void tell_how_understood(const Answer& answer, const AskedFields& asked);

// For people, on stdout.
void print_answers(std::span<const Answer> all, const AskedFields& asked);

// Where nothing fits well, on stderr: a question returns the nearest pictures, whatever they are.
void tell_poor_fit(std::span<const Answer> all);

// Where an answer is empty: why, on stderr. `nothing_left`: why_nothing (index/asking/filter.h).
void tell_why_empty(std::span<const Answer> all, const std::string& nothing_left);

// {"query", "language", "results": [{"image", "file", "relative_file", "score", ...}]}
nlohmann::ordered_json answer_json(const Answer& answer);

}  // namespace hinny
